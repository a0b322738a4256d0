// SPDX-License-Identifier: GPL-3.0-or-later
// Raw events and the order of their lanes -> the final columns and rows.
#pragma once

#include "core/index/lane_order.h"
#include "core/index/raw_events.h"
#include "core/trace/event_table.h"
#include "core/trace/lane.h"

#include <functional>
#include <span>
#include <vector>

namespace ks {

struct EventColumns
{
    EventTable events;
    std::vector<Row> rows;
    LargeArray<EventId> idOfFileIndex;      // the inverse of events.fileIndex
    SparseColumn<EventId> operatorOfLaunch; // innermost operator that encloses the whole call
    std::uint64_t overlaps = 0;
    std::uint64_t firstOverlap = ~std::uint64_t{0};
    std::vector<LaneOrder::Island> islands; // of all lanes, file time
};

// `lanes` get their rows and id ranges; `track` of an event is its lane, times are made relative to `origin`. Lanes and stretches of
// them are worked on in parallel. Memory beyond the columns: 32 bytes per event for the events by lane, given back in step with
// `events`, and 13 for their order.
EventColumns buildColumns(RawEvents events, std::vector<Lane> &lanes, std::span<const EventKind> kindOfCategory,
                          std::int64_t origin, unsigned workers, const std::function<void()> &throwIfStopped);

} // namespace ks
