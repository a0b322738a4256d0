// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a lane with all groups together, as `dump` and `info` tell them: how many events are open at once, and on which row each
// stands. (The time line has rows of its own, Trace::rows().)
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace ks {

struct OpenRows
{
    // By EventId: the lowest row that is free when the event starts, and at least one below its parent's.
    std::vector<std::uint32_t> rowOfEvent;
    // By LaneId: most events open at once, each on [begin, end); 1 if all of them are empty.
    std::vector<std::uint32_t> rowsOfLane;
};

// A child that ends 1 ns after its parent ends with it. O(n log n); 4 bytes an event.
OpenRows openRows(const Trace &trace);

} // namespace ks
