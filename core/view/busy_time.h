// SPDX-License-Identifier: GPL-3.0-or-later
// When a stream or a device is busy: the union of its device work as merged intervals with prefix sums, so that the
// busy time of any range is two binary searches.
#pragma once

#include "core/trace/trace.h"

#include <optional>
#include <span>
#include <vector>

namespace ks {

class BusyTime
{
public:
    BusyTime() = default;
    explicit BusyTime(std::vector<TimeRange> ranges); // any order, may overlap; O(n log n)

    bool isEmpty() const { return m_ranges.empty(); }
    std::span<const TimeRange> ranges() const { return m_ranges; } // disjoint, ascending
    TimeNs within(TimeRange range) const;                          // exact ns; O(log n)
    // The gap between two busy stretches that holds t; none while busy, before the first and behind the last.
    std::optional<TimeRange> gapAt(TimeNs t) const;

private:
    TimeNs before(TimeNs t) const;

    std::vector<TimeRange> m_ranges;
    std::vector<TimeNs> m_sums; // busy time before m_ranges[i]
};

// Device work (kernels, copies, sets) of a lane. O(events of the lane).
BusyTime deviceBusyTime(const Trace &trace, const Lane &lane);
BusyTime united(std::span<const BusyTime *const> parts);

} // namespace ks
