// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hta_tables.h"

#include "core/analysis/duration_stats.h"
#include "core/analysis/wait_stats.h"
#include "core/base/hash.h"
#include "core/base/intervals.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace ks {
namespace {

template<typename Visit>
void forEachRank(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress, Visit visit)
{
    for (const RankTrace &rank : traces) {
        if (scope.includesRank(rank.rank))
            visit(rank, htaRows(*rank.trace, progress));
    }
}

class RowWriter
{
public:
    explicit RowWriter(Table &table)
        : m_table(table)
    {}
    template<typename Value>
    RowWriter &operator()(const Value &value)
    {
        m_table.column(m_at++).append(value);
        return *this;
    }

private:
    Table &m_table;
    std::size_t m_at = 0;
};

bool isLaunchName(std::string_view name, bool forQueue)
{
    constexpr std::array kLaunches = {std::string_view("cudaLaunchKernel"), std::string_view("cudaLaunchKernelExC"),
                                      std::string_view("cudaMemcpyAsync"), std::string_view("cudaMemsetAsync"),
                                      std::string_view("runFunction - job_prep_and_submit_for_execution")};
    constexpr std::array kMore = {std::string_view("cuLaunchKernel"),     std::string_view("cuLaunchKernelEx"),
                                  std::string_view("hipLaunchKernel"),    std::string_view("hipExtModuleLaunchKernel"),
                                  std::string_view("hipMemsetAsync"),     std::string_view("hipMemcpyAsync"),
                                  std::string_view("hipMemcpyWithStream")};
    return std::find(kLaunches.begin(), kLaunches.end(), name) != kLaunches.end()
           || (forQueue && std::find(kMore.begin(), kMore.end(), name) != kMore.end());
}

// Calls of those names with the device rows of the same correlation.
std::vector<std::pair<const HtaRow *, const HtaRow *>> launchPairs(const Trace &trace, const std::vector<HtaRow> &rows,
                                                                   bool forQueue)
{
    std::unordered_multimap<std::int64_t, const HtaRow *> device;
    for (const HtaRow &row : rows) {
        if (!row.isHost() && row.correlation >= 0)
            device.emplace(row.correlation, &row);
    }
    std::vector<std::pair<const HtaRow *, const HtaRow *>> pairs;
    for (const HtaRow &row : rows) {
        if (!row.isHost() || row.correlation < 0 || !isLaunchName(trace.name(row.event), forQueue))
            continue;
        const auto [first, last] = device.equal_range(row.correlation);
        for (auto at = first; at != last; ++at)
            pairs.emplace_back(&row, at->second);
    }
    return pairs;
}

} // namespace

Table htaBreakdownTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    for (const char *name :
         {"window_ns", "busy_ns", "idle_ns", "compute_ns", "non_compute_ns", "communication_ns", "overlap_ns"})
        table.integers(name, Unit::Ns);
    table.reals("overlap_ratio", Unit::Ratio);
    forEachRank(traces, scope, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
        std::vector<TimeRange> all, compute, communication;
        TimeRange window{kMaxTime, kMinTime};
        for (const HtaRow &row : rows) {
            if (row.isHost())
                continue;
            const TimeRange range{row.begin, row.end};
            window = window.united(range);
            all.push_back(range);
            const HtaClass htaClass = htaClassOf(rank.trace->name(row.event));
            if (htaClass == HtaClass::Compute)
                compute.push_back(range);
            else if (htaClass == HtaClass::Communication)
                communication.push_back(range);
        }
        if (all.empty())
            return;
        const TimeNs busy = lengthOf(merged(std::move(all)));
        const Intervals computing = merged(std::move(compute));
        const Intervals communicating = merged(std::move(communication));
        const TimeNs overlap = lengthOf(intersection(communicating, computing));
        const TimeNs inCommunication = lengthOf(communicating);
        const TimeNs idle = window.duration() - busy;
        RowWriter put(table);
        put(rank.rank)(window.duration())(busy)(idle)(lengthOf(computing))(window.duration() - lengthOf(computing)
                                                                           - idle)(inCommunication)(overlap);
        put(inCommunication > 0 ? std::optional(static_cast<double>(overlap) / static_cast<double>(inCommunication))
                                : std::nullopt);
    });
    return table;
}

Table htaKernelTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    table.names("name");
    table.texts("class");
    table.integers("calls", Unit::Count);
    table.integers("total_ns", Unit::Ns);
    table.reals("mean_ns", Unit::Ns);
    for (const char *name : {"min_ns", "max_ns"})
        table.integers(name, Unit::Ns);
    table.reals("stddev_ns", Unit::Ns);
    forEachRank(traces, scope, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
        std::map<NameId, DurationStats> groups;
        for (const HtaRow &row : rows) {
            if (!row.isHost())
                groups[rank.trace->nameId(row.event)].add(row.duration());
        }
        for (const auto &[name, stats] : groups) {
            RowWriter put(table);
            put(rank.rank)(name)(htaClassId(htaClassOf(nameText(name))))(stats.count())(stats.total())(stats.mean())(
                stats.min())(stats.max())(stats.sampleDeviation());
        }
    });
    table.sort({*table.find("total_ns"), false});
    return table;
}

Table htaIdleTable(std::span<const RankTrace> traces, const Scope &scope, TimeNs kernelDelay, const Progress &progress)
{
    IdleTimesTable table;
    forEachRank(traces, scope, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
        std::unordered_map<std::int64_t, TimeNs, NumberHash> launchOf;
        std::map<std::int64_t, std::vector<const HtaRow *>> streams;
        for (const HtaRow &row : rows) {
            if (row.isHost() && row.correlation >= 0)
                launchOf.emplace(row.correlation, row.begin);
            else if (!row.isHost() && isDeviceWork(rank.trace->kind(row.event)))
                streams[row.stream].push_back(&row);
        }
        for (auto &[stream, work] : streams) {
            std::stable_sort(work.begin(), work.end(),
                             [](const HtaRow *a, const HtaRow *b) { return a->begin < b->begin; });
            IdleTimes times;
            for (std::size_t i = 1; i < work.size(); ++i) {
                const TimeNs gap = work[i]->begin - work[i - 1]->end;
                const auto launch = launchOf.find(work[i]->correlation);
                const bool isHostWait = launch != launchOf.end() && launch->second > work[i - 1]->end;
                times.add(isHostWait          ? GapClass::HostWait
                          : gap < kernelDelay ? GapClass::KernelWait
                                              : GapClass::Other,
                          gap);
            }
            table.append({rank.rank, std::nullopt, stream}, times);
        }
    });
    return std::move(table).take();
}

Table htaLaunchTable(std::span<const RankTrace> traces, const Scope &scope, bool byRank, const Progress &progress)
{
    LaunchStatsTable table(!byRank);
    forEachRank(traces, scope, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
        std::map<NameId, LaunchStats> groups;
        for (const auto &[launch, work] : launchPairs(*rank.trace, rows, false)) {
            groups[byRank ? kNoName : rank.trace->nameId(launch->event)].add(
                launch->duration(), work->duration(), work->begin - launch->begin,
                std::max<TimeNs>(0, work->begin - launch->end));
        }
        for (const auto &[name, stats] : groups)
            table.append(rank.rank, name, stats);
    });
    return std::move(table).take();
}

Table htaQueueTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    QueueTable table;
    forEachRank(traces, scope, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
        std::map<std::int64_t, std::vector<QueueChange>> streams; // changes by one; then lengths
        for (const auto &[launch, work] : launchPairs(*rank.trace, rows, true)) {
            streams[work->stream].push_back({launch->begin, 1});
            streams[work->stream].push_back({work->begin, -1});
        }
        for (auto &[stream, changes] : streams) {
            std::stable_sort(changes.begin(), changes.end(), [](const QueueChange &a, const QueueChange &b) {
                return std::tuple(a.time, -a.length) < std::tuple(b.time, -b.length);
            });
            std::int64_t length = 0;
            for (QueueChange &change : changes)
                change.length = length += change.length;
            table.append({rank.rank, std::nullopt, stream}, changes);
        }
    });
    return std::move(table).take();
}

} // namespace ks
