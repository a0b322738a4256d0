// SPDX-License-Identifier: GPL-3.0-or-later
// Do two samples differ, or is it noise? The two-sided rank test of Mann and Whitney (1947): no assumption about how the
// values are distributed, so one slow step does not decide.
#pragma once

#include <span>

namespace ks {

// The probability that samples of one distribution differ as much: of all orders if one sample has at most 8 values and
// no two are equal, else by the normal approximation with corrections for ties and continuity. 1 if a sample is empty or
// all values are equal. O(n log n).
double mannWhitneyP(std::span<const double> a, std::span<const double> b);

} // namespace ks
