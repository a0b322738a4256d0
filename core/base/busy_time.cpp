// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/busy_time.h"

#include <algorithm>

namespace ks {

BusyTime::BusyTime(std::vector<TimeRange> ranges)
    : BusyTime(of(merged(std::move(ranges))))
{}

BusyTime BusyTime::of(Intervals ranges)
{
    BusyTime result;
    if (ranges.empty())
        return result;
    auto data = std::make_shared<Data>();
    ranges.shrink_to_fit();
    data->ranges = std::move(ranges);
    data->sums.reserve(data->ranges.size());
    TimeNs sum = 0;
    for (const TimeRange range : data->ranges) {
        data->sums.push_back(sum);
        sum = saturatingAdd(sum, range.duration());
    }
    result.m_data = std::move(data);
    return result;
}

BusyTime BusyTime::united(const BusyTime &a, const BusyTime &b)
{
    if (a.isEmpty() || b.isEmpty())
        return a.isEmpty() ? b : a;
    return of(unionOf(a.ranges(), b.ranges()));
}

std::span<const TimeRange> BusyTime::ranges() const
{
    return m_data ? std::span<const TimeRange>(m_data->ranges) : std::span<const TimeRange>();
}

TimeNs BusyTime::total() const
{
    return m_data ? saturatingAdd(m_data->sums.back(), m_data->ranges.back().duration()) : 0;
}

TimeNs BusyTime::before(TimeNs t) const
{
    const auto &[ranges, sums] = *m_data;
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), t,
                                        [](TimeNs wanted, TimeRange range) { return wanted < range.begin; });
    if (after == ranges.begin())
        return 0;
    const auto i = static_cast<std::size_t>(after - ranges.begin() - 1);
    return saturatingAdd(sums[i], saturatingSubtract(std::min(t, ranges[i].end), ranges[i].begin));
}

TimeNs BusyTime::within(TimeRange range) const
{
    return range.isEmpty() || !m_data ? 0 : before(range.end) - before(range.begin);
}

std::optional<TimeRange> BusyTime::gapAt(TimeNs t) const
{
    const std::span<const TimeRange> all = ranges();
    const auto after = std::upper_bound(all.begin(), all.end(), t,
                                        [](TimeNs wanted, TimeRange range) { return wanted < range.begin; });
    if (after == all.begin() || after == all.end() || t < std::prev(after)->end)
        return {};
    return TimeRange{std::prev(after)->end, after->begin};
}

std::optional<TimeRange> BusyTime::hull(TimeRange within) const
{
    if (within.isEmpty() || !m_data)
        return {};
    const Intervals &all = m_data->ranges;
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](TimeRange range) { return range.end <= within.begin; });
    const auto last = std::partition_point(first, all.end(), [&](TimeRange range) { return range.begin < within.end; });
    if (first == last)
        return {};
    return TimeRange{first->begin, std::prev(last)->end}.clampedTo(within);
}

} // namespace ks
