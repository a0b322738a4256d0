// SPDX-License-Identifier: GPL-3.0-or-later
// What is under a point. Answers from the draw list, so that what is hit is what is seen.
// Cost: O(log n) of the draw list; runFacts about 3 us per 10,000 events.
#pragma once

#include "core/view/draw_list.h"

#include <optional>

namespace ks {

struct Hit
{
    enum class Kind : std::uint8_t {
        Nothing,
        Heading, // of a group
        Lane,    // an empty place of a lane
        Curves,
        Event,   // first
        Run,     // [first, end): neighbours too narrow to be told apart
        Instant, // position in Trace::instants()
    };
    Kind kind = Kind::Nothing;
    std::size_t block = LaneLayout::kNone; // position in LaneLayout::blocks()
    RowId row = kNoRow;
    EventId first = kNoEvent, end = kNoEvent;
    std::uint32_t instant = 0;

    friend bool operator==(const Hit &, const Hit &) = default;
};

// y from the top of the lanes. Thin events are hit within `tolerance` logical pixels.
Hit hitTest(const Trace &trace, const DrawList &list, const LaneLayout &layout, double x, int y, double tolerance = 2);

// The edge of a box in the row at y that is nearest to x, for snapping. None if there is none within `tolerance`.
std::optional<TimeNs> edgeNear(const Trace &trace, const DrawList &list, double x, int y, double tolerance = 6);

struct RunFacts
{
    std::size_t count = 0;
    EventId longest = kNoEvent; // the first of several
    TimeNs busy = 0;            // union, the events of a row being disjoint
    TimeRange range;            // from the first begin to the last end
};
RunFacts runFacts(const Trace &trace, const DurationBlocks &durations, EventId first, EventId end);

// Where an event is drawn: its box, the cell that holds it, or the strip or heading of its folded lane. x may lie
// outside the view.
struct EventPlace
{
    double x0 = 0, x1 = 0; // at least one logical pixel apart
    int y = 0, height = 0;
    RowPlace::Shown shown = RowPlace::Shown::No;
};
EventPlace placeOf(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, EventId event);

} // namespace ks
