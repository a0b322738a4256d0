// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hta_tables.h"

#include "core/analysis/duration_stats.h"
#include "core/analysis/intervals.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace ks {
namespace {

constexpr TimeNs kSlowLaunch = 50'000;
constexpr TimeNs kLateKernel = 100'000;

template<typename Visit>
void forEachRank(std::span<const RankTrace> traces, const Selection &selection, const Progress &progress, Visit visit)
{
    for (const RankTrace &rank : traces) {
        if (selection.includesRank(rank.rank))
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

Table htaBreakdownTable(std::span<const RankTrace> traces, const Selection &selection, const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    for (const char *name :
         {"window_ns", "busy_ns", "idle_ns", "compute_ns", "non_compute_ns", "communication_ns", "overlap_ns"})
        table.integers(name, Unit::Ns);
    table.reals("overlap_ratio", Unit::Ratio);
    forEachRank(traces, selection, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
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

Table htaKernelTable(std::span<const RankTrace> traces, const Selection &selection, const Progress &progress)
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
    forEachRank(traces, selection, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
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

Table htaIdleTable(std::span<const RankTrace> traces, const Selection &selection, TimeNs kernelDelay,
                   const Progress &progress)
{
    Table table;
    for (const char *name : {"rank", "device", "stream"})
        table.integers(name, Unit::Id);
    table.integers("gaps", Unit::Count);
    for (const char *name : {"idle_ns", "host_wait_ns", "kernel_wait_ns", "other_ns"})
        table.integers(name, Unit::Ns);
    forEachRank(traces, selection, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
        std::unordered_map<std::int64_t, TimeNs> launchOf;
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
            std::array<TimeNs, 3> ofClass{};
            for (std::size_t i = 1; i < work.size(); ++i) {
                const TimeNs gap = work[i]->begin - work[i - 1]->end;
                const auto launch = launchOf.find(work[i]->correlation);
                const bool isHostWait = launch != launchOf.end() && launch->second > work[i - 1]->end;
                ofClass[isHostWait ? 0 : gap < kernelDelay ? 1 : 2] += gap;
            }
            RowWriter put(table);
            put(rank.rank)(std::optional<std::int64_t>())(stream)(work.size() - 1)(ofClass[0] + ofClass[1]
                                                                                   + ofClass[2]);
            put(ofClass[0])(ofClass[1])(ofClass[2]);
        }
    });
    return table;
}

Table htaLaunchTable(std::span<const RankTrace> traces, const Selection &selection, bool byRank,
                     const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    if (!byRank)
        table.names("name");
    table.integers("pairs", Unit::Count);
    for (const char *name :
         {"host_total_ns", "device_total_ns", "latency_total_ns", "latency_max_ns", "delay_total_ns"})
        table.integers(name, Unit::Ns);
    table.reals("delay_mean_ns", Unit::Ns);
    table.integers("delay_max_ns", Unit::Ns);
    for (const char *name : {"short_kernels", "slow_launches", "late_kernels"})
        table.integers(name, Unit::Count);
    struct Group
    {
        std::int64_t pairs = 0, shortKernels = 0, slow = 0, late = 0;
        TimeNs host = 0, device = 0, latency = 0, latencyMax = kMinTime, delay = 0, delayMax = 0;
    };
    forEachRank(traces, selection, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
        std::map<NameId, Group> groups;
        for (const auto &[launch, work] : launchPairs(*rank.trace, rows, false)) {
            Group &group = groups[byRank ? kNoName : rank.trace->nameId(launch->event)];
            const TimeNs latency = work->begin - launch->begin;
            const TimeNs delay = std::max<TimeNs>(0, work->begin - launch->begin - launch->duration());
            ++group.pairs;
            group.host += launch->duration();
            group.device += work->duration();
            group.latency += latency;
            group.latencyMax = std::max(group.latencyMax, latency);
            group.delay += delay;
            group.delayMax = std::max(group.delayMax, delay);
            group.shortKernels += launch->duration() <= kSlowLaunch && work->duration() < launch->duration() ? 1 : 0;
            group.slow += launch->duration() > kSlowLaunch ? 1 : 0;
            group.late += delay > kLateKernel ? 1 : 0;
        }
        for (const auto &[name, group] : groups) {
            RowWriter put(table);
            put(rank.rank);
            if (!byRank)
                put(name);
            put(group.pairs)(group.host)(group.device)(group.latency)(group.latencyMax)(group.delay);
            put(static_cast<double>(group.delay)
                / static_cast<double>(group.pairs))(group.delayMax)(group.shortKernels)(group.slow)(group.late);
        }
    });
    table.sort({*table.find("delay_total_ns"), false});
    return table;
}

Table htaQueueTable(std::span<const RankTrace> traces, const Selection &selection, const Progress &progress)
{
    Table table;
    for (const char *name : {"rank", "device", "stream"})
        table.integers(name, Unit::Id);
    table.integers("points", Unit::Count);
    table.integers("max", Unit::Count);
    table.reals("mean_points", Unit::Number);
    table.reals("mean_ns_weighted", Unit::Number);
    forEachRank(traces, selection, progress, [&](const RankTrace &rank, const std::vector<HtaRow> &rows) {
        std::map<std::int64_t, std::vector<std::pair<TimeNs, std::int64_t>>> streams;
        for (const auto &[launch, work] : launchPairs(*rank.trace, rows, true)) {
            streams[work->stream].emplace_back(launch->begin, 1);
            streams[work->stream].emplace_back(work->begin, -1);
        }
        for (auto &[stream, points] : streams) {
            std::stable_sort(points.begin(), points.end(), [](const auto &a, const auto &b) {
                return std::tuple(a.first, -a.second) < std::tuple(b.first, -b.second);
            });
            std::int64_t length = 0;
            std::int64_t longest = 0;
            double sum = 0;
            double weighted = 0;
            for (std::size_t i = 0; i < points.size(); ++i) {
                length += points[i].second;
                longest = std::max(longest, length);
                sum += static_cast<double>(length);
                if (i + 1 < points.size())
                    weighted +=
                        static_cast<double>(length) * static_cast<double>(points[i + 1].first - points[i].first);
            }
            const auto span = static_cast<double>(points.back().first - points.front().first);
            RowWriter put(table);
            put(rank.rank)(std::optional<std::int64_t>())(stream)(points.size())(
                longest)(sum / static_cast<double>(points.size()));
            put(span > 0 ? std::optional(weighted / span) : std::nullopt);
        }
    });
    return table;
}

} // namespace ks
