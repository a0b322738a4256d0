// SPDX-License-Identifier: GPL-3.0-or-later
// A column that only some events have: ids ascending, values beside them. find() is a binary search (about 0.3 us at 1 M entries);
// walking all entries is a linear scan.
#pragma once

#include "core/base/ids.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace ks {

// Sorts by the id, keeping the order of equal ones: not at all if they are in order, by counting if they are many for the range of ids
// they cover, else by comparing.
template<typename T>
void sortById(std::vector<std::pair<EventId, T>> &pairs)
{
    const auto isBefore = [](const auto &a, const auto &b) { return a.first < b.first; };
    if (std::is_sorted(pairs.begin(), pairs.end(), isBefore))
        return;
    const auto [least, most] = std::minmax_element(pairs.begin(), pairs.end(), isBefore);
    const std::size_t first = index(least->first);
    const std::size_t range = index(most->first) - first + 1;
    if (range / 8 > pairs.size()) {
        std::stable_sort(pairs.begin(), pairs.end(), isBefore);
        return;
    }
    std::vector<std::uint32_t> next(range + 1, 0);
    for (const auto &pair : pairs)
        ++next[index(pair.first) - first + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::pair<EventId, T>> sorted(pairs.size());
    for (const auto &pair : pairs)
        sorted[next[index(pair.first) - first]++] = pair;
    pairs.swap(sorted);
}

template<typename T>
class SparseColumn
{
public:
    SparseColumn() = default;
    // ids ascending and unique; both of one length.
    SparseColumn(std::vector<EventId> ids, std::vector<T> values)
        : m_ids(std::move(ids))
        , m_values(std::move(values))
    {}

    // In any order; of several entries of one event the first counts.
    static SparseColumn fromPairs(std::vector<std::pair<EventId, T>> pairs)
    {
        sortById(pairs);
        SparseColumn column;
        column.m_ids.reserve(pairs.size());
        column.m_values.reserve(pairs.size());
        for (const auto &[id, value] : pairs) {
            if (!column.m_ids.empty() && column.m_ids.back() == id)
                continue;
            column.m_ids.push_back(id);
            column.m_values.push_back(value);
        }
        return column;
    }

    std::size_t size() const { return m_ids.size(); }
    bool isEmpty() const { return m_ids.empty(); }
    std::span<const EventId> ids() const { return m_ids; }
    std::span<const T> values() const { return m_values; }

    const T *find(EventId id) const
    {
        const auto at = std::lower_bound(m_ids.begin(), m_ids.end(), id);
        if (at == m_ids.end() || *at != id)
            return nullptr;
        return &m_values[static_cast<std::size_t>(at - m_ids.begin())];
    }
    T value(EventId id, T fallback) const
    {
        const T *found = find(id);
        return found ? *found : fallback;
    }

private:
    std::vector<EventId> m_ids;
    std::vector<T> m_values;
};

// One event to many: (from, to) pairs in ascending order of `from`, then of `to`'s begin. of() is two binary searches.
class EventPairs
{
public:
    EventPairs() = default;
    EventPairs(std::vector<EventId> from, std::vector<EventId> to)
        : m_from(std::move(from))
        , m_to(std::move(to))
    {}

    // In any order, which stays among the targets of one event.
    static EventPairs fromPairs(std::vector<std::pair<EventId, EventId>> pairs)
    {
        sortById(pairs);
        EventPairs result;
        result.m_from.reserve(pairs.size());
        result.m_to.reserve(pairs.size());
        for (const auto &[from, to] : pairs) {
            result.m_from.push_back(from);
            result.m_to.push_back(to);
        }
        return result;
    }

    std::size_t size() const { return m_from.size(); }
    std::span<const EventId> from() const { return m_from; }
    std::span<const EventId> to() const { return m_to; }
    std::span<const EventId> of(EventId from) const
    {
        const auto [first, last] = std::equal_range(m_from.begin(), m_from.end(), from);
        return {m_to.data() + (first - m_from.begin()), static_cast<std::size_t>(last - first)};
    }

private:
    std::vector<EventId> m_from;
    std::vector<EventId> m_to;
};

} // namespace ks
