// SPDX-License-Identifier: GPL-3.0-or-later
// Unions of time: sorted disjoint ranges, touching ones merged. All functions are linear in their inputs once sorted.
#pragma once

#include "core/base/time.h"

#include <span>
#include <vector>

namespace ks {

using Intervals = std::vector<TimeRange>; // sorted, disjoint, not touching, none empty

Intervals merged(std::vector<TimeRange> ranges); // in any order
TimeNs lengthOf(std::span<const TimeRange> intervals);
Intervals intersection(std::span<const TimeRange> a, std::span<const TimeRange> b);
Intervals difference(std::span<const TimeRange> a, std::span<const TimeRange> b);
Intervals unionOf(std::span<const TimeRange> a, std::span<const TimeRange> b);

} // namespace ks
