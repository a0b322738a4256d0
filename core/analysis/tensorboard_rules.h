// SPDX-License-Identifier: GPL-3.0-or-later
// Steps, step breakdown and device metrics counted exactly as the profiler plugin of TensorBoard counted them (--rules tensorboard).
// Its steps include what the device still does for them: each begins where the one before ended and lasts until its last kernel; steps at
// the end without (or with less than 80 % of the usual) device work are left out. Within them every instant goes to the first of kernel,
// copy, memset, communication, runtime, data loader, other host events that is active.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/table/table.h"

#include <span>
#include <vector>

namespace ks {

struct TensorboardStep
{
    std::int64_t number = 0;
    TimeRange range;
};

std::vector<TensorboardStep> tensorboardSteps(const Trace &trace);

// rank step total_ns kernel_ns memcpy_ns memset_ns communication_ns runtime_ns dataloader_ns cpu_exec_ns other_ns
Table tensorboardStepTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});
// rank device window_ns utilisation sm_efficiency occupancy_percent
Table tensorboardDeviceTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

} // namespace ks
