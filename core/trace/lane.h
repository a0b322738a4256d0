// SPDX-License-Identifier: GPL-3.0-or-later
// Processes, lanes and rows: where events stand. A lane is (process, thread or stream, host or device); its events are the ids
// [firstEvent, endEvent). A row is one nesting depth of one group of a lane: a contiguous id range of disjoint events sorted by begin.
#pragma once

#include "core/base/ids.h"
#include "core/base/scalar_id.h"
#include "core/trace/event_kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ks {

struct Process
{
    ScalarId pid;
    std::string name;                // last process_name, "" if none
    std::vector<std::string> labels; // all process_labels, in file order, without repetitions
    std::int64_t sortIndex = 0;
    std::optional<std::int64_t> rank; // of a file merged from several ranks: the rank its pid tells
    std::vector<LaneId> lanes;        // ascending
};

// What a lane is for; decides its place and its name in the window.
enum class LaneRole : std::uint8_t {
    MainThread,     // runs the steps, else launches most
    AutogradThread, // pt_autograd_N, or the thread most backward operators run on
    Thread,
    ComputeStream,
    CommunicationStream,
    CopyStream,
    SyncLane, // cuda_sync only
    OtherStream,
    AsyncTrack,
    Overhead,
    Scaffolding, // Spans, Traces: not shown
};

// The groups of a lane, drawn one under the other.
enum class RowGroup : std::uint8_t {
    Annotations, // of device lanes: ranges projected onto the device, and syncs; they cross the work and are none
    Work,        // operators, annotations, launches, device work: everything else
    Python,      // python_function
};
inline constexpr std::size_t kRowGroups = 3;
constexpr RowGroup rowGroupOf(EventKind kind)
{
    if (kind == EventKind::Python)
        return RowGroup::Python;
    return kind == EventKind::GpuAnnotation || kind == EventKind::Sync ? RowGroup::Annotations : RowGroup::Work;
}

struct Lane
{
    ProcessId process = kNoProcess;
    LaneKind kind = LaneKind::Cpu;
    LaneRole role = LaneRole::Thread;
    ScalarId tid;
    bool hasThread = true; // async lanes have no pid and tid of their own
    std::string name;      // thread name trimmed, else the number
    std::int64_t sortIndex = 0;
    std::optional<std::int64_t> device; // device lanes: device number
    std::optional<std::int64_t> stream;
    RowId firstRow{};
    RowId endRow{};
    EventId firstEvent{};
    EventId endEvent{};
};

struct Row
{
    LaneId lane = kNoLane;
    RowGroup group = RowGroup::Work;
    std::uint32_t depth = 0; // within the group
    EventId firstEvent{};
    EventId endEvent{};
};

} // namespace ks
