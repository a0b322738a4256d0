// SPDX-License-Identifier: GPL-3.0-or-later
// In which order the rows of a table stand when it is sorted.
#pragma once

#include "core/table/table.h"

#include <cstdint>
#include <vector>

namespace ks {

// As Table::sort(), as if there were no parents. Cost: linear for many numbers, and n log n of those that are equal.
std::vector<std::uint32_t> rowsInOrder(const Table &table, SortOrder order);

} // namespace ks
