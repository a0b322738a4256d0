// SPDX-License-Identifier: GPL-3.0-or-later
// Walking from event to event with the arrow keys. All return kNoEvent where there is none.
#pragma once

#include "core/trace/trace.h"

namespace ks {

EventId previousInRow(const Trace &trace, EventId event); // O(log rows)
EventId nextInRow(const Trace &trace, EventId event);
EventId firstChild(const Trace &trace, EventId event); // the one that begins first; O(rows of the lane * log n)

} // namespace ks
