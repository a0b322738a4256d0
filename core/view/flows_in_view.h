// SPDX-License-Identifier: GPL-3.0-or-later
// The arrows between all events in view, as many as can be told apart: one for each pixel an arrow starts from and row
// it goes to, evenly chosen if there are still too many. Cost: O(kMostLooked * log n), a few ms however dense the view
// is; what cells hide is looked at by its first event.
#pragma once

#include "core/view/draw_list.h"
#include "core/view/flow_layout.h"

#include <cstddef>
#include <vector>

namespace ks {

struct FlowsInView
{
    std::vector<FlowLink> links; // at most kMaxFlows
    std::size_t apart = 0;       // how many can be told apart
    bool isSample = false;       // not all boxes in view were looked at: apart is a lower bound
};

FlowsInView flowsInView(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, const DrawList &list);

} // namespace ks
