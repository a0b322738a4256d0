// SPDX-License-Identifier: GPL-3.0-or-later
// From the call that launches to the work it launched: how late does work start, how long is the queue?
// latency = begin of the work − begin of the call (negative: the clocks differ); delay = time from the end of the call to the begin of the
// work, 0 if it began earlier. Short: a call of at most 50 us whose work is shorter than itself; slow: a call of more than 50 us; late: a
// delay of more than 100 us.
#pragma once

#include "core/analysis/device_work.h"
#include "core/table/table.h"

#include <span>
#include <vector>

namespace ks {

enum class LaunchGrouping : std::uint8_t { Launch, Kernel, Rank };

// rank name pairs host_total_ns device_total_ns latency_total_ns latency_max_ns delay_total_ns delay_mean_ns delay_max_ns short_kernels
// slow_launches late_kernels, by delay_total_ns descending. By rank: no name.
Table launchTable(std::span<const RankTrace> traces, const Scope &scope, LaunchGrouping grouping,
                  const Progress &progress = {});

// One row per pair, by begin of the launch: rank launch kernel correlation host_ns device_ns latency_ns delay_ns queue. queue: work launched
// and not yet begun on that stream, this one included.
Table launchListTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

// One row per rank, device and stream: rank device stream points max mean_points mean_ns_weighted. The queue grows at the begin of a call
// and shrinks at the begin of its work (at equal times it grows first); points are its changes.
Table queueTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

// The queue of one stream over time: (time, length) after each change. For the counter lane of a stream.
struct QueuePoint
{
    TimeNs time = 0;
    std::int64_t length = 0;
    EventId work = kNoEvent;
    std::uint32_t position = 0; // of the work in workIndex(trace)
    bool isLaunch = false;
};
std::vector<QueuePoint> launchQueue(const Trace &trace, std::span<const DeviceWork> work);

} // namespace ks
