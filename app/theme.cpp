// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/theme.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

namespace ks {
namespace {

struct Tones
{
    QRgb window, base, alternate, text, button, highlight, highlightedText, link, disabled, toolTip;
};

constexpr Tones kLight{0xfff6f7f9, 0xffffffff, 0xfff4f6f9, 0xff202124, 0xfff6f7f9, 0xffcfe1fb, 0xff202124, 0xff1a73e8, 0xff8a9099, 0xffffffff};
constexpr Tones kDark{0xff27282c, 0xff202124, 0xff25262a, 0xffe3e5e8, 0xff303136, 0xff2c4a70, 0xffffffff, 0xff4c9aff, 0xff80868b, 0xff303136};

QPalette paletteOf(const Tones &tones)
{
    QPalette palette(QColor(tones.button), QColor(tones.window));
    palette.setColor(QPalette::Window, QColor(tones.window));
    palette.setColor(QPalette::WindowText, QColor(tones.text));
    palette.setColor(QPalette::Base, QColor(tones.base));
    palette.setColor(QPalette::AlternateBase, QColor(tones.alternate));
    palette.setColor(QPalette::Text, QColor(tones.text));
    palette.setColor(QPalette::Button, QColor(tones.button));
    palette.setColor(QPalette::ButtonText, QColor(tones.text));
    palette.setColor(QPalette::BrightText, QColor(tones.highlightedText));
    palette.setColor(QPalette::Highlight, QColor(tones.highlight));
    palette.setColor(QPalette::HighlightedText, QColor(tones.highlightedText));
    palette.setColor(QPalette::Link, QColor(tones.link));
    palette.setColor(QPalette::LinkVisited, QColor(tones.link));
    palette.setColor(QPalette::ToolTipBase, QColor(tones.toolTip));
    palette.setColor(QPalette::ToolTipText, QColor(tones.text));
    palette.setColor(QPalette::PlaceholderText, QColor(tones.disabled));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(tones.disabled));
    return palette;
}

} // namespace

void applyTheme(Settings::Theme theme)
{
    // The style the desktop chose, to come back to.
    static const QString systemStyle = QApplication::style()->name();
    if (theme == Settings::Theme::System) {
        if (QApplication::style()->name() != systemStyle)
            QApplication::setStyle(systemStyle);
        // Fusion without a desktop's palette is a plain grey: there ours is the better light.
        QApplication::setPalette(QPalette());
        if (!isDark(QApplication::palette()) && systemStyle == QLatin1String("fusion"))
            QApplication::setPalette(paletteOf(kLight));
        return;
    }
    // Only Fusion follows a palette everywhere.
    if (QApplication::style()->name() != QLatin1String("fusion"))
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("fusion")));
    QApplication::setPalette(paletteOf(theme == Settings::Theme::Dark ? kDark : kLight));
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

} // namespace ks
