// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/idle.h"

#include "core/base/gallop.h"

#include <algorithm>
#include <array>

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
        , m_places(trace.rows().size())
    {}

    struct Found
    {
        EventId op = kNoEvent;
        EventId python = kNoEvent;
    };

    Found at(LaneId lane, TimeNs time)
    {
        Found found;
        TimeNs opBegin = kMinTime;
        TimeNs pythonBegin = kMinTime;
        const Lane &where = m_trace.lane(lane);
        for (RowId row = where.firstRow; row != where.endRow; row = advance(row, 1)) {
            Place &place = m_places[index(row)];
            if (time < place.begin || time >= place.nextBegin)
                move(place, m_trace.row(row), time);
            if (place.end <= time)
                continue;
            const EventKind kind = m_trace.kind(place.event);
            const bool isOp = kind == EventKind::Operator;
            if (!isOp && kind != EventKind::Python)
                continue;
            TimeNs &latest = isOp ? opBegin : pythonBegin;
            if (place.begin >= latest) {
                latest = place.begin;
                (isOp ? found.op : found.python) = place.event;
            }
        }
        return found;
    }

private:
    // What a row holds from the begin of an event to that of the next one.
    struct Place
    {
        TimeNs begin = kMaxTime; // of the event; before the first one the begin of time
        TimeNs nextBegin = kMinTime;
        TimeNs end = kMinTime; // of the event; before the first one the begin of time
        std::size_t next = 0;  // the event behind
        EventId event = kNoEvent;
    };

    void move(Place &place, const Row &row, TimeNs time) const
    {
        const auto &begins = m_trace.events().begin;
        const std::size_t first = index(row.firstEvent);
        const std::size_t end = index(row.endEvent);
        const std::size_t from = place.next == 0 || time < place.begin ? first : place.next;
        place.next = gallop(from, end, [&](std::size_t i) { return begins[i] > time; });
        place.nextBegin = place.next != end ? begins[place.next] : kMaxTime;
        place.begin = kMinTime;
        place.end = kMinTime;
        if (place.next == first)
            return;
        place.event = static_cast<EventId>(place.next - 1);
        place.begin = begins[place.next - 1];
        place.end = m_trace.end(place.event);
    }

    const Trace &m_trace;
    std::vector<Place> m_places; // by row
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
            IdleGap gap{{end, next.part.begin}, GapClass::Other, last, next.event, next.launch};
            if (next.launch != kNoEvent && trace.begin(next.launch) > end)
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
    table.names("class");
    for (const char *name : {"before", "after", "call"})
        table.integers(name, Unit::Id);
    for (const char *name : {"operator", "python"})
        table.names(name);
    std::array<NameId, kGapClasses> classNames{};
    for (std::size_t i = 0; i < classNames.size(); ++i)
        classNames[i] = internName(gapClassId(static_cast<GapClass>(i)));
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
                      const std::vector<IdleGap> gaps = idleGaps(trace, work, kernelDelay);
                      table.expectMore(gaps.size());
                      for (const IdleGap &gap : gaps) {
                          const EventId call = gap.call;
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
                          put(classNames[static_cast<std::size_t>(gap.gapClass)]);
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
