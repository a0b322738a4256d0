// SPDX-License-Identifier: GPL-3.0-or-later
// First position in [first, end) for which `reached` holds, `reached` being false up to some position and true from there on.
// Doubles its stride from `first`, then halves: O(log distance), so walking a row in pixel steps costs O(pixels * log n).
#pragma once

#include <cstddef>

namespace ks {

template<typename Reached>
std::size_t gallop(std::size_t first, std::size_t end, Reached reached)
{
    std::size_t low = first; // everything before is not reached
    std::size_t stride = 1;
    while (low < end && !reached(low)) {
        const std::size_t next = stride < end - low ? low + stride : end;
        if (next == end || reached(next)) {
            // The border lies in (low, next].
            std::size_t high = next;
            ++low;
            while (low < high) {
                const std::size_t middle = low + (high - low) / 2;
                if (reached(middle))
                    high = middle;
                else
                    low = middle + 1;
            }
            return low;
        }
        low = next;
        stride *= 2;
    }
    return low;
}

} // namespace ks
