// SPDX-License-Identifier: GPL-3.0-or-later
// A trace: an immutable value of columns, shared as shared_ptr<const Trace>. Every accessor is thread-safe and, unless said
// otherwise, one or two array reads. Invariants (tests/core/tst_trace_invariants.cpp):
// rows are disjoint and sorted by begin; a parent stands on its child's lane and encloses it (1 ns of grace at the end); every link has its back link.
#pragma once

#include "core/base/byte_source.h"
#include "core/base/ids.h"
#include "core/base/name_pool.h"
#include "core/base/time.h"
#include "core/trace/counter.h"
#include "core/trace/derived_data.h"
#include "core/trace/diagnostics.h"
#include "core/trace/event_kind.h"
#include "core/trace/event_table.h"
#include "core/trace/instant.h"
#include "core/trace/lane.h"
#include "core/trace/links.h"
#include "core/trace/memory_log.h"
#include "core/trace/metadata.h"
#include "core/trace/step.h"

#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace ks {

struct Category
{
    NameId text = kNoName; // `cat` as in the file, "" if absent
    EventKind kind = EventKind::Other;
};

// Everything a Trace holds; filled by the importer, then frozen.
struct TraceData
{
    std::vector<Process> processes; // in display order (sort index, name, pid); only those with lanes
    std::vector<Lane> lanes;        // process by process; within one by sort index, name, number
    std::vector<Row> rows;          // lane by lane
    std::vector<Category> categories;
    EventTable events;
    LaunchLinks links;
    Arrows arrows;
    Mates mates;
    MemoryLog memory;
    std::vector<Instant> instants;
    std::vector<Counter> counters;
    std::vector<Step> steps; // by begin
    Metadata metadata;
    Diagnostics diagnostics;
    std::int64_t fileOrigin = 0;              // file time of trace time 0
    TimeRange range;                          // over events and instants (over counters if there is nothing else)
    TimeRange mainRange;                      // the same without outliers: what the window shows on opening
    std::shared_ptr<const ByteSource> source; // for arguments; may be null in tests
};

class Trace
{
public:
    explicit Trace(TraceData data);
    Trace(const Trace &) = delete;
    Trace &operator=(const Trace &) = delete;

    // For the importer, while it still holds the trace alone; everybody else sees a const Trace.
    TraceData &building() { return m_data; }

    // Events
    std::size_t eventCount() const { return m_data.events.size(); }
    TimeNs begin(EventId id) const { return m_data.events.begin[index(id)]; }
    TimeNs duration(EventId id) const
    {
        const std::uint32_t d = m_data.events.duration[index(id)];
        return d != EventTable::kLong ? TimeNs{d} : longDuration(id);
    }
    TimeNs end(EventId id) const { return saturatingAdd(begin(id), duration(id)); }
    TimeRange range(EventId id) const { return {begin(id), end(id)}; }
    NameId nameId(EventId id) const { return m_data.events.name[index(id)]; }
    std::string_view name(EventId id) const { return nameText(nameId(id)); }
    EventKind kind(EventId id) const { return categoryOf(id).kind; }
    std::string_view category(EventId id) const { return nameText(categoryOf(id).text); }
    EventId parent(EventId id) const { return m_data.events.parent[index(id)]; } // geometric; kNoEvent at the top
    EventId caller(EventId id) const { return m_data.events.caller.value(id, kNoEvent); } // by Python parent id
    RowId row(EventId id) const;                                                          // binary search over rows
    LaneId lane(EventId id) const;                                                        // binary search over lanes
    bool isUnfinished(EventId id) const;
    std::uint32_t fileIndex(EventId id) const { return m_data.events.fileIndex[index(id)]; }
    EventId eventAtFileIndex(std::uint32_t fileIndex) const; // kNoEvent beyond the end; first call builds the inverse
    std::uint64_t recordOffset(EventId id) const
    {
        return std::uint64_t{m_data.events.recordOffsetLow[index(id)]}
               | (std::uint64_t{m_data.events.recordOffsetHigh[index(id)]} << 32U);
    }
    // Self time by geometry: duration minus the parts of the children inside it. Built on first use (7 ns per event, 8 B each).
    TimeNs selfTime(EventId id) const;

    // Where events stand
    std::span<const Process> processes() const { return m_data.processes; }
    std::span<const Lane> lanes() const { return m_data.lanes; }
    std::span<const Row> rows() const { return m_data.rows; }
    const Process &process(ProcessId id) const { return m_data.processes[index(id)]; }
    const Lane &lane(LaneId id) const { return m_data.lanes[index(id)]; }
    const Row &row(RowId id) const { return m_data.rows[index(id)]; }
    const Process &processOf(const Lane &lane) const { return process(lane.process); }
    std::span<const Category> categories() const { return m_data.categories; }

    // Links
    LaunchLink launchLink(EventId work) const { return m_data.links.ofWork.value(work, {}); }
    std::span<const EventId> workOfLaunch(EventId launch) const { return m_data.links.workOfLaunch.of(launch); }
    const LaunchLinks &links() const { return m_data.links; }
    const Arrows &arrows() const { return m_data.arrows; }
    std::span<const Arrow> arrowsFrom(EventId id) const;
    std::vector<Arrow> arrowsTo(EventId id) const;
    const Mates &mates() const { return m_data.mates; }
    EventId forwardOf(EventId backward) const { return m_data.mates.forwardOfBackward.value(backward, kNoEvent); }
    std::span<const EventId> backwardOf(EventId forward) const { return m_data.mates.backwardOfForward.of(forward); }

    // The rest
    const MemoryLog &memory() const { return m_data.memory; }
    std::span<const Instant> instants() const { return m_data.instants; }
    std::span<const Counter> counters() const { return m_data.counters; }
    std::span<const Step> steps() const { return m_data.steps; }
    const Metadata &metadata() const { return m_data.metadata; }
    const Diagnostics &diagnostics() const { return m_data.diagnostics; }
    TimeRange range() const { return m_data.range; }
    TimeRange mainRange() const { return m_data.mainRange; }
    const ByteSource *source() const { return m_data.source.get(); }
    const EventTable &events() const { return m_data.events; }
    const DerivedData &derived() const { return m_derived; } // what others compute from the trace once

    // Between the two origins of time.
    FileTimeNs fileTime(TimeNs t) const { return FileTimeNs{saturatingAdd(m_data.fileOrigin, t)}; }
    TimeNs traceTime(FileTimeNs t) const { return saturatingSubtract(static_cast<std::int64_t>(t), m_data.fileOrigin); }

private:
    const Category &categoryOf(EventId id) const { return m_data.categories[index(m_data.events.category[index(id)])]; }
    TimeNs longDuration(EventId id) const;

    TraceData m_data;
    mutable std::once_flag m_inverseOnce;
    mutable std::vector<EventId> m_inverse;
    mutable std::once_flag m_selfOnce;
    mutable std::vector<TimeNs> m_self;
    DerivedData m_derived;
};

} // namespace ks
