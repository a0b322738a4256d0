// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/pyramid_cells.h"

#include "core/view/joined_shades.h"

#include <algorithm>

namespace ks {
namespace {

// Of `count` buckets: at most kShadeRoom in a column, but where the coarsest level is finer than that.
inline Shade shadeOf(const Shade *buckets, std::size_t count)
{
    if (count <= kShadeRoom) [[likely]]
        return joined(buckets, count);
    return joinedPlainly(std::span(buckets, count));
}

} // namespace

PyramidCells::PyramidCells(const PixelColumns &columns)
    : m_columns(columns)
{}

void PyramidCells::setRow(TimeRange dense, const RowPyramid::Level &level, std::span<const Shade> matching)
{
    m_buckets = level.buckets;
    m_matching = matching;
    const std::size_t columns = m_columns.borders().size();
    m_first.resize(columns);
    m_found.resize(columns);
    // Of column i it is the first whose middle is not left of its edge: a straight line, rounded up. Edges that fall on a
    // middle must not miss it by a rounding.
    constexpr double kRounding = 1e-6;
    const auto width = static_cast<double>(level.width);
    const double middle = static_cast<double>(level.width / 2);
    const double first = (m_columns.nsOfLeftEdge(dense.begin) - middle) / width + 1 - kRounding;
    const double step = m_columns.nsPerColumn() / width;
    const auto count = static_cast<double>(m_buckets.size());
    for (int i = 0; i < static_cast<int>(columns); ++i)
        m_first[static_cast<std::size_t>(i)] = static_cast<int>(std::min(std::max(first + i * step, 0.0), count));
    // The last bucket ends where the stretch does, wherever its middle would be.
    const auto behind = std::lower_bound(m_columns.borders().begin(), m_columns.borders().end(), dense.end);
    std::fill(m_first.begin() + (behind - m_columns.borders().begin()), m_first.end(), static_cast<int>(count));
}

void PyramidCells::append(std::int64_t first, std::int64_t end, std::vector<Cell> &cells)
{
    if (first >= end)
        return;
    const auto from = static_cast<std::size_t>(first);
    const auto to = static_cast<std::size_t>(end);
    const std::size_t count = m_matching.empty() ? find<false>(from, to) : find<true>(from, to);
    cells.insert(cells.end(), m_found.begin(), m_found.begin() + static_cast<std::ptrdiff_t>(count));
}

template<bool kFiltered>
std::size_t PyramidCells::find(std::size_t first, std::size_t end)
{
    Cell *const found = m_found.data();
    const Shade *const buckets = m_buckets.data();
    const Shade *const matching = m_matching.data();
    const int *const firsts = m_first.data();
    std::size_t count = 0;
    auto from = static_cast<std::size_t>(firsts[first]);
    for (std::size_t column = first; column < end; ++column) {
        const auto to = static_cast<std::size_t>(firsts[column + 1]);
        Shade shade = shadeOf(buckets + from, to - from);
        bool dim = false;
        if constexpr (kFiltered) {
            const Shade matched = shadeOf(matching + from, to - from);
            dim = matched.busy == 0;
            shade = dim ? shade : matched;
        }
        from = to;
        Cell &cell = found[count];
        cell.first = kNoEvent;
        cell.column = static_cast<std::uint16_t>(column) & kMostColumns;
        cell.dim = dim;
        cell.colour = shade.colour;
        cell.busy = shade.busy;
        // No jump where there is nothing: it would be mispredicted wherever gaps are about as wide as columns.
        count += shade.busy != 0 ? 1 : 0;
    }
    return count;
}

} // namespace ks
