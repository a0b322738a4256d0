// SPDX-License-Identifier: GPL-3.0-or-later
// A curve as few points: what a picture some pixels wide can show of it.
#pragma once

#include "core/view/curve.h"

#include <cstddef>
#include <vector>

namespace ks {

struct CurvePoint
{
    TimeNs time = 0;
    double value = 0;
    friend bool operator==(const CurvePoint &, const CurvePoint &) = default;
};

// Of each of `width` equal parts of the range the value at its begin, the least and the greatest in it, so that no peak
// is lost: at most three points a part, by time. Before the first sample there is nothing. O(width log n).
std::vector<CurvePoint> curveSamples(const Curve &curve, TimeRange range, std::size_t width);

} // namespace ks
