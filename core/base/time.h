// SPDX-License-Identifier: GPL-3.0-or-later
// Time: signed 64-bit nanoseconds everywhere, never floating point.
// Two origins exist and are kept apart by type: TimeNs counts from the first event of its trace, FileTimeNs is the
// number the file itself holds (its `ts` text x 1000). Trace::fileTime() and Trace::traceTime() are the only bridge.
// Arithmetic saturates, so damaged numbers cannot wrap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ks {

using TimeNs = std::int64_t;
enum class FileTimeNs : std::int64_t {};

inline constexpr TimeNs kMinTime = std::numeric_limits<TimeNs>::min();
inline constexpr TimeNs kMaxTime = std::numeric_limits<TimeNs>::max();

constexpr TimeNs saturatingAdd(TimeNs a, TimeNs b)
{
    TimeNs sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        return b > 0 ? kMaxTime : kMinTime;
    return sum;
}

constexpr TimeNs saturatingSubtract(TimeNs a, TimeNs b)
{
    TimeNs difference = 0;
    if (__builtin_sub_overflow(a, b, &difference))
        return b < 0 ? kMaxTime : kMinTime;
    return difference;
}

// Half-open [begin, end).
struct TimeRange
{
    TimeNs begin = 0;
    TimeNs end = 0;

    constexpr TimeNs duration() const { return saturatingSubtract(end, begin); }
    constexpr bool isEmpty() const { return end <= begin; }
    constexpr bool contains(TimeNs t) const { return t >= begin && t < end; }
    constexpr bool contains(TimeRange other) const { return other.begin >= begin && other.end <= end; }
    constexpr bool intersects(TimeRange other) const { return begin < other.end && other.begin < end; }
    constexpr TimeRange clampedTo(TimeRange bounds) const
    {
        const TimeNs b = std::clamp(begin, bounds.begin, bounds.end);
        return {b, std::clamp(end, b, bounds.end)};
    }
    constexpr TimeRange united(TimeRange other) const
    {
        return {std::min(begin, other.begin), std::max(end, other.end)};
    }
    friend constexpr bool operator==(TimeRange, TimeRange) = default;
};

} // namespace ks
