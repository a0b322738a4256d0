// SPDX-License-Identifier: GPL-3.0-or-later
// Replays a DrawList. Two ways with one look: into the pixels of a QImage (rows are composed as one line and copied
// down their height: 60 full rows of 1,920 px in about 1 ms), and through a QPainter for vector output.
#pragma once

#include "core/analysis/collective_names.h"
#include "core/view/draw_list.h"
#include "widgets/render/label_cache.h"

#include <QImage>
#include <QRectF>

class QPainter;

namespace ks {

struct LanesPicture
{
    const Trace &trace;
    const DrawList &list;
    const LaneLayout &layout;
    const Theme &theme;
    double width = 0; // logical pixels
    int height = 0;
    int scrollY = 0;                     // y of the layout at the top of the picture
    const EventLabels *labels = nullptr; // of events that say something else than their name

    NameId labelOf(EventId event) const
    {
        if (labels) {
            const auto label = labels->find(event);
            if (label != labels->end() && label->second != kNoName)
                return label->second;
        }
        return trace.nameId(event);
    }
};

inline constexpr double kLeastLabelWidth = 30; // logical pixels: narrower boxes get no label

QFont timelineFont(); // of labels on boxes; headers use it too

// `target`: 32 bits per pixel, lanes at device pixel `origin`; its devicePixelRatio must be 1.
void paintLanes(QImage &target, QPoint origin, double dpr, const LanesPicture &picture, LabelCache &labels);
// The same as shapes and text; the painter's (0, 0) is the top left corner of the lanes.
void paintLanes(QPainter &painter, const LanesPicture &picture);

} // namespace ks
