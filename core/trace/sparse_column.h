// SPDX-License-Identifier: GPL-3.0-or-later
// A column that only some events have: ids ascending, values beside them. find() is a binary search (about 0.3 us at 1 M entries);
// walking all entries is a linear scan.
#pragma once

#include "core/base/ids.h"
#include "core/base/large_memory.h"
#include "core/base/radix_sort.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ks {

// Sorts by the id, keeping the order of equal ones.
template<typename Pairs>
void sortById(Pairs &pairs)
{
    radixSort(pairs, [](const auto &pair) { return static_cast<std::uint32_t>(pair.first); });
}

// A set of ids that knows how many of it come before each. A bit per id of the range it covers and 4 bytes per 64 of them.
class RankedIds
{
public:
    RankedIds(EventId first, EventId last)
        : m_first(index(first))
        , m_words((index(last) - m_first) / 64 + 1)
    {}
    void insert(EventId id) { m_words[wordOf(id)].bits |= bitOf(id); }
    // Nothing is inserted any more. Returns the number of ids.
    std::size_t rank()
    {
        std::uint32_t count = 0;
        for (Word &word : m_words) {
            word.before = count;
            count += static_cast<std::uint32_t>(std::popcount(word.bits));
        }
        return count;
    }
    std::size_t rankOf(EventId id) const
    {
        const Word &word = m_words[wordOf(id)];
        return word.before + static_cast<std::size_t>(std::popcount(word.bits & (bitOf(id) - 1)));
    }

private:
    struct Word
    {
        std::uint64_t bits = 0;
        std::uint32_t before = 0;
    };
    std::size_t wordOf(EventId id) const { return (index(id) - m_first) / 64; }
    std::uint64_t bitOf(EventId id) const { return std::uint64_t{1} << ((index(id) - m_first) % 64); }

    std::size_t m_first;
    LargeArray<Word> m_words;
};

template<typename T>
class SparseColumn
{
public:
    SparseColumn() = default;

    // In any order; of several entries of one event the first counts. Linear, unless the ids are few for the range they cover.
    static SparseColumn fromPairs(LargeArray<std::pair<EventId, T>> pairs)
    {
        if (pairs.empty())
            return {};
        const auto isBefore = [](const auto &a, const auto &b) { return a.first < b.first; };
        const auto [least, most] = std::minmax_element(pairs.begin(), pairs.end(), isBefore);
        if (distance(least->first, most->first) / 64 > pairs.size())
            std::stable_sort(pairs.begin(), pairs.end(), isBefore);
        else if (!std::is_sorted(pairs.begin(), pairs.end(), isBefore))
            return fromRanks(pairs, RankedIds(least->first, most->first));
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
    static SparseColumn fromRanks(const LargeArray<std::pair<EventId, T>> &pairs, RankedIds ids)
    {
        for (const auto &pair : pairs)
            ids.insert(pair.first);
        SparseColumn column;
        column.m_ids.resize(ids.rank());
        column.m_values.resize(column.m_ids.size());
        for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair) { // so that the first stays
            const std::size_t at = ids.rankOf(pair->first);
            column.m_ids[at] = pair->first;
            column.m_values[at] = pair->second;
        }
        return column;
    }

    LargeArray<EventId> m_ids;
    LargeArray<T> m_values;
};

// One event to many: (from, to) pairs in ascending order of `from`, then of `to`'s begin. of() is two binary searches.
class EventPairs
{
public:
    EventPairs() = default;

    // In any order, which stays among the targets of one event.
    static EventPairs fromPairs(LargeArray<std::pair<EventId, EventId>> pairs)
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
    // In any order; the targets of one event in that of `isBefore`.
    template<typename Before>
    static EventPairs fromPairs(LargeArray<std::pair<EventId, EventId>> pairs, Before isBefore)
    {
        EventPairs result = fromPairs(std::move(pairs));
        for (std::size_t first = 0, end = 0; first < result.size(); first = end) {
            while (end < result.size() && result.m_from[end] == result.m_from[first])
                ++end;
            const auto at = [&](std::size_t i) { return result.m_to.begin() + static_cast<std::ptrdiff_t>(i); };
            if (!std::is_sorted(at(first), at(end), isBefore))
                std::stable_sort(at(first), at(end), isBefore);
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
    LargeArray<EventId> m_from;
    LargeArray<EventId> m_to;
};

} // namespace ks
