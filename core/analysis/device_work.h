// SPDX-License-Identifier: GPL-3.0-or-later
// Device work of a scope.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"
#include "core/trace/work_class.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ks {

// All device work of a trace by (begin, file order), with what tables ask again and again. 32 bytes each.
class WorkIndex
{
public:
    struct Entry
    {
        TimeRange range; // of the event
        EventId event = kNoEvent;
        EventId launch = kNoEvent;
        LaneId lane = kNoLane;
        WorkClass workClass = WorkClass::Compute;
        EventKind kind = EventKind::Kernel;
    };

    explicit WorkIndex(const Trace &trace, const Progress &progress = {});

    std::span<const Entry> byBegin() const { return m_entries; }
    // Those that may overlap the range: from the first that reaches into it (or one of its block) to the last that
    // begins in it. O(log n)
    std::span<const Entry> near(TimeRange range) const;

private:
    std::vector<Entry> m_entries;
    std::vector<TimeNs> m_latestEnd; // of all entries up to and with each block
};

// Of the trace, made on first use and kept.
const WorkIndex &workIndex(const Trace &trace, const Progress &progress = {});

// Positions in workIndex.
struct WorkStretch
{
    std::uint32_t first = 0, end = 0;
};

// Visits the work of a scope by begin of the part inside: visit(position in workIndex, entry, part). Of pieces that
// a range cuts, and so begin together, the order is that of the index. Within: only what stands there.
template<typename Visit>
void visitWork(const TraceScope &scope, const Progress &progress, Visit visit,
               WorkStretch within = {0, std::numeric_limits<std::uint32_t>::max()})
{
    const WorkIndex &all = workIndex(scope.trace(), progress);
    const std::span<const WorkIndex::Entry> near = scope.range() ? all.near(*scope.range()) : all.byBegin();
    const auto first = static_cast<std::uint32_t>(near.data() - all.byBegin().data());
    const std::uint32_t end = std::min(within.end, first + static_cast<std::uint32_t>(near.size()));
    for (std::uint32_t position = std::max(first, within.first); position < end; ++position) {
        if ((position & 0xffffU) == 0)
            progress.throwIfStopped();
        const WorkIndex::Entry &entry = all.byBegin()[position];
        if (scope.includesLane(entry.lane)) {
            if (const std::optional<TimeRange> part = scope.workPart(entry.event, entry.launch, entry.range))
                visit(position, entry, *part);
        }
    }
}

struct DeviceWork
{
    TimeRange part; // inside the scope
    EventId event = kNoEvent;
    EventId launch = kNoEvent; // kNoEvent: not in the file
    LaneId lane = kNoLane;
    std::uint32_t position = 0; // in workIndex(trace)
    WorkClass workClass = WorkClass::Compute;
    EventKind kind = EventKind::Kernel;
    bool isCall = true; // starts inside the scope

    bool isLinked() const { return launch != kNoEvent; }
};

// By (begin of the part, file order). Cost: some nanoseconds a piece near the range.
std::vector<DeviceWork> selectedWork(const TraceScope &scope, const Progress &progress = {});

// A stream of a device; both null where the file tells none.
struct WorkStream
{
    std::optional<std::int64_t> device;
    std::optional<std::int64_t> stream;
    friend auto operator<=>(const WorkStream &, const WorkStream &) = default;
};
WorkStream streamOf(const Trace &trace, const DeviceWork &work);
// The work of each stream, by device and stream.
std::vector<std::pair<WorkStream, std::vector<DeviceWork>>> byStream(const Trace &trace,
                                                                     std::span<const DeviceWork> work);

} // namespace ks
