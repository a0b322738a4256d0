// SPDX-License-Identifier: GPL-3.0-or-later
// What the window opens on: the first step with device work, else the busiest stretch, always inside the trace's main
// range; scrolled so that the devices and the thread that launches most are on screen as far as they fit. Cost: O(rows
// * log n) with a grid of 256 columns; no pass over the events.
#pragma once

#include "core/trace/trace.h"
#include "core/view/lane_layout.h"

namespace ks {

TimeRange firstRange(const Trace &trace, const ViewIndex &viewIndex);
int firstScroll(const Trace &trace, const LaneLayout &layout, int viewHeight);

} // namespace ks
