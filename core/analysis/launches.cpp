// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/launches.h"

#include "core/analysis/wait_stats.h"
#include "core/base/gallop.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <map>
#include <optional>

namespace ks {
namespace {

struct Pairing
{
    EventId launch = kNoEvent;
    EventId work = kNoEvent;
    LaneId lane = kNoLane;      // of the work
    std::uint32_t position = 0; // of the work in workIndex(trace)
    TimeNs host = 0;
    TimeNs device = 0;
    TimeNs latency = 0;
    TimeNs delay = 0;
};

std::vector<Pairing> pairsOf(const Trace &trace, std::span<const DeviceWork> selected)
{
    std::vector<Pairing> pairs;
    pairs.reserve(selected.size());
    for (const DeviceWork &work : selected) {
        const EventId launch = work.launch;
        if (launch == kNoEvent || !work.isCall)
            continue;
        const TimeNs begin = trace.begin(work.event);
        const TimeRange call = trace.range(launch);
        pairs.push_back({launch, work.event, work.lane, work.position, trace.duration(launch), work.part.duration(),
                         begin - call.begin, std::max<TimeNs>(0, begin - call.end)});
    }
    return pairs;
}

// Positions of pairs in the order of their launches; of one launch as they stand.
std::vector<std::uint32_t> byLaunch(const Trace &trace, std::span<const Pairing> pairs)
{
    struct Key
    {
        TimeNs begin;
        std::uint32_t file;
        std::uint32_t pair;
        auto operator<=>(const Key &) const = default;
    };
    std::vector<Key> keys;
    keys.reserve(pairs.size());
    for (const Pairing &pair : pairs)
        keys.push_back(
            {trace.begin(pair.launch), trace.fileIndex(pair.launch), static_cast<std::uint32_t>(keys.size())});
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> order;
    order.reserve(keys.size());
    for (const Key &key : keys)
        order.push_back(key.pair);
    return order;
}

// Correlations of work, quick where the work of each lane is asked for by begin.
class Correlations
{
public:
    explicit Correlations(const Trace &trace)
        : m_column(trace.links().correlation)
        , m_last(trace.lanes().size(), 0)
    {}

    std::optional<std::int64_t> of(LaneId lane, EventId work)
    {
        const auto ids = m_column.ids();
        std::size_t &at = m_last[index(lane)];
        if (at < ids.size() && ids[at] > work)
            at = 0;
        at = gallop(at, ids.size(), [&](std::size_t i) { return ids[i] >= work; });
        if (at == ids.size() || ids[at] != work)
            return {};
        return static_cast<std::int64_t>(m_column.values()[at]);
    }

private:
    const SparseColumn<std::uint64_t> &m_column;
    std::vector<std::size_t> m_last; // by lane: where the last one stood
};

bool isEarlier(const QueuePoint &a, const QueuePoint &b)
{
    return a.time < b.time;
}

void sortByTime(std::vector<QueuePoint> &points)
{
    if (!std::is_sorted(points.begin(), points.end(), isEarlier))
        std::stable_sort(points.begin(), points.end(), isEarlier);
}

} // namespace

std::vector<QueuePoint> launchQueue(const Trace &trace, std::span<const DeviceWork> work)
{
    std::vector<QueuePoint> launches, begins; // each mostly in order
    launches.reserve(work.size());
    begins.reserve(work.size());
    for (const DeviceWork &entry : work) {
        const EventId launch = entry.launch;
        if (launch == kNoEvent)
            continue;
        launches.push_back({trace.begin(launch), 1, entry.event, entry.position, true});
        begins.push_back({trace.begin(entry.event), -1, entry.event, entry.position, false});
    }
    sortByTime(launches);
    sortByTime(begins);
    std::vector<QueuePoint> points;
    points.reserve(launches.size() + begins.size());
    std::merge(launches.begin(), launches.end(), begins.begin(), begins.end(), std::back_inserter(points), isEarlier);
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
        for (const Pairing &pair : pairsOf(*rank.trace, selectedWork(TraceScope(*rank.trace, scope), progress))) {
            const EventId named = grouping == LaunchGrouping::Launch ? pair.launch : pair.work;
            groups[grouping == LaunchGrouping::Rank ? kNoName : rank.trace->nameId(named)].add(
                pair.host, pair.device, pair.latency, pair.delay);
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
        const std::vector<DeviceWork> selected = selectedWork(TraceScope(trace, scope), progress);
        for (const auto &[key, work] : byStream(trace, selected)) {
            for (const QueuePoint &point : launchQueue(trace, work)) {
                if (point.isLaunch)
                    queueOf[point.position] = point.length;
            }
        }
        const std::vector<Pairing> pairs = pairsOf(trace, selected);
        std::vector<std::optional<std::int64_t>> correlations;
        correlations.reserve(pairs.size());
        Correlations ofTrace(trace);
        for (const Pairing &pair : pairs)
            correlations.push_back(ofTrace.of(pair.lane, pair.work));
        table.expectMore(pairs.size());
        for (const std::uint32_t next : byLaunch(trace, pairs)) {
            const Pairing &pair = pairs[next];
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(rank.rank);
            put(trace.fileIndex(pair.launch));
            put(trace.fileIndex(pair.work));
            put(correlations[next]);
            for (const TimeNs value : {pair.host, pair.device, pair.latency, pair.delay})
                put(value);
            put(queueOf[pair.position]);
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
