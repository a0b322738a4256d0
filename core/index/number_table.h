// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers by which records of a file name others -> their events: plain arrays where the numbers are close together, as exporters count
// them, else sorted. `forEach(visit)` calls visit(number, event) for all entries, twice the same.
#pragma once

#include "core/base/ids.h"
#include "core/base/large_memory.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace ks {

// How many numbers there are, and from where to where.
struct NumberRange
{
    std::size_t count = 0;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t most = 0;

    void add(std::uint64_t number)
    {
        ++count;
        least = std::min(least, number);
        most = std::max(most, number);
    }
    // Few places for each number between the least and the most.
    bool isDense() const { return count != 0 && (most - least) / 4 < count; }
    std::size_t places() const { return static_cast<std::size_t>(most - least) + 1; }
};

template<typename ForEach>
NumberRange rangeOfNumbers(ForEach forEach)
{
    NumberRange range;
    forEach([&](std::uint64_t number, EventId) { range.add(number); });
    return range;
}

template<typename ForEach>
LargeArray<std::pair<std::uint64_t, EventId>> sortedNumbers(std::size_t count, ForEach forEach)
{
    LargeArray<std::pair<std::uint64_t, EventId>> sorted;
    sorted.reserve(count);
    forEach([&](std::uint64_t number, EventId event) { sorted.emplace_back(number, event); });
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    return sorted;
}

// One event of each number: the first, unless `replaces(later, earlier)`.
class NumberTable
{
public:
    template<typename ForEach, typename Replaces>
    NumberTable(ForEach forEach, Replaces replaces)
    {
        const NumberRange range = rangeOfNumbers(forEach);
        if (range.count == 0)
            return;
        if (range.isDense()) {
            m_least = range.least;
            m_events.assign(range.places(), kNoEvent);
            forEach([&](std::uint64_t number, EventId event) {
                EventId &place = m_events[static_cast<std::size_t>(number - range.least)];
                if (place == kNoEvent || replaces(event, place))
                    place = event;
            });
            return;
        }
        m_sorted = sortedNumbers(range.count, forEach);
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

// All events of each number, in the order in which they were told.
class EventsOfNumber
{
public:
    EventsOfNumber() = default;
    template<typename ForEach>
    explicit EventsOfNumber(ForEach forEach)
    {
        const NumberRange range = rangeOfNumbers(forEach);
        if (range.count == 0)
            return;
        if (range.isDense()) {
            m_least = range.least;
            m_first.assign(range.places() + 1, 0);
            forEach([&](std::uint64_t number, EventId) { ++m_first[placeOf(number) + 1]; });
            std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
            m_events.resize(range.count);
            // Where the next event of a number goes is where the one behind it begins, once all are there: the places move on by one.
            forEach([&](std::uint64_t number, EventId event) { m_events[m_first[placeOf(number)]++] = event; });
            m_first.insert(m_first.begin(), 0);
            m_first.pop_back();
            return;
        }
        m_events.reserve(range.count);
        for (const auto &[number, event] : sortedNumbers(range.count, forEach)) {
            if (m_numbers.empty() || m_numbers.back() != number) {
                m_numbers.push_back(number);
                m_first.push_back(static_cast<std::uint32_t>(m_events.size()));
            }
            m_events.push_back(event);
        }
        m_first.push_back(static_cast<std::uint32_t>(m_events.size()));
    }

    std::span<const EventId> of(std::uint64_t number) const
    {
        const std::size_t place = find(number);
        if (place + 1 >= m_first.size())
            return {};
        return std::span(m_events).subspan(m_first[place], m_first[place + 1] - m_first[place]);
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-2);

    std::size_t find(std::uint64_t number) const
    {
        if (m_numbers.empty())
            return number - m_least < m_first.size() ? placeOf(number) : kNone; // what is below the least wraps around
        const auto at = std::lower_bound(m_numbers.begin(), m_numbers.end(), number);
        return at != m_numbers.end() && *at == number ? static_cast<std::size_t>(at - m_numbers.begin()) : kNone;
    }
    std::size_t placeOf(std::uint64_t number) const { return static_cast<std::size_t>(number - m_least); }

    std::uint64_t m_least = 0;
    LargeArray<std::uint64_t> m_numbers; // ascending; empty where they are close together
    LargeArray<std::uint32_t> m_first;   // of each number, and the end
    LargeArray<EventId> m_events;
};

} // namespace ks
