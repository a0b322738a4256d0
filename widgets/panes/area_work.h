// SPDX-License-Identifier: GPL-3.0-or-later
// Events and device work of an area over all open traces, as work for a JobSlot.
#pragma once

#include "core/analysis/area_summary.h"
#include "widgets/state/selection.h"

#include <functional>

namespace ks {

// Both own what they need; devices of different traces do not overlap, so their busy times add up.
std::function<WorkSummary(const Progress &)> areaWork(const TraceSet &traces, const Area &area);
std::function<AreaSummary(const Progress &)> areaReport(const TraceSet &traces, const Area &area);

} // namespace ks
