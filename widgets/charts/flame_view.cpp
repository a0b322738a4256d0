// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/flame_view.h"

#include "core/base/format.h"
#include "widgets/charts/flame_chart.h"
#include "widgets/state/to_qstring.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace ks {

FlameView::FlameView(QWidget *parent)
    : QWidget(parent)
    , m_chart(new FlameChart(this))
    , m_search(new QLineEdit(this))
    , m_found(new QLabel(this))
    , m_out(new QToolButton(this))
{
    m_search->setObjectName(QStringLiteral("flameSearch"));
    m_search->setAccessibleName(tr("Search in the flame chart"));
    m_search->setPlaceholderText(tr("Search names"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(m_search->fontMetrics().averageCharWidth() * 32);
    m_out->setText(tr("Show all"));
    m_out->setToolTip(tr("Zoom out to everything (Esc goes one box up)"));
    m_out->setAutoRaise(true);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(2, 0, 2, 0);
    head->addWidget(m_search);
    head->addWidget(m_found, 1);
    head->addWidget(m_out);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_chart, 1);
    setFocusProxy(m_chart);
    connect(m_search, &QLineEdit::textChanged, m_chart, &FlameChart::search);
    connect(m_search, &QLineEdit::returnPressed, m_chart, [this] { m_chart->setFocus(); });
    connect(m_out, &QToolButton::clicked, m_chart, [this] { m_chart->zoomTo({}); });
    const auto refresh = [this] {
        m_out->setEnabled(m_chart->zoomed().has_value());
        m_found->setText(m_search->text().isEmpty() ? QString()
                                                    : tr("%1 boxes, %2")
                                                          .arg(toQString(formatCount(m_chart->matches())),
                                                               toQString(formatPercent(m_chart->matchedShare()))));
    };
    connect(m_chart, &FlameChart::searched, this, refresh);
    connect(m_chart, &FlameChart::zoomChanged, this, refresh);
    refresh();
}

QString FlameView::found() const
{
    return m_found->text();
}

} // namespace ks
