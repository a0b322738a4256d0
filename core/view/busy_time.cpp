// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/busy_time.h"

#include <algorithm>

namespace ks {

BusyTime::BusyTime(std::vector<TimeRange> ranges)
{
    const auto byBegin = [](TimeRange a, TimeRange b) { return a.begin < b.begin; };
    if (!std::is_sorted(ranges.begin(), ranges.end(), byBegin))
        std::sort(ranges.begin(), ranges.end(), byBegin);
    for (const TimeRange range : ranges) {
        if (range.isEmpty())
            continue;
        if (!m_ranges.empty() && range.begin <= m_ranges.back().end)
            m_ranges.back().end = std::max(m_ranges.back().end, range.end);
        else
            m_ranges.push_back(range);
    }
    m_ranges.shrink_to_fit();
    m_sums.reserve(m_ranges.size());
    TimeNs sum = 0;
    for (const TimeRange range : m_ranges) {
        m_sums.push_back(sum);
        sum = saturatingAdd(sum, range.duration());
    }
}

TimeNs BusyTime::before(TimeNs t) const
{
    const auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), t,
                                        [](TimeNs wanted, TimeRange range) { return wanted < range.begin; });
    if (after == m_ranges.begin())
        return 0;
    const auto i = static_cast<std::size_t>(after - m_ranges.begin() - 1);
    return saturatingAdd(m_sums[i], saturatingSubtract(std::min(t, m_ranges[i].end), m_ranges[i].begin));
}

TimeNs BusyTime::within(TimeRange range) const
{
    return range.isEmpty() ? 0 : before(range.end) - before(range.begin);
}

std::optional<TimeRange> BusyTime::gapAt(TimeNs t) const
{
    const auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), t,
                                        [](TimeNs wanted, TimeRange range) { return wanted < range.begin; });
    if (after == m_ranges.begin() || after == m_ranges.end() || t < std::prev(after)->end)
        return {};
    return TimeRange{std::prev(after)->end, after->begin};
}

BusyTime deviceBusyTime(const Trace &trace, const Lane &lane)
{
    std::vector<TimeRange> ranges;
    for (RowId row = lane.firstRow; row < lane.endRow; row = advance(row, 1)) {
        const Row &r = trace.row(row);
        for (EventId id = r.firstEvent; id < r.endEvent; id = advance(id, 1)) {
            if (isDeviceWork(trace.kind(id)))
                ranges.push_back(trace.range(id));
        }
    }
    return BusyTime(std::move(ranges));
}

BusyTime united(std::span<const BusyTime *const> parts)
{
    std::vector<TimeRange> ranges;
    for (const BusyTime *part : parts)
        ranges.insert(ranges.end(), part->ranges().begin(), part->ranges().end());
    return BusyTime(std::move(ranges));
}

} // namespace ks
