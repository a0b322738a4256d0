// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/launches.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ks {
namespace {

constexpr TimeNs kSlowLaunch = 50'000;
constexpr TimeNs kLateKernel = 100'000;

struct Pairing
{
    EventId launch = kNoEvent;
    DeviceWork work;
    TimeNs host = 0;
    TimeNs latency = 0;
    TimeNs delay = 0;
};

std::vector<Pairing> pairsOf(const Trace &trace, const Selection &selection, const Progress &progress)
{
    std::vector<Pairing> pairs;
    for (const DeviceWork &work : selectedWork(TraceSelection(trace, selection), progress)) {
        const EventId launch = trace.launchLink(work.event).launch;
        if (launch == kNoEvent || !work.isCall)
            continue;
        const TimeNs begin = trace.begin(work.event);
        pairs.push_back({launch, work, trace.duration(launch), begin - trace.begin(launch),
                         std::max<TimeNs>(0, begin - trace.end(launch))});
    }
    return pairs;
}

struct Group
{
    std::uint64_t pairs = 0;
    TimeNs host = 0;
    TimeNs device = 0;
    TimeNs latency = 0;
    TimeNs latencyMax = kMinTime;
    TimeNs delay = 0;
    TimeNs delayMax = 0;
    std::uint64_t shortKernels = 0;
    std::uint64_t slowLaunches = 0;
    std::uint64_t lateKernels = 0;

    void add(const Pairing &pair)
    {
        const TimeNs length = pair.work.part.duration();
        ++pairs;
        host += pair.host;
        device += length;
        latency += pair.latency;
        latencyMax = std::max(latencyMax, pair.latency);
        delay += pair.delay;
        delayMax = std::max(delayMax, pair.delay);
        shortKernels += pair.host <= kSlowLaunch && length < pair.host ? 1 : 0;
        slowLaunches += pair.host > kSlowLaunch ? 1 : 0;
        lateKernels += pair.delay > kLateKernel ? 1 : 0;
    }
};

using StreamKey = std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>; // device, stream

std::map<StreamKey, std::vector<DeviceWork>> byStream(std::vector<DeviceWork> work)
{
    std::map<StreamKey, std::vector<DeviceWork>> streams;
    for (const DeviceWork &entry : work)
        streams[{entry.device, entry.stream}].push_back(entry);
    return streams;
}

} // namespace

std::vector<QueuePoint> launchQueue(const Trace &trace, std::span<const DeviceWork> work)
{
    std::vector<QueuePoint> points;
    for (const DeviceWork &entry : work) {
        const EventId launch = trace.launchLink(entry.event).launch;
        if (launch == kNoEvent)
            continue;
        points.push_back({trace.begin(launch), 1, entry.event, true});
        points.push_back({trace.begin(entry.event), -1, entry.event, false});
    }
    std::stable_sort(points.begin(), points.end(), [](const QueuePoint &a, const QueuePoint &b) {
        return std::tuple(a.time, !a.isLaunch) < std::tuple(b.time, !b.isLaunch);
    });
    std::int64_t length = 0;
    for (QueuePoint &point : points)
        point.length = length += point.length;
    return points;
}

Table launchTable(std::span<const RankTrace> traces, const Selection &selection, LaunchGrouping grouping,
                  const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    if (grouping != LaunchGrouping::Rank)
        table.names("name");
    table.integers("pairs", Unit::Count);
    for (const char *name :
         {"host_total_ns", "device_total_ns", "latency_total_ns", "latency_max_ns", "delay_total_ns"})
        table.integers(name, Unit::Ns);
    table.reals("delay_mean_ns", Unit::Ns);
    table.integers("delay_max_ns", Unit::Ns);
    for (const char *name : {"short_kernels", "slow_launches", "late_kernels"})
        table.integers(name, Unit::Count);
    for (const RankTrace &rank : traces) {
        if (!selection.includesRank(rank.rank))
            continue;
        std::map<NameId, Group> groups;
        for (const Pairing &pair : pairsOf(*rank.trace, selection, progress)) {
            const EventId named = grouping == LaunchGrouping::Launch ? pair.launch : pair.work.event;
            groups[grouping == LaunchGrouping::Rank ? kNoName : rank.trace->nameId(named)].add(pair);
        }
        for (const auto &[name, group] : groups) {
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(rank.rank);
            if (grouping != LaunchGrouping::Rank)
                put(name);
            put(group.pairs);
            for (const TimeNs value : {group.host, group.device, group.latency, group.latencyMax, group.delay})
                put(value);
            put(static_cast<double>(group.delay) / static_cast<double>(group.pairs));
            put(group.delayMax);
            put(group.shortKernels);
            put(group.slowLaunches);
            put(group.lateKernels);
        }
    }
    table.sort({*table.find("delay_total_ns"), false});
    return table;
}

Table launchListTable(std::span<const RankTrace> traces, const Selection &selection, const Progress &progress)
{
    Table table;
    for (const char *name : {"rank", "launch", "kernel", "correlation"})
        table.integers(name, Unit::Id);
    for (const char *name : {"host_ns", "device_ns", "latency_ns", "delay_ns"})
        table.integers(name, Unit::Ns);
    table.integers("queue", Unit::Count);
    for (const RankTrace &rank : traces) {
        if (!selection.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        std::map<EventId, std::int64_t> queueOf;
        for (const auto &[key, work] : byStream(selectedWork(TraceSelection(trace, selection), progress))) {
            for (const QueuePoint &point : launchQueue(trace, work)) {
                if (point.isLaunch)
                    queueOf[point.work] = point.length;
            }
        }
        std::vector<Pairing> pairs = pairsOf(trace, selection, progress);
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
            put(queueOf[pair.work.event]);
        }
    }
    return table;
}

Table queueTable(std::span<const RankTrace> traces, const Selection &selection, const Progress &progress)
{
    Table table;
    for (const char *name : {"rank", "device", "stream"})
        table.integers(name, Unit::Id);
    table.integers("points", Unit::Count);
    table.integers("max", Unit::Count);
    table.reals("mean_points", Unit::Number);
    table.reals("mean_ns_weighted", Unit::Number);
    for (const RankTrace &rank : traces) {
        if (!selection.includesRank(rank.rank))
            continue;
        for (const auto &[key, work] : byStream(selectedWork(TraceSelection(*rank.trace, selection), progress))) {
            const std::vector<QueuePoint> points = launchQueue(*rank.trace, work);
            if (points.empty())
                continue;
            std::int64_t longest = 0;
            double sum = 0;
            double weighted = 0;
            for (std::size_t i = 0; i < points.size(); ++i) {
                const auto length = static_cast<double>(points[i].length);
                longest = std::max(longest, points[i].length);
                sum += length;
                if (i + 1 < points.size())
                    weighted += length * static_cast<double>(points[i + 1].time - points[i].time);
            }
            const auto span = static_cast<double>(points.back().time - points.front().time);
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(rank.rank);
            put(key.first);
            put(key.second);
            put(points.size());
            put(longest);
            put(sum / static_cast<double>(points.size()));
            put(span > 0 ? std::optional(weighted / span) : std::nullopt);
        }
    }
    return table;
}

} // namespace ks
