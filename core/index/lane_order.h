// SPDX-License-Identifier: GPL-3.0-or-later
// The events of one lane: their order, who encloses whom, and which row each stands on.
#pragma once

#include "core/index/raw_event.h"
#include "core/trace/event_kind.h"
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
    std::vector<std::uint32_t> events; // positions in the input
    // Innermost event that starts not later and ends not earlier, with 1 ns of grace at the end (times are rounded); of equal intervals
    // the first in the file encloses the others. Crossing events enclose nothing.
    std::vector<std::uint32_t> parent;
    std::vector<std::uint32_t>
        depth; // row within its group: below the innermost enclosing event of the group, first free row
    std::vector<RowGroup> group;
    // Of launches: the innermost operator that encloses the whole call. (launch, operator), by launch.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> operatorOfLaunch;
    std::array<std::uint32_t, kRowGroups> depths{}; // rows of each group

    // Oddities: events that cross others, device work that overlaps other device work.
    std::uint64_t overlaps = 0;
    std::uint64_t firstOverlap = ~std::uint64_t{0}; // byte of the first such record in the file
    // Stretches of time in which something is open, gaps of up to a minute bridged; for finding outliers.
    struct Island
    {
        TimeNs begin = 0;
        TimeNs end = 0;
        std::uint64_t events = 0;
    };
    std::vector<Island> islands;
};

// `events`: those of the lane, in file order. Cost: n log n at worst, linear for the runs real files hold (about 20 ns per event and
// run merged).
LaneOrder orderLane(std::span<const RawEvent> events, std::span<const EventKind> kindOfCategory,
                    const std::function<void()> &throwIfStopped);

} // namespace ks
