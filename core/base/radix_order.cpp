// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/radix_order.h"

#include "core/base/radix_sort.h"

#include <cstddef>

namespace ks {

void radixOrder(std::vector<std::uint64_t> &keys, std::vector<std::uint32_t> &order, const Progress &progress)
{
    std::vector<std::uint64_t> nextKeys(keys.size());
    std::vector<std::uint32_t> nextOrder(keys.size());
    radixPasses(
        keys.size(), [&](std::size_t i) { return keys[i]; },
        [&](auto placeOf) {
            progress.throwIfStopped();
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const std::size_t to = placeOf(i);
                nextKeys[to] = keys[i];
                nextOrder[to] = order[i];
            }
            keys.swap(nextKeys);
            order.swap(nextOrder);
        });
}

} // namespace ks
