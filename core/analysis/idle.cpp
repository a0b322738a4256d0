// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/idle.h"

#include <algorithm>

namespace ks {
namespace {

template<typename Visit>
void forEachStream(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress, Visit visit)
{
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        for (const auto &[key, work] : byStream(trace, selectedWork(TraceScope(trace, scope), progress)))
            visit(rank, key, work);
    }
}

// The innermost event of that kind which is open at `time` on the lane; its rows are asked one by one.
EventId openAt(const Trace &trace, LaneId lane, TimeNs time, EventKind kind)
{
    const auto &begins = trace.events().begin;
    EventId best = kNoEvent;
    const Lane &where = trace.lane(lane);
    for (const Row &row : trace.rows().subspan(index(where.firstRow), distance(where.firstRow, where.endRow))) {
        const auto first = begins.begin() + static_cast<std::ptrdiff_t>(index(row.firstEvent));
        const auto last = begins.begin() + static_cast<std::ptrdiff_t>(index(row.endEvent));
        const auto after = std::upper_bound(first, last, time);
        if (after == first)
            continue;
        const auto event = static_cast<EventId>(after - begins.begin() - 1);
        if (trace.end(event) > time && trace.kind(event) == kind
            && (best == kNoEvent || trace.begin(event) >= trace.begin(best)))
            best = event;
    }
    return best;
}

} // namespace

std::string_view gapClassId(GapClass gapClass)
{
    switch (gapClass) {
    case GapClass::HostWait: return "host_wait";
    case GapClass::KernelWait: return "kernel_wait";
    case GapClass::Other: return "other";
    }
    return "";
}

std::vector<IdleGap> idleGaps(const Trace &trace, std::span<const DeviceWork> work, TimeNs kernelDelay)
{
    std::vector<IdleGap> gaps;
    EventId last = kNoEvent; // ends latest so far
    TimeNs end = kMinTime;
    for (const DeviceWork &next : work) {
        if (last != kNoEvent && next.part.begin > end) {
            IdleGap gap{{end, next.part.begin}, GapClass::Other, last, next.event};
            const EventId launch = next.launch;
            if (launch != kNoEvent && trace.begin(launch) > end)
                gap.gapClass = GapClass::HostWait;
            else if (gap.range.duration() < kernelDelay)
                gap.gapClass = GapClass::KernelWait;
            gaps.push_back(gap);
        }
        if (last == kNoEvent || next.part.end > end) {
            end = next.part.end;
            last = next.event;
        }
    }
    return gaps;
}

Table idleTable(std::span<const RankTrace> traces, const Scope &scope, TimeNs kernelDelay, const Progress &progress)
{
    IdleTimesTable table;
    forEachStream(traces, scope, progress,
                  [&](const RankTrace &rank, const WorkStream &key, const std::vector<DeviceWork> &work) {
                      IdleTimes times;
                      for (const IdleGap &gap : idleGaps(*rank.trace, work, kernelDelay))
                          times.add(gap.gapClass, gap.range.duration());
                      table.append({rank.rank, key.device, key.stream}, times);
                  });
    return std::move(table).take();
}

Table idleGapTable(std::span<const RankTrace> traces, const Scope &scope, TimeNs kernelDelay, const Progress &progress)
{
    Table table;
    for (const char *name : {"rank", "device", "stream"})
        table.integers(name, Unit::Id);
    for (const char *name : {"start_ns", "end_ns", "dur_ns"})
        table.integers(name, Unit::Ns);
    table.texts("class");
    for (const char *name : {"before", "after", "call"})
        table.integers(name, Unit::Id);
    for (const char *name : {"operator", "python"})
        table.names(name);
    forEachStream(
        traces, scope, progress,
        [&](const RankTrace &rank, const WorkStream &key, const std::vector<DeviceWork> &work) {
            const Trace &trace = *rank.trace;
            const auto fileNs = [&trace](TimeNs time) { return static_cast<std::int64_t>(trace.fileTime(time)); };
            const auto nameOf = [&trace](EventId event) {
                return event == kNoEvent ? std::nullopt : std::optional(trace.nameId(event));
            };
            for (const IdleGap &gap : idleGaps(trace, work, kernelDelay)) {
                const EventId call = trace.launchLink(gap.after).launch;
                const auto open = [&](EventKind kind) {
                    return call == kNoEvent ? kNoEvent : openAt(trace, trace.lane(call), gap.range.begin, kind);
                };
                std::size_t at = 0;
                const auto put = [&](auto value) { table.column(at++).append(value); };
                put(rank.rank);
                put(key.device);
                put(key.stream);
                put(fileNs(gap.range.begin));
                put(fileNs(gap.range.end));
                put(gap.range.duration());
                put(gapClassId(gap.gapClass));
                put(trace.fileIndex(gap.before));
                put(trace.fileIndex(gap.after));
                put(call == kNoEvent ? std::nullopt : std::optional(trace.fileIndex(call)));
                put(nameOf(open(EventKind::Operator)));
                put(nameOf(open(EventKind::Python)));
            }
        });
    table.sort({*table.find("dur_ns"), false});
    return table;
}

} // namespace ks
