// SPDX-License-Identifier: GPL-3.0-or-later
// Why was a stream waiting? A gap runs from the latest end so far to the next begin on the stream. Its class: host wait, if the call that
// launched the next work began after the gap did (the host was late); else kernel wait, if the gap is shorter than a usual delay between
// kernels; else other (a dependency, a copy, another stream).
#pragma once

#include "core/analysis/device_work.h"
#include "core/analysis/wait_stats.h"
#include "core/table/table.h"

#include <span>
#include <vector>

namespace ks {

std::string_view gapClassId(GapClass);

struct IdleGap
{
    TimeRange range;
    GapClass gapClass = GapClass::Other;
    EventId before = kNoEvent;
    EventId after = kNoEvent;
    EventId call = kNoEvent; // that launched it
};

inline constexpr TimeNs kUsualKernelDelay = 30'000;

// Of the work of one stream, by begin.
std::vector<IdleGap> idleGaps(const Trace &trace, std::span<const DeviceWork> work,
                              TimeNs kernelDelay = kUsualKernelDelay);

// One row per rank, device and stream: rank device stream gaps idle_ns host_wait_ns kernel_wait_ns other_ns.
Table idleTable(std::span<const RankTrace> traces, const Scope &scope, TimeNs kernelDelay = kUsualKernelDelay,
                const Progress &progress = {});

// One row per gap, longest first: rank device stream start_ns end_ns dur_ns class before after call operator python. before, after: ids of
// the file; call: the launch of the work behind the gap; operator, python: what the launching thread was in when the gap began.
Table idleGapTable(std::span<const RankTrace> traces, const Scope &scope, TimeNs kernelDelay = kUsualKernelDelay,
                   const Progress &progress = {});

} // namespace ks
