// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "core/analysis/analysis.h"
#include "core/analysis/hta_rows.h"
#include "core/analysis/kernels.h"
#include "core/analysis/operators.h"
#include "core/analysis/short_name.h"
#include "core/analysis/step_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ks {
namespace {

struct Side
{
    std::int64_t calls = 0;
    double value = 0;
    bool present = false;
};

// Of both runs by name; `order` breaks ties and tells steps apart.
struct Joined
{
    std::string name;
    Side baseline;
    Side candidate;
};

std::string usualMetric(const CompareOptions &options, const Table &baseline, const Table &candidate)
{
    if (!options.metric.empty())
        return options.metric;
    switch (options.by) {
    case CompareBy::Kernels: return "total_ns";
    case CompareBy::Steps: return "dur_ns";
    case CompareBy::Names: return "dur_ns";
    case CompareBy::Operators: break;
    }
    const auto hasDeviceWork = [](const Table &table) {
        const Column *device = table.findColumn("device_self_ns");
        for (std::size_t row = 0; device && row < table.rowCount(); ++row) {
            if (device->number(row).value_or(0) != 0)
                return true;
        }
        return false;
    };
    return hasDeviceWork(baseline) || hasDeviceWork(candidate) ? "device_self_ns" : "cpu_self_ns";
}

// Events of every kind by name, with their durations.
Table namesTable(std::span<const RankTrace> traces, const Scope &scope, const CompareOptions &options,
                 const Progress &progress)
{
    std::map<std::string, std::pair<std::int64_t, TimeNs>> names;
    const auto add = [&](std::string_view name, TimeNs duration) {
        auto &[calls, total] = names[options.shortNames ? shortName(name) : std::string(name)];
        ++calls;
        total = saturatingAdd(total, duration);
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
                    add(trace.name(row.event), row.duration());
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
                    add(trace.name(id), part->duration());
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

Table tableOf(std::span<const RankTrace> traces, const Scope &scope, const CompareOptions &options,
              const Progress &progress)
{
    switch (options.by) {
    case CompareBy::Operators: return operatorTable(traces, scope, {}, progress);
    case CompareBy::Kernels: return kernelTable(traces, scope, KernelGrouping::Name, progress);
    case CompareBy::Steps: return stepTable(traces, scope, progress);
    case CompareBy::Names: break;
    }
    return namesTable(traces, scope, options, progress);
}

std::size_t stepCount(std::span<const RankTrace> traces, const Scope &scope)
{
    std::size_t count = 0;
    for (const RankTrace &rank : traces) {
        if (scope.includesRank(rank.rank))
            count = std::max(count, stepsOf(*rank.trace, scope.stepPattern).size());
    }
    return count;
}

// Adds the rows of one run to the joined ones.
void collect(const Table &table, const Column &metric, bool byPosition, double divisor, Side Joined::*side,
             std::vector<Joined> &rows, std::map<std::string, std::size_t> &known)
{
    const Column *name = table.findColumn("name");
    const Column *calls = table.findColumn("calls");
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        const std::string key = byPosition ? std::to_string(row) : std::string(name->text(row));
        const auto [entry, isNew] = known.try_emplace(key, rows.size());
        if (isNew)
            rows.push_back({std::string(name->text(row)), {}, {}});
        Side &to = rows[entry->second].*side;
        to.present = true;
        to.calls += calls ? static_cast<std::int64_t>(calls->number(row).value_or(0)) : 1;
        to.value += metric.number(row).value_or(0) / divisor;
    }
}

} // namespace

CompareOptions compareOptions(const AnalysisOptions &options)
{
    const std::string_view by = options.choice("by");
    const std::string_view side = options.choice("side");
    CompareOptions how;
    how.by = by == "kernels" ? CompareBy::Kernels
             : by == "steps" ? CompareBy::Steps
             : by == "names" ? CompareBy::Names
                             : CompareBy::Operators;
    how.side = side == "cpu" ? CompareSide::Cpu : side == "gpu" ? CompareSide::Gpu : CompareSide::All;
    how.metric = options.text("metric");
    how.perStep = options.isOn("per-step");
    how.shortNames = options.isOn("short-names");
    how.htaRows = options.rules() == "hta";
    if (how.htaRows && how.by != CompareBy::Names)
        throw AnalysisError("rules", "hta compares --by names only");
    return how;
}

std::optional<Table> compareTable(Baseline baseline, Candidate candidate, const Scope &scope,
                                  const CompareOptions &options, const Progress &progress)
{
    const Table a = tableOf(baseline.traces, scope, options, progress);
    const Table b = tableOf(candidate.traces, scope, options, progress);
    const std::string metricName = usualMetric(options, a, b);
    const Column *metricA = a.findColumn(metricName);
    const Column *metricB = b.findColumn(metricName);
    if (!metricA || !metricB || metricA->isText() || metricA->type() == CellType::List)
        return {};
    const auto divisor = [&](std::span<const RankTrace> traces) {
        return options.perStep ? static_cast<double>(std::max<std::size_t>(1, stepCount(traces, scope))) : 1.0;
    };
    std::vector<Joined> rows;
    std::map<std::string, std::size_t> known;
    const bool byPosition = options.by == CompareBy::Steps;
    collect(a, *metricA, byPosition, divisor(baseline.traces), &Joined::baseline, rows, known);
    collect(b, *metricB, byPosition, divisor(candidate.traces), &Joined::candidate, rows, known);
    std::stable_sort(rows.begin(), rows.end(), [](const Joined &x, const Joined &y) {
        const double deltaX = std::abs(x.candidate.value - x.baseline.value);
        const double deltaY = std::abs(y.candidate.value - y.baseline.value);
        return deltaX != deltaY ? deltaX > deltaY : x.name < y.name;
    });

    const bool isWhole = metricA->type() == CellType::Integer && !options.perStep;
    Table table;
    table.texts("name");
    table.texts("status");
    table.integers("baseline_calls", Unit::Count);
    table.integers("candidate_calls", Unit::Count);
    for (const char *name : {"baseline", "candidate", "delta"})
        table.addColumn(name, metricA->unit(), isWhole ? CellType::Integer : CellType::Real);
    table.reals("ratio", Unit::Ratio);
    for (const Joined &row : rows) {
        table.column(0).append(row.name);
        table.column(1).append(!row.candidate.present ? "baseline" : !row.baseline.present ? "candidate" : "both");
        table.column(2).append(row.baseline.calls);
        table.column(3).append(row.candidate.calls);
        const auto put = [&](std::size_t column, double value) {
            if (isWhole)
                table.column(column).append(static_cast<std::int64_t>(std::llround(value)));
            else
                table.column(column).append(value);
        };
        put(4, row.baseline.value);
        put(5, row.candidate.value);
        put(6, row.candidate.value - row.baseline.value);
        table.column(7).append(row.baseline.value != 0 ? std::optional(row.candidate.value / row.baseline.value)
                                                       : std::nullopt);
    }
    return table;
}

} // namespace ks
