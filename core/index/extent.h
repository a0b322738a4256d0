// SPDX-License-Identifier: GPL-3.0-or-later
// From when to when is there something to see? A few records at time 0 or days away must not squeeze everything else into one pixel.
#pragma once

#include "core/base/time.h"
#include "core/index/lane_order.h"

#include <vector>

namespace ks {

struct MainRange
{
    TimeRange range;
    std::uint64_t outliers = 0; // events outside
};

// Adds an event without duration, to the last island if that is near.
void addMoment(std::vector<LaneOrder::Island> &islands, TimeNs time);

// Cuts at gaps in which nothing is open that are longer than 60 s and longer than 10 times everything else together; main is the part
// with the most events. `islands` in any order, not empty.
MainRange findMainRange(std::vector<LaneOrder::Island> islands);

} // namespace ks
