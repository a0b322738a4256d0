// SPDX-License-Identifier: GPL-3.0-or-later
// A step of the training loop: an operator or annotation named ProfilerStep#N on a host lane.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>

namespace ks {

struct Step
{
    std::int64_t number = 0;
    EventId event = kNoEvent;
    TimeRange range;
};

} // namespace ks
