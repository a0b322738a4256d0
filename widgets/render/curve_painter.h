// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the bands of memory and counters: the first curve of a lane as an area, with what lies between the least and the greatest value of a
// column in a stronger tone, the others as dots. Into pixels or as shapes, as the lanes are (timeline_painter.h).
#pragma once

#include "widgets/render/pixels.h"
#include "widgets/render/timeline_painter.h"

namespace ks {

void paintCurves(const Pixels &pixels, double dpr, const LanesPicture &picture);
// The painter's (0, 0) is the top left corner of the lanes, in logical pixels.
void paintCurves(QPainter &painter, const LanesPicture &picture);
// What is said about them: the peak in view, where memory ran out.
void paintCurveMarks(QPainter &painter, const LanesPicture &picture);

} // namespace ks
