// SPDX-License-Identifier: GPL-3.0-or-later
// Which operators cost most: one row per name and kind of operators, annotations and launches, counted as torch's
// key_averages() counts (see torch_nesting.h for what is a call). Steps are one row, ProfilerStep*.
//
//   name kind [input_shapes] [stack] calls      as counted after merging
//   cpu_total_ns cpu_self_ns cpu_mean_ns        sum of durations; without direct children; total / calls
//   device_total_ns device_self_ns              sums of device work. self: launched by the operator (without one: by the
//                                               innermost annotation); total: also by what is inside
//   device_total_union_ns device_self_union_ns  overlaps within one call counted once, added over the calls
//   cpu_memory_bytes cpu_memory_self_bytes      allocated minus freed while the call ran, by any thread, both ends
//   device_memory_bytes device_memory_self_bytes   inclusive; self: without direct children; null if none was recorded
//   flops                                       of seven operators whose shapes were recorded, else 0
//   model_flops model_bytes                     see model_cost.h; null if not known of every call
//   device_with_backward_ns                     device_total_ns and the work of backward calls whose forward mates are
//                                               inside, each piece once
//
// Memory records outside every call are the row "[memory]". Several traces are ranks of one run: their rows are added
// up.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/table/table.h"

#include <cstddef>
#include <span>

namespace ks {

struct OperatorOptions
{
    bool byShape = false;   // column input_shapes: rows differ by the recorded shapes
    std::size_t frames = 0; // column stack: rows differ by so many innermost frames; 0 = none
    bool withFlops = true;  // and models
};

// By cpu_self_ns, descending. What device, lanes and filter select is said in host_scope.h; steps and ranges of
// time in scope.h. Cost: about 100 ns an event; with shapes or stacks some microseconds more for each call, to read
// its arguments. Throws SourceChanged (arguments only), Cancelled.
Table operatorTable(std::span<const RankTrace> traces, const Scope &scope, const OperatorOptions &options = {},
                    const Progress &progress = {});

} // namespace ks
