// SPDX-License-Identifier: GPL-3.0-or-later
// What a step is, how long each takes and what fills it.
#pragma once

#include "core/analysis/device_work.h"
#include "core/table/table.h"

#include <span>
#include <string_view>
#include <vector>

namespace ks {

// `pattern`: "" = ProfilerStep#N; a regular expression for names of operators and annotations on host lanes, whose first whole number is
// the number of the step (else they are counted); "auto" = the first that repeats on a host thread of: ProfilerStep#N, the step names of
// serving engines, any annotation that repeats at the outermost level (not if there is one ProfilerStep#N, and not of collectives), replays
// of one graph. By begin.
std::vector<Step> stepsOf(const Trace &trace, std::string_view pattern);
// The one of median duration, of an even number the shorter of both; null if there are none. O(n)
const Step *medianStep(std::span<const Step> steps);
// Of a run: the most that any of its selected ranks has.
std::size_t stepCount(std::span<const RankTrace> traces, const Scope &scope);

// One row per rank and step: rank step name start_ns dur_ns device_start_ns device_end_ns device_work compute_ns communication_ns memory_ns
// exposed_communication_ns device_busy_ns device_idle_ns. Device columns: work launched in the step, null if there is none; idle within
// [device_start, device_end]. Times of the file.
Table stepTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

} // namespace ks
