// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter_line.h"

#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <QKeyEvent>

namespace ks {
namespace {

constexpr int kTypingMs = 200;

} // namespace

FilterLine::FilterLine(ViewState &state, const FilterJob &job, QWidget *parent)
    : QLineEdit(parent)
    , m_state(state)
    , m_job(job)
{
    setObjectName(QStringLiteral("filter"));
    setPlaceholderText(tr("Filter  name:gemm dur>100us stream:7  (Ctrl+L)"));
    setClearButtonEnabled(true);
    setAccessibleName(tr("Filter"));
    setMinimumWidth(84);
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(&m_typing, &QTimer::timeout, this, &FilterLine::applyNow);
    connect(this, &QLineEdit::textEdited, &m_typing, qOverload<>(&QTimer::start));
    connect(this, &QLineEdit::textChanged, this, [this](const QString &text) {
        if (text.isEmpty()) // the clear button is no edit
            applyNow();
    });
    connect(&state, &ViewState::filterChanged, this, [this] {
        if (text() != m_state.filter())
            setText(m_state.filter());
    });
    connect(&job, &FilterJob::changed, this, &FilterLine::showJob);
    showJob();
}

void FilterLine::start()
{
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
}

void FilterLine::applyNow()
{
    m_typing.stop();
    m_state.setFilter(text());
}

void FilterLine::showJob()
{
    QString tip =
        tr("Dims what does not match: part of a name, /regex/, field:value, dur>100us; and, or, not (Ctrl+L)");
    if (!m_job.error().isEmpty())
        tip = m_job.error();
    else if (!m_state.filter().trimmed().isEmpty() && !m_job.isRunning())
        tip = tr("%1 events match").arg(toQString(formatCount(m_job.matching())));
    setToolTip(tip);
    setAccessibleDescription(tip);
    QPalette colours;
    if (!m_job.error().isEmpty())
        colours.setColor(QPalette::Text, QColor(0xd9, 0x44, 0x44));
    setPalette(colours);
}

void FilterLine::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        clear();
        applyNow();
        emit left();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        applyNow();
        emit left();
        return;
    default: QLineEdit::keyPressEvent(event);
    }
}

} // namespace ks
