// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/breakdown.h"
#include "core/analysis/compare.h"
#include "core/analysis/operators.h"
#include "core/analysis/step_table.h"
#include "core/base/parse_number.h"
#include "core/base/text_scan.h"

#include <algorithm>
#include <map>

namespace ks {
namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

std::optional<std::int64_t> peakOf(const Trace &trace)
{
    std::map<std::pair<std::int16_t, std::int16_t>, std::pair<std::int64_t, std::int64_t>> levels; // level, peak
    for (const MemoryRecord &record : trace.memory()) {
        if (record.outOfMemory)
            continue;
        auto &[level, peak] = levels[{record.deviceType, record.deviceId}];
        level = record.totalAllocated != kNoBytes ? record.totalAllocated : level + record.bytes;
        peak = std::max(peak, level);
    }
    std::optional<std::int64_t> host;
    std::optional<std::int64_t> device;
    for (const auto &[key, entry] : levels) {
        std::optional<std::int64_t> &best = key.first == 0 ? host : device;
        best = std::max(best.value_or(0), entry.second);
    }
    return device ? device : host;
}

struct Values
{
    std::optional<double> baseline;
    std::optional<double> candidate;
};

template<typename T>
std::optional<double> asDouble(const std::optional<T> &value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

bool summaryValues(std::string_view metric, const RunSummary &a, const RunSummary &b, Values &values)
{
    if (metric == "step_mean")
        values = {a.stepMean, b.stepMean};
    else if (metric == "device_busy")
        values = {asDouble(a.deviceBusy), asDouble(b.deviceBusy)};
    else if (metric == "device_sum")
        values = {asDouble(a.deviceSum), asDouble(b.deviceSum)};
    else if (metric == "cpu_self")
        values = {asDouble(a.cpuSelf), asDouble(b.cpuSelf)};
    else if (metric == "peak_memory")
        values = {asDouble(a.peakMemory), asDouble(b.peakMemory)};
    else
        return false;
    return true;
}

} // namespace

RunSummary summaryOf(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    RunSummary summary;
    const Table steps = stepTable(traces, scope, progress);
    if (steps.rowCount() != 0) {
        double total = 0;
        for (std::size_t row = 0; row < steps.rowCount(); ++row)
            total += steps.findColumn("dur_ns")->number(row).value_or(0);
        summary.stepMean = total / static_cast<double>(steps.rowCount());
    }
    const auto sumOf = [](const Table &table, std::string_view name) -> std::optional<std::int64_t> {
        if (table.rowCount() == 0)
            return {};
        std::int64_t sum = 0;
        for (std::size_t row = 0; row < table.rowCount(); ++row)
            sum = saturatingAdd(sum, table.findColumn(name)->integer(row));
        return sum;
    };
    const Table device = breakdownTable(traces, scope, progress);
    summary.deviceBusy = sumOf(device, "busy_ns");
    summary.deviceSum = sumOf(device, "sum_ns");
    OperatorOptions withoutFlops;
    withoutFlops.withFlops = false;
    summary.cpuSelf = sumOf(operatorTable(traces, scope, withoutFlops, progress), "cpu_self_ns");
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        if (const auto peak = peakOf(*rank.trace))
            summary.peakMemory = std::max(summary.peakMemory.value_or(0), *peak);
    }
    return summary;
}

std::optional<Gate> parseGate(std::string_view expression)
{
    // Names hold angle brackets: the sign of the gate is the last one.
    const std::size_t sign = expression.find_last_of("<>");
    if (sign == std::string_view::npos)
        return {};
    Gate gate;
    gate.expression = expression;
    gate.metric = trimmed(expression.substr(0, sign));
    gate.isUpper = expression[sign] == '>';
    std::string_view limit = trimmed(expression.substr(sign + 1));
    if (gate.metric.empty() || limit.empty())
        return {};
    if (limit.back() == '%') {
        limit.remove_suffix(1);
        gate.isShare = true;
        if (!parseDouble(trimmed(limit), gate.limit))
            return {};
        gate.limit /= 100;
        return gate;
    }
    const bool isNegative = limit.front() == '-';
    if (isNegative)
        limit.remove_prefix(1);
    std::optional<std::int64_t> value = parseInteger(limit);
    if (!value)
        value = parseDuration(limit);
    if (!value)
        value = parseBytes(limit);
    if (!value)
        return {};
    gate.limit = static_cast<double>(isNegative ? -*value : *value);
    return gate;
}

std::optional<std::string> evaluateGate(Gate &gate, Baseline baseline, Candidate candidate, const Scope &scope,
                                        const CompareOptions &options, const Progress &progress)
{
    Values values;
    const auto named = [&](std::string_view prefix, CompareBy by) {
        if (!gate.metric.starts_with(prefix))
            return false;
        CompareOptions of = options;
        of.by = by;
        if (options.by != by)
            of.metric.clear();
        const std::optional<Table> table = compareTable(baseline, candidate, scope, of, progress);
        const std::string_view name = std::string_view(gate.metric).substr(prefix.size());
        for (std::size_t row = 0; table && row < table->rowCount(); ++row) {
            if (table->findColumn("name")->text(row) == name)
                values = {table->findColumn("baseline")->number(row), table->findColumn("candidate")->number(row)};
        }
        return true;
    };
    const bool isKnown = named("operator:", CompareBy::Operators) || named("kernel:", CompareBy::Kernels)
                         || summaryValues(gate.metric, summaryOf(baseline.traces, scope, progress),
                                          summaryOf(candidate.traces, scope, progress), values);
    if (!isKnown)
        return "'" + gate.metric
               + "' is none of step_mean, device_busy, device_sum, cpu_self, peak_memory, operator:NAME, kernel:NAME";
    if (!values.baseline || !values.candidate)
        return "'" + gate.metric + "' has no value in " + (values.baseline ? "the candidate" : "the baseline");
    gate.baseline = *values.baseline;
    gate.candidate = *values.candidate;
    const double delta = gate.candidate - gate.baseline;
    const double limit = gate.isShare ? gate.limit * gate.baseline : gate.limit;
    gate.failed = gate.isUpper ? delta > limit : delta < limit;
    return {};
}

} // namespace ks
