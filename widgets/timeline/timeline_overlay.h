// SPDX-License-Identifier: GPL-3.0-or-later
// What follows the mouse and the selection, painted over the content each time: hover, selection, events of the same
// name, marked events, what Find found, flows, the selected area, markers, notes, values of curves under the mouse. Cost: O(boxes in view), below 1 ms.
#pragma once

#include "core/view/flow_layout.h"
#include "widgets/state/view_state.h"
#include "widgets/timeline/content_layer.h"
#include "widgets/timeline/finder.h"

#include <QPoint>

#include <optional>
#include <vector>

class QPainter;

namespace ks {

// Flows of one track.
struct TrackFlows
{
    std::size_t track = 0;
    std::vector<FlowCurve> curves; // y from the top of the track's lanes
};

struct OverlayPicture
{
    const TrackList &tracks;
    const ContentLayer &content;
    const ViewState &state;
    const Viewport &view;
    const Theme &theme;
    QSize size;
    Scroll scroll;
    const TrackFlows &flows; // of the selected event
    const TrackFlows &hoverFlows;
    const std::vector<TrackFlows> &flowsInView;
    const Found &found;          // by Find
    std::optional<Area> dragged; // while the mouse draws it
    std::optional<double> cursorX;
};

void paintOverlay(QPainter &painter, const OverlayPicture &picture);

// Where an event is drawn, in coordinates of the picture; at least 3 x 3. Null if it is not shown at all.
QRectF rectOf(const TrackList &tracks, const Viewport &view, Scroll scroll, EventRef event);

} // namespace ks
