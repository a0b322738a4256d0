// SPDX-License-Identifier: GPL-3.0-or-later
// How durations spread, in bins of equal ratio: a mean hides two humps, and a linear axis hides all but the longest.
#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ks {

struct DurationHistogram
{
    // Bin i counts durations in [edges[i], edges[i + 1]). Edges are whole nanoseconds, powers of 10^(1/n); the first is
    // 0 if there are durations of 0. One more than counts; both empty without durations.
    std::vector<TimeNs> edges;
    std::vector<std::uint64_t> counts;

    std::size_t binOf(TimeNs duration) const; // of one that was counted
    // Others in the same bins; what lies outside counts at that end.
    DurationHistogram counted(std::span<const TimeNs> durations) const;
};

// As many bins as are told apart, at most `mostBins` (at least 1) unless the durations span more powers of ten. Negative
// ones count as 0. O(n log bins).
DurationHistogram durationHistogram(std::span<const TimeNs> durations, std::size_t mostBins);

} // namespace ks
