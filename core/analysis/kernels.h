// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels and copies cost most? One row per name and class, durations as plain sums (streams that overlap count twice).
#pragma once

#include "core/analysis/device_work.h"
#include "core/table/table.h"

#include <span>

namespace ks {

enum class KernelGrouping : std::uint8_t {
    Name,
    Operator,      // name and the operator that launched it
    Configuration, // name and grid, block, registers, shared memory
};

// Columns: name kind class [operator | grid block registers shared_memory_bytes] calls total_ns mean_ns min_ns max_ns stddev_ns median_ns p95_ns p99_ns share family blocks_per_sm
// occupancy_percent. stddev is that of a sample, 0 for one call; blocks per SM and occupancy are means weighted by duration, null if never
// told. By total_ns descending. Reads the arguments of every kernel
// once, see kernel_facts.h; then about 15 ns a piece of work in the range.
Table kernelTable(std::span<const RankTrace> traces, const Scope &scope, KernelGrouping grouping = KernelGrouping::Name,
                  const Progress &progress = {});

} // namespace ks
