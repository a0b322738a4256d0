// SPDX-License-Identifier: GPL-3.0-or-later
// What each lane is for: main thread, autograd thread, compute, communication or copy stream …
#pragma once

#include "core/trace/trace.h"

#include <vector>

namespace ks {

// By lane. `trace` has its events, links, steps and mates. The main thread of a process runs its steps, else launches most
// without being there for backward operators, else has the process's own number, else holds most events; the autograd
// thread is named pt_autograd or runs most backward operators.
std::vector<LaneRole> findLaneRoles(const Trace &trace);

} // namespace ks
