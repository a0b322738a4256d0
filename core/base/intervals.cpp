// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/intervals.h"

#include <algorithm>

namespace ks {

Intervals merged(std::vector<TimeRange> ranges)
{
    std::erase_if(ranges, [](TimeRange range) { return range.isEmpty(); });
    const auto byBegin = [](TimeRange a, TimeRange b) { return a.begin < b.begin; };
    if (!std::is_sorted(ranges.begin(), ranges.end(), byBegin))
        std::sort(ranges.begin(), ranges.end(), byBegin);
    std::size_t count = 0;
    for (const TimeRange range : ranges) {
        if (count != 0 && range.begin <= ranges[count - 1].end)
            ranges[count - 1].end = std::max(ranges[count - 1].end, range.end);
        else
            ranges[count++] = range;
    }
    ranges.resize(count);
    return ranges;
}

TimeNs lengthOf(std::span<const TimeRange> intervals)
{
    TimeNs length = 0;
    for (const TimeRange range : intervals)
        length = saturatingAdd(length, range.duration());
    return length;
}

Intervals intersection(std::span<const TimeRange> a, std::span<const TimeRange> b)
{
    Intervals common;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const TimeRange both{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
        if (!both.isEmpty())
            common.push_back(both);
        if (a[i].end < b[j].end)
            ++i;
        else
            ++j;
    }
    return common;
}

Intervals difference(std::span<const TimeRange> a, std::span<const TimeRange> b)
{
    Intervals rest;
    std::size_t j = 0;
    for (TimeRange range : a) {
        while (j < b.size() && b[j].end <= range.begin)
            ++j;
        for (std::size_t k = j; k < b.size() && b[k].begin < range.end; ++k) {
            if (b[k].begin > range.begin)
                rest.push_back({range.begin, b[k].begin});
            range.begin = std::max(range.begin, b[k].end);
        }
        if (!range.isEmpty())
            rest.push_back(range);
    }
    return rest;
}

Intervals unionOf(std::span<const TimeRange> a, std::span<const TimeRange> b)
{
    std::vector<TimeRange> both;
    both.reserve(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both),
               [](TimeRange x, TimeRange y) { return x.begin < y.begin; });
    return merged(std::move(both));
}

} // namespace ks
