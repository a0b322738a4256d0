// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers by which records of a file name others -> their events: a plain array where the numbers are close together, as exporters count
// them, else sorted.
#pragma once

#include "core/base/ids.h"
#include "core/base/large_memory.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace ks {

class NumberTable
{
public:
    // `forEach(visit)` calls visit(number, event) for all entries, twice the same. Of several events of one number the first counts, unless
    // `replaces(later, earlier)`.
    template<typename ForEach, typename Replaces>
    NumberTable(ForEach forEach, Replaces replaces)
    {
        std::size_t count = 0;
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t most = 0;
        forEach([&](std::uint64_t number, EventId) {
            ++count;
            least = std::min(least, number);
            most = std::max(most, number);
        });
        if (count == 0)
            return;
        constexpr std::uint64_t kFewPlaces = 4; // for each number
        if ((most - least) / kFewPlaces < count) {
            m_least = least;
            m_events.assign(static_cast<std::size_t>(most - least) + 1, kNoEvent);
            forEach([&](std::uint64_t number, EventId event) {
                EventId &place = m_events[static_cast<std::size_t>(number - least)];
                if (place == kNoEvent || replaces(event, place))
                    place = event;
            });
            return;
        }
        m_sorted.reserve(count);
        forEach([&](std::uint64_t number, EventId event) { m_sorted.emplace_back(number, event); });
        std::stable_sort(m_sorted.begin(), m_sorted.end(),
                         [](const auto &a, const auto &b) { return a.first < b.first; });
        std::size_t kept = 0;
        for (const auto &[number, event] : m_sorted) {
            if (kept == 0 || m_sorted[kept - 1].first != number)
                m_sorted[kept++] = {number, event};
            else if (replaces(event, m_sorted[kept - 1].second))
                m_sorted[kept - 1].second = event;
        }
        m_sorted.resize(kept);
    }

    EventId find(std::uint64_t number) const // kNoEvent if there is none
    {
        if (!m_events.empty())
            return number - m_least < m_events.size() ? m_events[static_cast<std::size_t>(number - m_least)] : kNoEvent;
        const auto at = std::lower_bound(m_sorted.begin(), m_sorted.end(), number,
                                         [](const auto &entry, std::uint64_t wanted) { return entry.first < wanted; });
        return at != m_sorted.end() && at->first == number ? at->second : kNoEvent;
    }

private:
    std::uint64_t m_least = 0;
    LargeArray<EventId> m_events; // by number from m_least on
    LargeArray<std::pair<std::uint64_t, EventId>> m_sorted;
};

} // namespace ks
