// SPDX-License-Identifier: GPL-3.0-or-later
// What drawing needs beyond the order of the trace itself, made once per trace and then shared: groups of lanes in
// window order, curves, instants by lane, busy time of streams and devices, longest events. Immutable. What depends on
// the colouring is in level_of_detail.h. Build: O(lanes log lanes + memory records + counter samples + device events),
// about 15 ms per million of them, and 1 ns per event.
#pragma once

#include "core/base/busy_time.h"
#include "core/trace/trace.h"
#include "core/view/curve.h"
#include "core/view/duration_blocks.h"
#include "core/view/projection.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ks {

enum class CurveUnit : std::uint8_t { Bytes, Number };

// One lane of curves: a device's memory, or a counter with its series.
struct CurveLane
{
    std::string name; // "memory", "launch queue", or the counter's name
    CurveUnit unit = CurveUnit::Number;
    std::vector<Curve> curves; // memory: allocated, then reserved if told
    Extremes extremes;         // over all curves, 0 included
    std::vector<TimeNs> outOfMemory;
};

// What stands under one heading: a process on the host, or a device.
struct LaneGroup
{
    ProcessId process = kNoProcess; // kNoProcess: memory or counters of a process without events
    bool isDevice = false;
    std::optional<std::int64_t> device;    // number of the device
    std::string title;                     // "rank 0 · python 4711", "GPU 0 · NVIDIA H100"
    std::vector<LaneId> lanes;             // in window order
    std::vector<std::uint32_t> curveLanes; // positions in ViewIndex::curveLanes
    BusyTime busy;                         // devices: union over all streams
    std::vector<ProjectedRow> causes;      // devices: what they work for
};

class ViewIndex
{
public:
    explicit ViewIndex(const Trace &trace);

    const std::vector<LaneGroup> &groups() const { return m_groups; }
    const std::vector<CurveLane> &curveLanes() const { return m_curveLanes; }
    const DurationBlocks &durations() const { return m_durations; }
    const BusyTime *busy(LaneId lane) const; // null on host lanes
    // Positions in Trace::instants() of one lane, by time.
    std::span<const std::uint32_t> instantsOf(LaneId lane) const;

private:
    void addLaunchQueues(const Trace &trace);
    void addCurves(const Trace &trace);
    void addInstants(const Trace &trace);

    DurationBlocks m_durations;
    std::vector<LaneGroup> m_groups;
    std::vector<CurveLane> m_curveLanes;
    std::vector<bool> m_isDevice;                                 // by lane: in a group of a device
    std::vector<BusyTime> m_busy;                                 // by lane
    std::vector<std::uint32_t> m_instants;                        // sorted by (lane, time)
    std::vector<std::pair<LaneId, std::uint32_t>> m_instantsFrom; // lane -> first position in m_instants
};

} // namespace ks
