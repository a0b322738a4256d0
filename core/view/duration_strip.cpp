// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/duration_strip.h"

#include <algorithm>

namespace ks {

std::vector<StripColumn> stripColumns(std::span<const TimeNs> begins, std::span<const TimeNs> durations,
                                      TimeRange range, std::size_t width)
{
    std::vector<StripColumn> columns(width);
    if (range.isEmpty() || width == 0)
        return columns;
    auto i = static_cast<std::size_t>(std::lower_bound(begins.begin(), begins.end(), range.begin) - begins.begin());
    const double scale = static_cast<double>(width) / static_cast<double>(range.duration());
    for (std::size_t c = 0; c < width; ++c) {
        StripColumn &column = columns[c];
        column.first = i;
        for (; i < begins.size() && begins[i] < range.end; ++i) {
            const double x = static_cast<double>(saturatingSubtract(begins[i], range.begin)) * scale;
            if (c + 1 < width && x >= static_cast<double>(c + 1))
                break;
            column.least = i == column.first ? durations[i] : std::min(column.least, durations[i]);
            column.most = i == column.first ? durations[i] : std::max(column.most, durations[i]);
        }
        column.end = i;
    }
    return columns;
}

} // namespace ks
