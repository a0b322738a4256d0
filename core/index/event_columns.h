// SPDX-License-Identifier: GPL-3.0-or-later
// Raw events and the order of their lanes -> the final columns and rows.
#pragma once

#include "core/index/flow_arrows.h"
#include "core/index/lane_order.h"
#include "core/index/raw_events.h"
#include "core/trace/event_table.h"
#include "core/trace/lane.h"

#include <functional>
#include <vector>

namespace ks {

// Where the events of a file stand.
struct LanesOfEvents
{
    struct Place
    {
        LaneId lane{};
        EventKind kind{};
        CategoryId category{};
    };

    std::vector<EventKind> kindOfCategory;
    std::vector<TrackLanes> tracks;
    std::vector<Place> places;                             // as RawEvents numbers them
    std::vector<std::vector<std::size_t>> eventsOfStretch; // by lane, for each of RawEvents::stretches()
};

struct EventColumns
{
    EventTable events;
    std::vector<Row> rows;
    LargeArray<EventId> idOfFileIndex; // the inverse of events.fileIndex
    // Of launches whose parent is no operator: the innermost operator that encloses the whole call.
    SparseColumn<EventId> operatorOfLaunch;
    std::uint64_t overlaps = 0;
    std::uint64_t firstOverlap = ~std::uint64_t{0};
    std::vector<LaneOrder::Island> islands; // of all lanes, file time
};

// `lanes` get their rows and id ranges; times are made relative to `origin`. Lanes and parts of the file are worked on in parallel. Memory
// beyond the columns: 20 bytes per event while lanes are put in order, and 12 (16 where they have to be sorted) for the order of each lane
// that is worked on; then the raw events, given back while the columns are filled.
EventColumns buildColumns(RawEvents events, std::vector<Lane> &lanes, const LanesOfEvents &lanesOf, std::int64_t origin,
                          unsigned workers, const std::function<void()> &throwIfStopped);

} // namespace ks
