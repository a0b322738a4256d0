// SPDX-License-Identifier: GPL-3.0-or-later
// How much device work is there: counted, summed, and as the union of its times (overlaps counted once).
#pragma once

#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <span>

namespace ks {

struct WorkSummary
{
    std::size_t events = 0; // all events, of any kind
    std::size_t work = 0;   // pieces of device work among them
    TimeNs sum = 0;         // of their durations
    TimeNs busy = 0;        // union of their times, over all devices together
};

// Of these events. O(n log n).
WorkSummary summariseWork(const Trace &trace, std::span<const EventId> events);

// Of what overlaps the range on these lanes (none = all), only the part inside. Cost: binary searches per row, then the events
// inside. Throws Cancelled.
WorkSummary summariseArea(const Trace &trace, TimeRange range, std::span<const LaneId> lanes,
                          const Progress &progress = {});

} // namespace ks
