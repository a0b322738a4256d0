// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"

#include <algorithm>

namespace ks {

Trace::Trace(TraceData data)
    : m_data(std::move(data))
{}

TimeNs Trace::longDuration(EventId id) const
{
    return m_data.events.longDurations.value(id, 0);
}

RowId Trace::row(EventId id) const
{
    const auto after = std::upper_bound(m_data.rows.begin(), m_data.rows.end(), id,
                                        [](EventId wanted, const Row &row) { return wanted < row.firstEvent; });
    return static_cast<RowId>(after - m_data.rows.begin() - 1);
}

LaneId Trace::lane(EventId id) const
{
    const auto after = std::upper_bound(m_data.lanes.begin(), m_data.lanes.end(), id,
                                        [](EventId wanted, const Lane &lane) { return wanted < lane.firstEvent; });
    return static_cast<LaneId>(after - m_data.lanes.begin() - 1);
}

bool Trace::isUnfinished(EventId id) const
{
    return std::binary_search(m_data.events.unfinished.begin(), m_data.events.unfinished.end(), id);
}

EventId Trace::eventAtFileIndex(std::uint32_t fileIndex) const
{
    std::call_once(m_inverseOnce, [this] {
        m_inverse.resize(eventCount());
        for (std::size_t i = 0; i < eventCount(); ++i)
            m_inverse[m_data.events.fileIndex[i]] = static_cast<EventId>(i);
    });
    return fileIndex < m_inverse.size() ? m_inverse[fileIndex] : kNoEvent;
}

TimeNs Trace::selfTime(EventId id) const
{
    std::call_once(m_selfOnce, [this] {
        m_self.resize(eventCount());
        for (std::size_t i = 0; i < eventCount(); ++i)
            m_self[i] = duration(static_cast<EventId>(i));
        for (std::size_t i = 0; i < eventCount(); ++i) {
            const auto child = static_cast<EventId>(i);
            const EventId above = parent(child);
            if (above != kNoEvent)
                m_self[index(above)] =
                    saturatingSubtract(m_self[index(above)], range(child).clampedTo(range(above)).duration());
        }
        // Children that cross each other can cover a moment twice; time spent in oneself is never negative.
        for (TimeNs &self : m_self)
            self = std::max<TimeNs>(self, 0);
    });
    return m_self[index(id)];
}

std::span<const Arrow> Trace::arrowsFrom(EventId id) const
{
    const auto &all = m_data.arrows.all;
    const auto first = std::lower_bound(all.begin(), all.end(), id,
                                        [](const Arrow &arrow, EventId wanted) { return arrow.from < wanted; });
    const auto last =
        std::upper_bound(first, all.end(), id, [](EventId wanted, const Arrow &arrow) { return wanted < arrow.from; });
    return {first, last};
}

std::vector<Arrow> Trace::arrowsTo(EventId id) const
{
    const auto &all = m_data.arrows.all;
    const auto &byTarget = m_data.arrows.byTarget;
    auto at = std::lower_bound(byTarget.begin(), byTarget.end(), id,
                               [&all](std::uint32_t position, EventId wanted) { return all[position].to < wanted; });
    std::vector<Arrow> found;
    for (; at != byTarget.end() && all[*at].to == id; ++at)
        found.push_back(all[*at]);
    return found;
}

} // namespace ks
