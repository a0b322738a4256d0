// SPDX-License-Identifier: GPL-3.0-or-later
// Which lanes stand under which heading, in the order of the window: by rank, host processes before devices, then by
// sort index; inside a process main thread, autograd thread, others; on a device streams by use. And what they are
// called there. Cost: O(lanes log lanes).
#pragma once

#include "core/view/view_index.h"

#include <string>
#include <vector>

namespace ks {

std::vector<LaneGroup> laneGroups(const Trace &trace);            // without curves and busy time
std::string laneTitle(const Trace &trace, const Lane &lane);      // "main thread", "stream 7 compute"
std::string deviceTitle(const Trace &trace, std::int64_t device); // "GPU 0 · NVIDIA H100"

} // namespace ks
