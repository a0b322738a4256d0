// SPDX-License-Identifier: GPL-3.0-or-later
// Flow records (phases s, t, f; flow_in and flow_out of bind_id) -> arrows between events.
// Kineto writes a flow record directly behind its slice, with the same thread and time; foreign files are bound by time: s, t and f with
// bp "e" to the innermost event open at that time, f without bp to the next event that begins.
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ks {

struct FlowRecord
{
    TimeNs time = 0;         // trace time
    std::uint64_t chain = 0; // process group and id
    NameId category = kNoName;
    EventId before = kNoEvent; // the event whose record stands right before this one
    std::uint32_t track = 0;   // lanesOfTrack tells its lanes
    char phase = 's';          // s, t, f; O and I: flow_out and flow_in
    bool bindsToEnclosing = true;
};

// lanesOfTrack[track]: host and device lane of that (pid, tid), kNoLane where there is none.
struct TrackLanes
{
    LaneId host = kNoLane;
    LaneId device = kNoLane;
};

// Records in file order.
Arrows bindFlows(const Trace &trace, std::vector<FlowRecord> records, std::span<const TrackLanes> lanesOfTrack);

} // namespace ks
