// SPDX-License-Identifier: GPL-3.0-or-later
// Where the rows of a tree lie in a flame chart: each as wide as its share of the row above it, side by side in the order of the table.
#pragma once

#include "core/table/table.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ks {

struct FlameBox
{
    double begin = 0; // 0 … 1 of the whole
    double end = 0;
    std::uint32_t depth = 0;
    std::uint32_t endRow = 0; // one past the last row below it
};

struct FlameLayout
{
    std::vector<FlameBox> boxes; // by row of the table
    std::uint32_t depth = 0;     // of the deepest, plus 1
    double whole = 0;            // what the width stands for
};

// `cost` is a column of numbers; rows depth first, as callTreeTable has them. Rows without cost are 0 wide. Rows that cost more than the
// one above them, as work that overlaps may, share its width.
FlameLayout flameLayout(const Table &table, std::string_view cost);

// The row at a place; depth from the top.
std::optional<std::uint32_t> boxAt(const FlameLayout &layout, double place, std::uint32_t depth);

} // namespace ks
