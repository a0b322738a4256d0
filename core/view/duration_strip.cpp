// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/duration_strip.h"

#include <algorithm>

namespace ks {

std::vector<StripColumn> stripColumns(const Curve &calls, TimeRange range, std::size_t width)
{
    std::vector<StripColumn> columns(width);
    if (range.isEmpty() || width == 0)
        return columns;
    const std::vector<TimeNs> &begins = calls.times();
    auto from = std::lower_bound(begins.begin(), begins.end(), range.begin);
    const auto end = std::lower_bound(from, begins.end(), range.end);
    const double scale = static_cast<double>(width) / static_cast<double>(range.duration());
    for (std::size_t c = 0; c < width; ++c) {
        const auto to = c + 1 == width ? end : std::partition_point(from, end, [&](TimeNs begin) {
            return static_cast<double>(saturatingSubtract(begin, range.begin)) * scale < static_cast<double>(c + 1);
        });
        StripColumn &column = columns[c];
        column.first = static_cast<std::size_t>(from - begins.begin());
        column.end = static_cast<std::size_t>(to - begins.begin());
        if (from != to) {
            const Extremes inside = calls.extremes(column.first, column.end);
            column.least = inside.least;
            column.most = inside.greatest;
        }
        from = to;
    }
    return columns;
}

} // namespace ks
