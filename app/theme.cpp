// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleOption>

namespace ks {
namespace {

struct Tones
{
    QRgb window, base, alternate, text, button, highlight, highlightedText, link, disabled, toolTip;
};

constexpr Tones kLight{0xfff6f7f9, 0xffffffff, 0xfff4f6f9, 0xff202124, 0xfff6f7f9,
                       0xffcfe1fb, 0xff202124, 0xff1a73e8, 0xff8a9099, 0xffffffff};
constexpr Tones kDark{0xff27282c, 0xff202124, 0xff25262a, 0xffe3e5e8, 0xff303136,
                      0xff2c4a70, 0xffffffff, 0xff4c9aff, 0xff80868b, 0xff303136};

// Fusion draws the borders of fields and boxes darker than the window: in a dark one nobody sees them.
class OutlinedFusion : public QProxyStyle
{
public:
    OutlinedFusion()
        : QProxyStyle(QStringLiteral("fusion"))
    {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (!isDark(option->palette) || (element != PE_FrameLineEdit && element != PE_IndicatorCheckBox))
            return;
        constexpr float kOpacity = 0.4F;
        constexpr double kRadius = 2;
        QColor colour = option->palette.color(QPalette::Text);
        colour.setAlphaF(kOpacity);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(colour);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
        painter->restore();
    }
};

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
    const bool isFusion = theme != Settings::Theme::System // only Fusion follows a palette everywhere
                          || systemStyle == QLatin1String("fusion");
    if (isFusion && !dynamic_cast<OutlinedFusion *>(QApplication::style()))
        QApplication::setStyle(new OutlinedFusion);
    else if (!isFusion && QApplication::style()->name() != systemStyle)
        QApplication::setStyle(systemStyle);
    if (theme == Settings::Theme::System) {
        // Fusion without a desktop's palette is a plain grey: there ours is the better light.
        QApplication::setPalette(QPalette());
        if (isFusion && !isDark(QApplication::palette()))
            QApplication::setPalette(paletteOf(kLight));
        return;
    }
    QApplication::setPalette(paletteOf(theme == Settings::Theme::Dark ? kDark : kLight));
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

} // namespace ks
