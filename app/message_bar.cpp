// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/message_bar.h"

#include "app/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

namespace ks {

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_ways(new QHBoxLayout)
{
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    setAutoFillBackground(true);
    setFocusPolicy(Qt::ClickFocus);
    m_text->setObjectName(QStringLiteral("messageBar.text"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto *closer = new QToolButton(this);
    closer->setText(QStringLiteral("✕"));
    closer->setAutoRaise(true);
    closer->setToolTip(tr("Close the message (Esc)"));
    closer->setAccessibleName(tr("Close the message"));
    connect(closer, &QToolButton::clicked, this, &MessageBar::dismiss);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 5, 6, 5);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addLayout(m_ways);
    layout->addWidget(closer);
    hide();
}

void MessageBar::tell(Kind kind, const QString &text, std::vector<Way> ways)
{
    m_kind = kind;
    m_text->setText(text);
    while (QLayoutItem *item = m_ways->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (Way &way : ways) {
        auto *button = new QPushButton(way.text, this);
        connect(button, &QPushButton::clicked, this, [this, go = std::move(way.go)] {
            dismiss();
            go();
        });
        m_ways->addWidget(button);
    }
    paintKind();
    show();
}

void MessageBar::dismiss()
{
    hide();
}

QString MessageBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

MessageBar::Way MessageBar::copy(const QString &text)
{
    return {tr("Copy"), [text] { QApplication::clipboard()->setText(text); }};
}

void MessageBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

void MessageBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange)
        paintKind();
}

void MessageBar::paintKind()
{
    const bool dark = isDark(QApplication::palette());
    const bool isError = m_kind == Kind::Error;
    m_icon->setPixmap(style()->standardIcon(isError ? QStyle::SP_MessageBoxWarning : QStyle::SP_MessageBoxInformation).pixmap(16, 16));
    QPalette palette = QApplication::palette();
    if (isError)
        palette.setColor(QPalette::Window, dark ? QColor(0x4a3320) : QColor(0xfdecd8));
    else
        palette.setColor(QPalette::Window, dark ? QColor(0x22364f) : QColor(0xe3eefc));
    setPalette(palette);
}

} // namespace ks
