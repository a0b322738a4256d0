// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/radix_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace ks {

void radixOrder(std::vector<std::uint64_t> &keys, std::vector<std::uint32_t> &order, const Progress &progress)
{
    constexpr unsigned kBits = 11;
    constexpr std::size_t kBins = std::size_t{1} << kBits;
    constexpr std::uint64_t kMask = kBins - 1;
    const std::size_t size = keys.size();
    std::uint64_t used = 0; // bits in which some keys differ from the first
    for (const std::uint64_t key : keys)
        used |= key ^ keys.front();
    std::vector<std::uint64_t> nextKeys(size);
    std::vector<std::uint32_t> nextOrder(size);
    for (unsigned shift = 0; shift < 64; shift += kBits) {
        progress.throwIfStopped();
        if (((used >> shift) & kMask) == 0)
            continue;
        std::array<std::size_t, kBins> place{};
        for (const std::uint64_t key : keys)
            ++place[(key >> shift) & kMask];
        std::size_t sum = 0;
        for (std::size_t &bin : place)
            sum += std::exchange(bin, sum);
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t to = place[(keys[i] >> shift) & kMask]++;
            nextKeys[to] = keys[i];
            nextOrder[to] = order[i];
        }
        keys.swap(nextKeys);
        order.swap(nextOrder);
    }
}

} // namespace ks
