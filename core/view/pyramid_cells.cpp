// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/pyramid_cells.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ks {
namespace {

constexpr unsigned kLanes = 8; // buckets looked at together: a level that fits has at most so many in a column

// 2^16 / n, rounded up: exact for sums of n bytes.
constexpr std::array<unsigned, kLanes + 1> kReciprocals = [] {
    std::array<unsigned, kLanes + 1> values{};
    for (unsigned n = 1; n < values.size(); ++n)
        values[n] = (65536 + n - 1) / n;
    return values;
}();

// Eight shades in a register: the compiler's own vectors, so that it does not depend on the processor.
using Lanes = std::int16_t __attribute__((vector_size(16)));
static_assert(sizeof(Lanes) == kLanes * sizeof(Shade) && std::endian::native == std::endian::little);

constexpr Lanes kPositions = {0, 1, 2, 3, 4, 5, 6, 7};
constexpr Lanes kByte = {255, 255, 255, 255, 255, 255, 255, 255};

inline Lanes greater(Lanes a, Lanes b)
{
    return a > b ? a : b;
}

std::uint8_t meanOf(unsigned sum, std::size_t count)
{
    return static_cast<std::uint8_t>(std::max<std::size_t>(1, (sum + count / 2) / count));
}

// What takes most of some buckets, the first of equals, and how much is covered of them.
Shade joined(std::span<const Shade> buckets)
{
    unsigned sum = 0;
    Shade most;
    for (const Shade shade : buckets) {
        sum += shade.busy;
        if (shade.busy > most.busy)
            most = shade;
    }
    if (sum > 0)
        most.busy = meanOf(sum, buckets.size());
    return most;
}

// The same for at most eight, where eight can be read: without a jump that depends on how many there are, which would
// be mispredicted in every other column.
inline Shade joinedFew(const Shade *buckets, std::size_t count)
{
    Lanes lanes;
    std::memcpy(&lanes, buckets, sizeof lanes);
    const auto n = static_cast<std::int16_t>(count);
    const Lanes busy = ((lanes >> 8) & kByte) & (kPositions < Lanes{} + n);
    // Busy above, below it which one it is: the first wins.
    const Lanes ranked = busy * 8 + (7 - kPositions);
    const Lanes most4 = greater(ranked, __builtin_shufflevector(ranked, ranked, 4, 5, 6, 7, 0, 1, 2, 3));
    const Lanes most2 = greater(most4, __builtin_shufflevector(most4, most4, 2, 3, 0, 1, 6, 7, 4, 5));
    const Lanes most1 = greater(most2, __builtin_shufflevector(most2, most2, 1, 0, 3, 2, 5, 4, 7, 6));
    const unsigned most = static_cast<unsigned>(most1[0]);
    const Lanes sum4 = busy + __builtin_shufflevector(busy, busy, 4, 5, 6, 7, 0, 1, 2, 3);
    const Lanes sum2 = sum4 + __builtin_shufflevector(sum4, sum4, 2, 3, 0, 1, 6, 7, 4, 5);
    const int sum = sum2[0] + sum2[1];
    const auto total = static_cast<unsigned>(sum);
    const unsigned mean = ((total + static_cast<unsigned>(count) / 2) * kReciprocals[count]) >> 16U;
    Shade shade = buckets[kLanes - 1 - (most & (kLanes - 1))];
    const bool isFaint = (mean == 0) & (total > 0); // 0 says that nothing is there
    shade.busy = static_cast<std::uint8_t>(mean + (isFaint ? 1U : 0U));
    return shade;
}

inline Shade joined(std::span<const Shade> buckets, std::size_t first, std::size_t end)
{
    if (end - first <= kLanes && first + kLanes <= buckets.size()) [[likely]]
        return joinedFew(buckets.data() + first, end - first);
    return joined(buckets.subspan(first, end - first));
}

// Of the buckets [first, end); not busy: nothing is there. `matching`: empty, or as many buckets.
inline Cell cellOf(std::span<const Shade> buckets, std::span<const Shade> matching, std::size_t column,
                   std::size_t first, std::size_t end)
{
    Shade shade = joined(buckets, first, end);
    bool dim = false;
    if (!matching.empty()) {
        const Shade matched = joined(matching, first, end);
        dim = matched.busy == 0;
        shade = dim ? shade : matched;
    }
    Cell cell;
    cell.column = static_cast<std::uint16_t>(column) & kMostColumns;
    cell.dim = dim;
    cell.colour = shade.colour;
    cell.busy = shade.busy;
    return cell;
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
    std::size_t count = 0;
    for (auto column = static_cast<std::size_t>(first); column < static_cast<std::size_t>(std::max(first, end));
         ++column) {
        const Cell cell = cellOf(m_buckets, m_matching, column, static_cast<std::size_t>(m_first[column]),
                                 static_cast<std::size_t>(m_first[column + 1]));
        m_found[count] = cell;
        // No jump where there is nothing: it would be mispredicted wherever gaps are about as wide as columns.
        count += cell.busy != 0 ? 1 : 0;
    }
    cells.insert(cells.end(), m_found.begin(), m_found.begin() + static_cast<std::ptrdiff_t>(count));
}

} // namespace ks
