// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/kernels.h"

#include "core/analysis/chain.h"
#include "core/analysis/duration_stats.h"
#include "core/analysis/kernel_args.h"
#include "core/trace/kernel_family.h"

#include <map>
#include <tuple>

namespace ks {
namespace {

// Mean weighted by duration; of work without a duration the plain mean.
class WeightedMean
{
public:
    void add(const std::optional<double> &value, TimeNs weight)
    {
        if (!value)
            return;
        ++m_count;
        m_plain += *value;
        m_sum += *value * static_cast<double>(weight);
        m_weight += static_cast<double>(weight);
    }
    std::optional<double> mean() const
    {
        if (m_count == 0)
            return {};
        return m_weight > 0 ? m_sum / m_weight : m_plain / m_count;
    }

private:
    double m_count = 0;
    double m_plain = 0;
    double m_sum = 0;
    double m_weight = 0;
};

struct Group
{
    EventKind kind = EventKind::Kernel;
    std::uint64_t calls = 0;
    DurationStats stats;
    std::vector<TimeNs> durations;
    WeightedMean blocks;
    WeightedMean occupancy;
};

using Key = std::tuple<NameId, WorkClass, NameId>; // name, class, operator

std::map<Key, Group> groupWork(std::span<const RankTrace> traces, const Scope &scope, KernelGrouping grouping,
                               const Progress &progress)
{
    std::map<Key, Group> groups;
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        const std::vector<DeviceWork> work = selectedWork(TraceScope(trace, scope), progress);
        std::vector<EventId> events;
        for (const DeviceWork &entry : work)
            events.push_back(entry.event);
        const std::vector<KernelArgs> args = kernelArgs(trace, events, progress);
        for (std::size_t i = 0; i < work.size(); ++i) {
            const DeviceWork &entry = work[i];
            const EventId op = grouping == KernelGrouping::Operator ? trace.launchLink(entry.event).op : kNoEvent;
            Group &group =
                groups[{trace.nameId(entry.event), entry.workClass, op == kNoEvent ? kNoName : trace.nameId(op)}];
            group.kind = entry.kind;
            group.calls += entry.isCall ? 1 : 0;
            group.stats.add(entry.part.duration());
            group.durations.push_back(entry.part.duration());
            group.blocks.add(args[i].blocksPerSm, entry.part.duration());
            group.occupancy.add(args[i].occupancyPercent, entry.part.duration());
        }
    }
    return groups;
}

} // namespace

Table kernelTable(std::span<const RankTrace> traces, const Scope &scope, KernelGrouping grouping,
                  const Progress &progress)
{
    std::map<Key, Group> groups = groupWork(traces, scope, grouping, progress);
    double total = 0;
    for (const auto &[key, group] : groups)
        total += static_cast<double>(group.stats.total());

    Table table;
    table.names("name");
    table.texts("kind");
    table.texts("class");
    if (grouping == KernelGrouping::Operator)
        table.names("operator");
    table.integers("calls", Unit::Count);
    table.integers("total_ns", Unit::Ns);
    table.reals("mean_ns", Unit::Ns);
    for (const char *name : {"min_ns", "max_ns"})
        table.integers(name, Unit::Ns);
    table.reals("stddev_ns", Unit::Ns);
    for (const char *name : {"median_ns", "p95_ns", "p99_ns"})
        table.integers(name, Unit::Ns);
    table.reals("share", Unit::Ratio);
    table.texts("family");
    table.reals("blocks_per_sm", Unit::Number);
    table.reals("occupancy_percent", Unit::Percent);
    for (auto &[key, group] : groups) {
        const auto &[name, workClass, op] = key;
        std::size_t at = 0;
        const auto put = [&](auto value) { table.column(at++).append(value); };
        put(name);
        put(eventKindId(group.kind));
        put(workClassId(workClass));
        if (grouping == KernelGrouping::Operator)
            put(op == kNoName ? std::nullopt : std::optional(op));
        put(group.calls);
        put(group.stats.total());
        put(group.stats.mean());
        put(group.stats.min());
        put(group.stats.max());
        put(group.stats.sampleDeviation());
        for (const double quantile : {0.5, 0.95, 0.99})
            put(quantileOf(group.durations, quantile));
        put(total > 0 ? std::optional(static_cast<double>(group.stats.total()) / total) : std::nullopt);
        put(kernelFamilyId(kernelFamilyOf(nameText(name))));
        put(group.blocks.mean());
        put(group.occupancy.mean());
    }
    table.sort({*table.find("total_ns"), false});
    return table;
}

} // namespace ks
