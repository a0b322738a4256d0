// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QGuiApplication>
#include <QPalette>

namespace ks {

// The ground of the row whose event is under the mouse elsewhere: fainter than the selected one.
inline QColor hoveredColour()
{
    QColor colour = QGuiApplication::palette().color(QPalette::Highlight);
    colour.setAlphaF(0.6F);
    return colour;
}

} // namespace ks
