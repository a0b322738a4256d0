// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the bands of memory and counters, and their peak in view.
#pragma once

#include "widgets/render/timeline_painter.h"

namespace ks {

// The painter's (0, 0) is the top left corner of the lanes, in logical pixels.
void paintCurves(QPainter &painter, const LanesPicture &picture);

} // namespace ks
