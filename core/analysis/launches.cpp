// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/launches.h"

#include "core/analysis/wait_stats.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ks {
namespace {

struct Pairing
{
    EventId launch = kNoEvent;
    DeviceWork work;
    TimeNs host = 0;
    TimeNs latency = 0;
    TimeNs delay = 0;
};

std::vector<Pairing> pairsOf(const Trace &trace, const Scope &scope, const Progress &progress)
{
    std::vector<Pairing> pairs;
    for (const DeviceWork &work : selectedWork(TraceScope(trace, scope), progress)) {
        const EventId launch = work.launch;
        if (launch == kNoEvent || !work.isCall)
            continue;
        const TimeNs begin = trace.begin(work.event);
        pairs.push_back({launch, work, trace.duration(launch), begin - trace.begin(launch),
                         std::max<TimeNs>(0, begin - trace.end(launch))});
    }
    return pairs;
}

} // namespace

std::vector<QueuePoint> launchQueue(const Trace &trace, std::span<const DeviceWork> work)
{
    std::vector<QueuePoint> points;
    for (const DeviceWork &entry : work) {
        const EventId launch = entry.launch;
        if (launch == kNoEvent)
            continue;
        points.push_back({trace.begin(launch), 1, entry.event, entry.position, true});
        points.push_back({trace.begin(entry.event), -1, entry.event, entry.position, false});
    }
    std::stable_sort(points.begin(), points.end(), [](const QueuePoint &a, const QueuePoint &b) {
        return std::tuple(a.time, !a.isLaunch) < std::tuple(b.time, !b.isLaunch);
    });
    std::int64_t length = 0;
    for (QueuePoint &point : points)
        point.length = length += point.length;
    return points;
}

Table launchTable(std::span<const RankTrace> traces, const Scope &scope, LaunchGrouping grouping,
                  const Progress &progress)
{
    LaunchStatsTable table(grouping != LaunchGrouping::Rank);
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        std::map<NameId, LaunchStats> groups;
        for (const Pairing &pair : pairsOf(*rank.trace, scope, progress)) {
            const EventId named = grouping == LaunchGrouping::Launch ? pair.launch : pair.work.event;
            groups[grouping == LaunchGrouping::Rank ? kNoName : rank.trace->nameId(named)].add(
                pair.host, pair.work.part.duration(), pair.latency, pair.delay);
        }
        for (const auto &[name, stats] : groups)
            table.append(rank.rank, name, stats);
    }
    return std::move(table).take();
}

Table launchListTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table;
    for (const char *name : {"rank", "launch", "kernel", "correlation"})
        table.integers(name, Unit::Id);
    for (const char *name : {"host_ns", "device_ns", "latency_ns", "delay_ns"})
        table.integers(name, Unit::Ns);
    table.integers("queue", Unit::Count);
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        std::vector<std::int64_t> queueOf(workIndex(trace, progress).byBegin().size(), 0); // by position
        for (const auto &[key, work] : byStream(trace, selectedWork(TraceScope(trace, scope), progress))) {
            for (const QueuePoint &point : launchQueue(trace, work)) {
                if (point.isLaunch)
                    queueOf[point.position] = point.length;
            }
        }
        std::vector<Pairing> pairs = pairsOf(trace, scope, progress);
        std::stable_sort(pairs.begin(), pairs.end(), [&](const Pairing &a, const Pairing &b) {
            return std::tuple(trace.begin(a.launch), trace.fileIndex(a.launch))
                   < std::tuple(trace.begin(b.launch), trace.fileIndex(b.launch));
        });
        for (const Pairing &pair : pairs) {
            const std::uint64_t *correlation = trace.links().correlation.find(pair.work.event);
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(rank.rank);
            put(trace.fileIndex(pair.launch));
            put(trace.fileIndex(pair.work.event));
            put(correlation ? std::optional(static_cast<std::int64_t>(*correlation)) : std::nullopt);
            for (const TimeNs value : {pair.host, pair.work.part.duration(), pair.latency, pair.delay})
                put(value);
            put(queueOf[pair.work.position]);
        }
    }
    return table;
}

Table queueTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    QueueTable table;
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        for (const auto &[key, work] : byStream(*rank.trace, selectedWork(TraceScope(*rank.trace, scope), progress))) {
            std::vector<QueueChange> changes;
            for (const QueuePoint &point : launchQueue(*rank.trace, work))
                changes.push_back({point.time, point.length});
            table.append({rank.rank, key.device, key.stream}, changes);
        }
    }
    return std::move(table).take();
}

} // namespace ks
