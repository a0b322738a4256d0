// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_sides.h"

#include "core/analysis/hta_rows.h"
#include "core/analysis/kernels.h"
#include "core/analysis/modules.h"
#include "core/analysis/operators.h"
#include "core/analysis/short_name.h"
#include "core/analysis/step_table.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace ks {
namespace {

// Events of every kind by name, with their durations.
Table namesTable(std::span<const RankTrace> traces, const Scope &scope, const CompareOptions &options,
                 const Progress &progress)
{
    using Entry = std::pair<std::int64_t, TimeNs>; // calls, their time
    std::map<std::string, Entry> names;
    std::unordered_map<NameId, Entry *> known; // entries of a map stay where they are
    const auto add = [&](NameId name, TimeNs duration) {
        Entry *&entry = known[name];
        if (!entry)
            entry = &names[options.shortNames ? shortName(nameText(name)) : std::string(nameText(name))];
        ++entry->first;
        entry->second = saturatingAdd(entry->second, duration);
    };
    const auto isWanted = [&](bool isHost) {
        return options.side == CompareSide::All || (options.side == CompareSide::Cpu) == isHost;
    };
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        if (options.htaRows) {
            const std::vector<HtaRow> rows = htaRows(trace, progress);
            std::optional<std::int64_t> first;
            for (const HtaRow &row : rows) {
                if (row.iteration && (!first || *row.iteration < *first))
                    first = row.iteration;
            }
            for (const HtaRow &row : rows) {
                if (row.iteration == first && isWanted(row.isHost()))
                    add(trace.nameId(row.event), row.duration());
            }
            break; // the first rank only
        }
        const TraceScope selected(trace, scope);
        for (const Lane &lane : trace.lanes()) {
            if (!isWanted(lane.kind != LaneKind::Gpu)
                || !selected.includesLane(static_cast<LaneId>(&lane - trace.lanes().data())))
                continue;
            for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
                if (const auto part = selected.part(id))
                    add(trace.nameId(id), part->duration());
            }
        }
    }
    Table table;
    table.texts("name");
    table.integers("calls", Unit::Count);
    table.integers("dur_ns", Unit::Ns);
    for (const auto &[name, entry] : names) {
        table.column(0).append(name);
        table.column(1).append(entry.first);
        table.column(2).append(entry.second);
    }
    return table;
}

// Kernels by family.
Table familiesTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    const Table kernels = kernelTable(traces, scope, KernelGrouping::Name, progress);
    const Column &family = *kernels.findColumn("family");
    const Column &calls = *kernels.findColumn("calls");
    const Column &total = *kernels.findColumn("total_ns");
    std::map<std::string, std::pair<std::int64_t, TimeNs>, std::less<>> families;
    for (std::size_t row = 0; row < kernels.rowCount(); ++row) {
        auto &[count, time] = families[std::string(family.text(row))];
        count += calls.integer(row);
        time = saturatingAdd(time, total.integer(row));
    }
    Table table;
    table.texts("family");
    table.integers("calls", Unit::Count);
    table.integers("total_ns", Unit::Ns);
    for (const auto &[name, entry] : families) {
        table.column(0).append(name);
        table.column(1).append(entry.first);
        table.column(2).append(entry.second);
    }
    return table;
}

} // namespace

Table comparedTable(std::span<const RankTrace> traces, const Scope &scope, const CompareOptions &options,
                    const Progress &progress)
{
    switch (options.by) {
    case CompareBy::Operators: return operatorTable(traces, scope, {}, progress);
    case CompareBy::Shapes: {
        OperatorOptions byShape;
        byShape.byShape = true;
        return operatorTable(traces, scope, byShape, progress);
    }
    case CompareBy::Kernels: return kernelTable(traces, scope, KernelGrouping::Name, progress);
    case CompareBy::Families: return familiesTable(traces, scope, progress);
    case CompareBy::Modules: return moduleTable(traces, scope, progress);
    case CompareBy::Steps: return stepTable(traces, scope, progress);
    case CompareBy::Names: break;
    }
    return namesTable(traces, scope, options, progress);
}

std::string_view keyColumn(CompareBy by)
{
    switch (by) {
    case CompareBy::Modules: return "path";
    case CompareBy::Families: return "family";
    case CompareBy::Operators:
    case CompareBy::Shapes:
    case CompareBy::Kernels:
    case CompareBy::Steps:
    case CompareBy::Names: break;
    }
    return "name";
}

std::string usualMetric(CompareBy by, const Table &baseline, const Table &candidate)
{
    const auto anyDeviceWork = [&](std::string_view column) {
        for (const Table *table : {&baseline, &candidate}) {
            const Column *device = table->findColumn(column);
            for (std::size_t row = 0; device && row < table->rowCount(); ++row) {
                if (device->number(row).value_or(0) != 0)
                    return true;
            }
        }
        return false;
    };
    switch (by) {
    case CompareBy::Kernels:
    case CompareBy::Families: return "total_ns";
    case CompareBy::Steps:
    case CompareBy::Names: return "dur_ns";
    case CompareBy::Modules: return anyDeviceWork("device_self_ns") ? "device_self_ns" : "host_self_ns";
    case CompareBy::Operators:
    case CompareBy::Shapes: break;
    }
    return anyDeviceWork("device_self_ns") ? "device_self_ns" : "cpu_self_ns";
}

} // namespace ks
