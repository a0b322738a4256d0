// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives: one row per communication kernel, and across the ranks of a run.
#pragma once

#include "core/analysis/device_work.h"
#include "core/table/table.h"

#include <span>

namespace ks {

// rank group index collective dtype group_size in_elements out_elements device stream start_ns dur_ns, by rank and start. What a collective
// is, its kernel tells, else the operator that launched it; group: name of the process group, null if unknown; index: order by start within
// group and rank. Reads the arguments of each such kernel.
Table communicationTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

// One row per group and index at which every rank of the run has a collective: group index collective ranks latency_ns skew_start_ns
// skew_end_ns algbw_gbps busbw_gbps. latency = shortest duration among the ranks, the best estimate of the transfer itself (the rest is
// waiting for each other); skew = latest minus earliest, on the wall clock where the files tell one. Bandwidth in powers of 1000 B.
Table collectiveTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

} // namespace ks
