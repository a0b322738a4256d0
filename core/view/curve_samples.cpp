// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/curve_samples.h"

#include <algorithm>

namespace ks {

std::vector<CurvePoint> curveSamples(const Curve &curve, TimeRange range, std::size_t width)
{
    std::vector<CurvePoint> points;
    if (curve.isEmpty() || range.isEmpty() || width == 0)
        return points;
    const auto border = [&](std::size_t part) {
        const double share = static_cast<double>(part) / static_cast<double>(width);
        return saturatingAdd(range.begin, static_cast<TimeNs>(static_cast<double>(range.duration()) * share));
    };
    for (std::size_t part = 0; part < width; ++part) {
        const TimeNs begin = border(part);
        const TimeNs end = part + 1 < width ? border(part + 1) : range.end;
        if (end <= begin)
            continue;
        if (const double *value = curve.valueAt(begin))
            points.push_back({begin, *value});
        const std::size_t first = curve.firstAtOrAfter(begin);
        const std::size_t last = curve.firstAtOrAfter(end);
        if (first == last)
            continue;
        const Extremes inside = curve.extremes(first, last);
        const TimeNs at = curve.times()[first];
        points.push_back({at, inside.least});
        if (inside.greatest > inside.least)
            points.push_back({at, inside.greatest});
    }
    if (const double *value = curve.valueAt(range.end - 1))
        points.push_back({range.end, *value});
    return points;
}

} // namespace ks
