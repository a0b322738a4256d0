// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels behind a painter that has just begun on a widget: so that a picture of the whole widget can be composed where
// it is shown, instead of somewhere else to be copied (a third of a frame of the timeline).
#pragma once

#include <QImage>
#include <QPoint>

class QPainter;

namespace ks {

struct PaintTarget
{
    QImage *image = nullptr; // 32 bits per pixel; null: not to be had, draw with the painter
    QPoint origin;           // of the widget, device pixels
};

// `size` and `dpr`: of the widget. What is composed ignores the painter's clip: only for a widget that is painted as a
// whole. Valid until anything else is painted; a second painter needs the first to have ended.
PaintTarget paintTargetOf(const QPainter &painter, QSize size, double dpr);

} // namespace ks
