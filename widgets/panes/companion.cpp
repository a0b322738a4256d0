// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/companion.h"

#include <QLabel>
#include <QVBoxLayout>

namespace ks {

void Companion::showRow(std::optional<std::uint32_t> row)
{
    Q_UNUSED(row)
}

void Companion::addRowActions(QMenu &menu)
{
    Q_UNUSED(menu)
}

HeadedCompanion::HeadedCompanion(QWidget *parent)
    : Companion(parent)
    , m_words(new QLabel(this))
{
    m_words->setTextFormat(Qt::PlainText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_words->setMargin(3);
    auto *own = new QVBoxLayout(this);
    own->setContentsMargins({});
    own->setSpacing(0);
    own->addWidget(m_words);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

QString HeadedCompanion::words() const
{
    return m_words->text();
}

void HeadedCompanion::setWords(const QString &words)
{
    m_words->setText(words);
    m_words->setToolTip(words);
}

} // namespace ks
