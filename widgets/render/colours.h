// SPDX-License-Identifier: GPL-3.0-or-later
// From the palette of core to QtGui.
#pragma once

#include "core/view/palette.h"

#include <QColor>
#include <QString>

#include <string_view>

namespace ks {

inline QColor toColour(Rgb c)
{
    return QColor(c.r, c.g, c.b);
}
inline QColor toColour(Rgb c, double opacity)
{
    QColor colour(c.r, c.g, c.b);
    colour.setAlphaF(static_cast<float>(opacity));
    return colour;
}
inline QRgb toQRgb(Rgb c)
{
    return qRgb(c.r, c.g, c.b);
}
inline QString toText(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}
inline const Theme &themeFor(bool dark)
{
    return dark ? darkTheme() : lightTheme();
}

} // namespace ks
