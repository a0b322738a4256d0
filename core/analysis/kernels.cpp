// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/kernels.h"

#include "core/analysis/duration_stats.h"
#include "core/analysis/kernel_facts.h"
#include "core/analysis/work_groups.h"
#include "core/trace/kernel_family.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace ks {
namespace {

// Mean weighted by duration; of work without a duration the plain mean. Whatever order it comes in, to the last bit.
class WeightedMean
{
public:
    // Of `count` pieces that took `weight` together.
    void add(const std::optional<double> &value, std::size_t count, TimeNs weight)
    {
        if (!value)
            return;
        Part &part = m_parts[*value];
        part.count += count;
        part.weight = saturatingAdd(part.weight, weight);
    }
    std::optional<double> mean() const
    {
        double count = 0;
        double plain = 0;
        double sum = 0;
        double weight = 0;
        for (const auto &[value, part] : m_parts) {
            count += static_cast<double>(part.count);
            plain += value * static_cast<double>(part.count);
            sum += value * static_cast<double>(part.weight);
            weight += static_cast<double>(part.weight);
        }
        if (count == 0)
            return {};
        return weight > 0 ? sum / weight : plain / count;
    }

private:
    struct Part
    {
        std::size_t count = 0;
        TimeNs weight = 0;
    };
    std::map<double, Part> m_parts; // by value
};

struct Group
{
    NameId name = kNoName;
    NameId op = kNoName;
    WorkClass workClass = WorkClass::Compute;
    EventKind kind = EventKind::Kernel;
    LaunchConfiguration configuration;
    std::uint64_t calls = 0;
    std::vector<TimeNs> durations; // of all pieces, with those that a range cuts
    WeightedMean blocks;
    WeightedMean occupancy;
};

// Groups by name and class, and by a further number where that counts.
class Groups
{
public:
    Group &of(NameId name, WorkClass workClass)
    {
        const std::size_t place = index(name) * kWorkClasses + static_cast<std::size_t>(workClass);
        if (place >= m_byName.size())
            m_byName.resize(std::max(place + 1, m_byName.size() * 2), 0);
        if (m_byName[place] == 0)
            m_byName[place] = add(name, workClass);
        return all[m_byName[place] - 1];
    }
    Group &of(NameId name, WorkClass workClass, const LaunchConfiguration &launched)
    {
        const std::size_t place = index(name) * kWorkClasses + static_cast<std::size_t>(workClass);
        std::uint32_t &number = m_byConfiguration[Key(
            place, launched.grid, launched.block, launched.registers.value_or(-1), launched.sharedMemory.value_or(-1))];
        if (number == 0) {
            number = add(name, workClass);
            all[number - 1].configuration = launched;
        }
        return all[number - 1];
    }
    Group &of(NameId name, WorkClass workClass, NameId op)
    {
        const std::size_t place = index(name) * kWorkClasses + static_cast<std::size_t>(workClass);
        std::uint32_t &number = m_byOperator[(std::uint64_t{place} << 32U) | index(op)];
        if (number == 0) {
            number = add(name, workClass);
            all[number - 1].op = op;
        }
        return all[number - 1];
    }

    std::deque<Group> all;

private:
    using Key = std::tuple<std::size_t, std::string, std::string, std::int64_t, std::int64_t>;

    std::uint32_t add(NameId name, WorkClass workClass)
    {
        Group &group = all.emplace_back();
        group.name = name;
        group.workClass = workClass;
        return static_cast<std::uint32_t>(all.size());
    }

    std::vector<std::uint32_t> m_byName; // position in `all` + 1
    std::map<Key, std::uint32_t> m_byConfiguration;
    std::unordered_map<std::uint64_t, std::uint32_t> m_byOperator;
};

// Room for so many more, whoever else asks for some.
void makeRoom(std::vector<TimeNs> &values, std::size_t more)
{
    if (values.capacity() < values.size() + more)
        values.reserve(std::max(values.capacity() * 2, values.size() + more));
}

void addTrace(const Trace &trace, const Scope &scope, KernelGrouping grouping, Groups &groups, const Progress &progress)
{
    const WorkGroups &known = workGroups(trace, progress.part(0, 0.8));
    const KernelFacts &facts = kernelFacts(trace, progress);
    const auto rowOf = [&](const WorkGroup &of) -> Group & {
        switch (grouping) {
        case KernelGrouping::Name: break;
        case KernelGrouping::Operator: return groups.of(of.name, of.workClass, of.op);
        case KernelGrouping::Configuration:
            return groups.of(of.name, of.workClass, facts.configurationAt(of.configuration));
        }
        return groups.of(of.name, of.workClass);
    };
    struct Part // of a group of the trace
    {
        Group *row = nullptr;
        std::size_t count = 0;
        std::size_t calls = 0;
        TimeNs sum = 0;
    };
    std::vector<Part> parts(known.all().size());
    const TraceScope selected(trace, scope);
    const std::size_t most = selected.range() ? workIndex(trace).near(*selected.range()).size() : SIZE_MAX;
    visitWork(selected, progress, [&](std::uint32_t position, const WorkIndex::Entry &entry, TimeRange range) {
        Part &part = parts[known.of(position)];
        if (!part.row) {
            const WorkGroup &group = known.all()[known.of(position)];
            part.row = &rowOf(group);
            // Rows by name are made room for once, others as their groups come.
            if (grouping != KernelGrouping::Name)
                makeRoom(part.row->durations, std::min(group.size, most));
            else if (part.row->durations.empty())
                makeRoom(part.row->durations, std::min(group.sizeOfName, most));
        }
        const TimeNs duration = range.duration();
        ++part.count;
        part.sum = saturatingAdd(part.sum, duration);
        part.row->kind = entry.kind;
        part.calls += selected.counts(entry.range.begin) ? 1 : 0;
        part.row->durations.push_back(duration);
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].row)
            continue;
        parts[i].row->calls += parts[i].calls;
        parts[i].row->blocks.add(known.all()[i].blocksPerSm, parts[i].count, parts[i].sum);
        parts[i].row->occupancy.add(known.all()[i].occupancyPercent, parts[i].count, parts[i].sum);
    }
}

std::optional<std::string> ifTold(const std::string &text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

} // namespace

Table kernelTable(std::span<const RankTrace> traces, const Scope &scope, KernelGrouping grouping,
                  const Progress &progress)
{
    Groups groups;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        if (!scope.includesRank(traces[i].rank))
            continue;
        const auto count = static_cast<double>(traces.size());
        addTrace(*traces[i].trace, scope, grouping, groups,
                 progress.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count));
    }
    std::vector<DurationStats> stats;
    double total = 0;
    for (const Group &group : groups.all) {
        stats.emplace_back(group.durations);
        total += static_cast<double>(stats.back().total());
    }

    Table table;
    table.names("name");
    table.texts("kind");
    table.texts("class");
    if (grouping == KernelGrouping::Operator)
        table.names("operator");
    if (grouping == KernelGrouping::Configuration) {
        table.texts("grid");
        table.texts("block");
        table.integers("registers", Unit::Count);
        table.integers("shared_memory_bytes", Unit::Bytes);
    }
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
    for (std::size_t i = 0; i < groups.all.size(); ++i) {
        Group &group = groups.all[i];
        std::size_t at = 0;
        const auto put = [&](auto value) { table.column(at++).append(value); };
        put(group.name);
        put(eventKindId(group.kind));
        put(workClassId(group.workClass));
        if (grouping == KernelGrouping::Operator)
            put(group.op == kNoName ? std::nullopt : std::optional(group.op));
        if (grouping == KernelGrouping::Configuration) {
            put(ifTold(group.configuration.grid));
            put(ifTold(group.configuration.block));
            put(group.configuration.registers);
            put(group.configuration.sharedMemory);
        }
        put(group.calls);
        put(stats[i].total());
        put(stats[i].mean());
        put(stats[i].min());
        put(stats[i].max());
        put(stats[i].sampleDeviation());
        for (const TimeNs quantile : quantilesOf(group.durations, std::array{0.5, 0.95, 0.99}))
            put(quantile);
        put(total > 0 ? std::optional(static_cast<double>(stats[i].total()) / total) : std::nullopt);
        put(kernelFamilyId(kernelFamilyOf(nameText(group.name))));
        put(group.blocks.mean());
        put(group.occupancy.mean());
    }
    table.sort({*table.find("total_ns"), false});
    return table;
}

} // namespace ks
