// SPDX-License-Identifier: GPL-3.0-or-later
// From the buckets of a pyramid to one cell per column: a bucket counts for the column its middle lies in. 8 to 12 ns a
// column, whatever the number of events.
#pragma once

#include "core/view/draw_list.h"
#include "core/view/pixel_columns.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ks {

class PyramidCells
{
public:
    explicit PyramidCells(const PixelColumns &columns); // keeps the reference

    // Of this row from now on. `matching`: buckets of what the filter lets pass, as many as the level has; empty: no
    // filter.
    void setRow(TimeRange dense, const RowPyramid::Level &level, std::span<const Shade> matching);
    // Appends the cells of the columns [first, end) that are not empty.
    void append(std::int64_t first, std::int64_t end, std::vector<Cell> &cells);

private:
    // What stands in the columns [first, end), to the front of m_found; returns how many.
    template<bool kFiltered>
    std::size_t find(std::size_t first, std::size_t end);

    const PixelColumns &m_columns;
    std::span<const Shade> m_buckets;
    std::span<const Shade> m_matching;
    std::vector<int> m_first; // bucket of each column, and of the one after the last
    std::vector<Cell> m_found;
};

} // namespace ks
