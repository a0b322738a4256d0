// SPDX-License-Identifier: GPL-3.0-or-later
// The arrows of one event as curves in pixels: launch -> device work, forward -> backward, arrows of the file. An end
// stands on the event's box, on the strip or heading that holds it, or, out of view, on the edge as a marker that can
// be clicked. Cost: O(links of the event * log n), at most kMaxFlows curves.
#pragma once

#include "core/view/hit_test.h"

#include <cstddef>
#include <vector>

namespace ks {

inline constexpr std::size_t kMaxFlows = 150;

enum class FlowKind : std::uint8_t { Launch, Mate, Arrow };

struct FlowLink
{
    EventId from = kNoEvent;
    EventId to = kNoEvent;
    FlowKind kind = FlowKind::Launch;
    friend bool operator==(const FlowLink &, const FlowLink &) = default;
};

// All links of an event, those of an operator including the work launched while it ran. At most `limit`, the nearest in
// time; `total` tells how many there are, a launch that was left out counting as one.
std::vector<FlowLink> flowLinksOf(const Trace &trace, EventId event, std::size_t limit, std::size_t *total = nullptr);

struct FlowPoint
{
    double x = 0, y = 0; // y from the top of the lanes
    EventId event = kNoEvent;
    bool atEdge = false; // the event is out of view
};

struct FlowCurve
{
    FlowKind kind = FlowKind::Launch;
    FlowPoint from, to;
    double control0 = 0, control1 = 0; // x of the Bezier control points; their y are those of the ends
};

struct FlowView
{
    int top = 0, bottom = 0; // y range in view
    int pinned = 0;          // and what lies above this y
};

std::vector<FlowCurve> layoutFlows(const Trace &trace, const Viewport &viewport, const LaneLayout &layout,
                                   FlowView view, const std::vector<FlowLink> &links);

// The event at the edge marker within `tolerance` of (x, y), or none.
EventId edgeMarkerAt(const std::vector<FlowCurve> &flows, double x, double y, double tolerance = 7);

} // namespace ks
