// SPDX-License-Identifier: GPL-3.0-or-later
// Tables counted exactly as HolisticTraceAnalysis counts them (--rules hta), for everyone who wants to compare.
#pragma once

#include "core/analysis/hta_rows.h"
#include "core/table/table.h"

#include <span>

namespace ks {

// rank window_ns busy_ns idle_ns compute_ns non_compute_ns communication_ns overlap_ns overlap_ratio
Table htaBreakdownTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});
// rank name class calls total_ns mean_ns min_ns max_ns stddev_ns
Table htaKernelTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});
// rank device stream gaps idle_ns host_wait_ns kernel_wait_ns other_ns; previous = previous by begin, negative gaps count
Table htaIdleTable(std::span<const RankTrace> traces, const Scope &scope, TimeNs kernelDelay,
                   const Progress &progress = {});
// As launchTable(): only the launch names HTA knows, copies included.
Table htaLaunchTable(std::span<const RankTrace> traces, const Scope &scope, bool byRank, const Progress &progress = {});
// As queueTable()
Table htaQueueTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

} // namespace ks
