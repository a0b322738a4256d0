// SPDX-License-Identifier: GPL-3.0-or-later
// When something is busy: the union of stretches of time with prefix sums, so that the busy time of any range is two
// binary searches. Copies share what they hold.
#pragma once

#include "core/base/intervals.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ks {

class BusyTime
{
public:
    BusyTime() = default;
    explicit BusyTime(std::vector<TimeRange> ranges); // any order, may overlap; O(n log n), linear if sorted
    static BusyTime united(const BusyTime &a, const BusyTime &b);

    bool isEmpty() const { return !m_data; }
    std::span<const TimeRange> ranges() const; // disjoint, ascending
    TimeNs total() const;
    TimeNs within(TimeRange range) const; // exact ns; O(log n)
    // The gap between two busy stretches that holds t; none while busy, before the first and behind the last.
    std::optional<TimeRange> gapAt(TimeNs t) const;
    // From the first busy moment to the last one, of the range; none if it is never busy there. O(log n)
    std::optional<TimeRange> hull(TimeRange within) const;

private:
    struct Data
    {
        Intervals ranges;
        std::vector<TimeNs> sums; // busy time before ranges[i]
    };
    static BusyTime of(Intervals ranges);
    TimeNs before(TimeNs t) const;

    std::shared_ptr<const Data> m_data; // null: never busy
};

} // namespace ks
