// SPDX-License-Identifier: GPL-3.0-or-later
// What fills the time of a device: compute, communication, copies, idle. Unions, so compute + exposed communication + exposed memory + idle
// is the window, exactly.
#pragma once

#include "core/analysis/device_work.h"
#include "core/base/intervals.h"
#include "core/table/table.h"
#include "core/trace/busy_intervals.h"

#include <span>

namespace ks {

struct Breakdown
{
    TimeRange window;   // first begin to last end
    TimeNs busy = 0;    // union of everything
    TimeNs compute = 0; // unions by class
    TimeNs communication = 0;
    TimeNs memory = 0;
    TimeNs exposedCommunication = 0; // communication − compute
    TimeNs exposedMemory = 0;        // memory − compute − communication
    TimeNs overlap = 0;              // communication ∩ compute
    TimeNs sum = 0;
    std::uint64_t events = 0;
    std::uint64_t unlinkedEvents = 0;
    TimeNs unlinked = 0;     // sum of work without a launch in the file
    Intervals busyIntervals; // only of a list of work

    TimeNs idle() const { return window.duration() - busy; }
};

// Of work of one device, not empty.
Breakdown breakdownOf(std::span<const DeviceWork> work);
// Of all work of a device in a range of time; none if there is none. Binary searches: some microseconds.
std::optional<Breakdown> breakdownOf(const BusyIntervals &intervals, const BusyIntervals::Device &device,
                                     TimeRange range);

// One row per rank and device: rank device window_ns busy_ns idle_ns compute_ns communication_ns memory_ns exposed_communication_ns
// exposed_memory_ns overlap_ns utilisation events sum_ns unlinked_events unlinked_ns.
Table breakdownTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});
// The same as TraceLens counts it: one row per rank; work without a launch in the file is left out, setting memory is computation.
Table tracelensBreakdownTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

} // namespace ks
