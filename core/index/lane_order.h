// SPDX-License-Identifier: GPL-3.0-or-later
// The events of one lane: their order, who encloses whom, and which row each stands on.
#pragma once

#include "core/base/large_memory.h"
#include "core/base/time.h"
#include "core/index/lane_event.h"
#include "core/trace/lane.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace ks {

struct LaneOrder
{
    static constexpr std::uint32_t kNone = 0xffffffffU;

    // By begin, then longest first, then file order; positions below are positions in this.
    LargeArray<std::uint32_t> events; // positions in the input
    // Innermost event that starts not later and ends not earlier, with 1 ns of grace at the end (times are rounded); of equal intervals
    // the first in the file encloses the others. Crossing events enclose nothing.
    LargeArray<std::uint32_t> parent;
    // Row within its group: below the innermost enclosing event of the group, first free row.
    LargeArray<std::uint32_t> depth;
    // Of launches that stand in something else than an operator: the innermost operator that encloses the whole call. (launch, operator),
    // by launch.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> operatorOfLaunch;
    using RowCounts = std::array<std::vector<std::uint32_t>, kRowGroups>; // by group and row
    RowCounts eventsOfRow;                                                // how many stand on each

    // Where a long lane may be cut into pieces that are treated in parallel. Ascending; none behind a place with more than a few thousand rows.
    struct Cut
    {
        std::size_t position = 0;
        RowCounts before; // how many events before it stand on each row
    };
    std::vector<Cut> cuts;

    // Oddities: events that cross others, device work that overlaps other device work.
    std::uint64_t overlaps = 0;
    std::uint32_t firstOverlap = kNone; // position in the input of the first such event in the file
    // Stretches of time in which something is open, gaps of up to a minute bridged; for finding outliers.
    struct Island
    {
        TimeNs begin = 0;
        TimeNs end = 0;
        std::uint64_t events = 0;
    };
    std::vector<Island> islands;
};

// `events`: those of the lane, in file order. Cost: n log n at worst, linear for what real files hold: a few runs that are in order but for
// neighbours (about 30 ns per event).
LaneOrder orderLane(const LaneEvents &events, const std::function<void()> &throwIfStopped);

} // namespace ks
