// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/idle.h"

#include "core/base/gallop.h"

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

// The innermost operator and python frame that run on a thread at a moment. Quick for ascending moments.
class OpenEvents
{
public:
    explicit OpenEvents(const Trace &trace)
        : m_trace(trace)
        , m_after(trace.rows().size(), kUnasked)
    {}

    struct Found
    {
        EventId op = kNoEvent;
        EventId python = kNoEvent;
    };

    Found at(LaneId lane, TimeNs time)
    {
        Found found;
        const Lane &where = m_trace.lane(lane);
        for (RowId row = where.firstRow; row != where.endRow; row = advance(row, 1)) {
            const EventId event = lastBegun(row, time);
            if (event == kNoEvent || m_trace.end(event) <= time)
                continue;
            const EventKind kind = m_trace.kind(event);
            if (kind != EventKind::Operator && kind != EventKind::Python)
                continue;
            EventId &best = kind == EventKind::Operator ? found.op : found.python;
            if (best == kNoEvent || m_trace.begin(event) >= m_trace.begin(best))
                best = event;
        }
        return found;
    }

private:
    static constexpr std::size_t kUnasked = static_cast<std::size_t>(-1);

    EventId lastBegun(RowId id, TimeNs time)
    {
        const auto &begins = m_trace.events().begin;
        const Row &row = m_trace.rows()[index(id)];
        const std::size_t first = index(row.firstEvent);
        std::size_t &after = m_after[index(id)];
        if (after == kUnasked || (after > first && begins[after - 1] > time))
            after = first;
        after = gallop(after, index(row.endEvent), [&](std::size_t i) { return begins[i] > time; });
        return after == first ? kNoEvent : static_cast<EventId>(after - 1);
    }

    const Trace &m_trace;
    std::vector<std::size_t> m_after; // by row: the first event that begins after the moment asked for last
};

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
    forEachStream(traces, scope, progress,
                  [&](const RankTrace &rank, const WorkStream &key, const std::vector<DeviceWork> &work) {
                      const Trace &trace = *rank.trace;
                      const auto fileNs = [&trace](TimeNs time) {
                          return static_cast<std::int64_t>(trace.fileTime(time));
                      };
                      const auto nameOf = [&trace](EventId event) {
                          return event == kNoEvent ? std::nullopt : std::optional(trace.nameId(event));
                      };
                      OpenEvents openEvents(trace);
                      for (const IdleGap &gap : idleGaps(trace, work, kernelDelay)) {
                          const EventId call = trace.launchLink(gap.after).launch;
                          const OpenEvents::Found open =
                              call == kNoEvent ? OpenEvents::Found() : openEvents.at(trace.lane(call), gap.range.begin);
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
                          put(nameOf(open.op));
                          put(nameOf(open.python));
                      }
                  });
    table.sort({*table.find("dur_ns"), false});
    return table;
}

} // namespace ks
