// SPDX-License-Identifier: GPL-3.0-or-later
// Every call over time with its duration, as a picture some pixels wide: what a mean and a histogram hide is when.
#pragma once

#include "core/base/time.h"
#include "core/view/curve.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ks {

// A column of pixels and the calls that begin in it, [first, end) of those given.
struct StripColumn
{
    std::size_t first = 0;
    std::size_t end = 0;
    double least = 0; // ns, of their durations; 0 if there are none
    double most = 0;
};

// `calls` are durations by begin. Calls outside of `range` are in no column. O(width log n).
std::vector<StripColumn> stripColumns(const Curve &calls, TimeRange range, std::size_t width);

// The call nearest to a place: of those within `reach` columns the one whose height is least far from `y`, weighed
// against how far off its column is. heightOf(duration) is in pixels.
template<typename HeightOf>
std::optional<std::size_t> nearestCall(std::span<const StripColumn> columns, std::span<const double> durations,
                                       std::size_t column, double y, std::size_t reach, HeightOf heightOf)
{
    std::optional<std::size_t> nearest;
    double least = 0;
    const std::size_t from = column > reach ? column - reach : 0;
    for (std::size_t c = from; c < columns.size() && c <= column + reach; ++c) {
        const double across = c > column ? static_cast<double>(c - column) : static_cast<double>(column - c);
        for (std::size_t i = columns[c].first; i < columns[c].end; ++i) {
            const double up = heightOf(durations[i]) - y;
            const double distance = across * across + up * up;
            if (!nearest || distance < least) {
                nearest = i;
                least = distance;
            }
        }
    }
    return nearest;
}

} // namespace ks
