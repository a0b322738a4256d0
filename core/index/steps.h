// SPDX-License-Identifier: GPL-3.0-or-later
// Operators and annotations named ProfilerStep#N on host lanes -> steps.
#pragma once

#include "core/trace/trace.h"

#include <vector>

namespace ks {

// By begin.
std::vector<Step> findSteps(const Trace &trace);

} // namespace ks
