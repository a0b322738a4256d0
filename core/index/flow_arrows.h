// SPDX-License-Identifier: GPL-3.0-or-later
// Flow records (phases s, t, f; flow_in and flow_out of bind_id) -> arrows between events.
// Kineto writes a flow record directly behind its slice, with the same thread and time; foreign files are bound by time: s, t and f with
// bp "e" to the innermost event open at that time, f without bp to the next event that begins.
#pragma once

#include "core/index/raw_flow.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>

namespace ks {

// Host and device lane of a (pid, tid), kNoLane where there is none.
struct TrackLanes
{
    LaneId host = kNoLane;
    LaneId device = kNoLane;
};

struct FlowInput
{
    std::span<const RawFlow> flows; // in file order, `eventsBefore` counts in the file
    std::span<const EventId> idOfFileIndex;
    std::span<const NameId> categories;          // by the flows' category
    std::span<const std::uint32_t> groupOfTrack; // process groups: ids are unique within one
    std::span<const TrackLanes> lanesOfTrack;
    TimeNs origin = 0; // of the trace in the time of the flows
};

// `trace` has its events, rows and lanes. Cost: linear, where the ids of each category are close together.
Arrows bindFlows(const Trace &trace, const FlowInput &input);

} // namespace ks
