// SPDX-License-Identifier: GPL-3.0-or-later
// What an area of the timeline consists of, in one value: the events on its lanes, what its devices did, and why they
// waited. Only the part inside the area counts.
#pragma once

#include "core/analysis/work_summary.h"

#include <array>
#include <cstdint>
#include <span>

namespace ks {

struct AreaSummary
{
    WorkSummary work;
    // Of the devices with lanes in the area, summed over them; shares are of `wall`, so that
    // compute + exposed communication + exposed copies + idle = wall, exactly.
    std::size_t devices = 0;
    TimeNs wall = 0; // length of the area times devices
    TimeNs busy = 0; // unions per device
    TimeNs compute = 0;
    TimeNs exposedCommunication = 0; // while nothing is computed
    TimeNs exposedCopies = 0;        // while nothing is computed or communicated
    TimeNs idle = 0;
    // Idle time between work by class, as idle.h classifies the gaps of a stream, here of a device: host wait, kernel
    // wait, other. Idle time before the first and behind the last piece of work in the area is other.
    std::array<TimeNs, 3> idleOfClass{};
    // In which operator (else launch call) the launching thread was when most of the host waits began; none if there
    // are no host waits.
    NameId waitingCall = kNoName;

    void add(const AreaSummary &other); // of another trace
};

// Lanes: none = all. Cost: binary searches per row, then the events inside. Throws Cancelled.
AreaSummary areaSummary(const Trace &trace, TimeRange range, std::span<const LaneId> lanes,
                        const Progress &progress = {});

} // namespace ks
