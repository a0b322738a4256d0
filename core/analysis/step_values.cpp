// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/step_values.h"

#include "core/analysis/call_memory.h"
#include "core/analysis/call_sums.h"
#include "core/analysis/call_work.h"
#include "core/analysis/device_work.h"
#include "core/analysis/host_scope.h"
#include "core/analysis/row_groups.h"
#include "core/analysis/step_at.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <utility>

namespace ks {
namespace {

using Metric = std::int64_t (*)(const OperatorSums &sums);

Metric operatorMetric(std::string_view column)
{
    static constexpr std::pair<std::string_view, Metric> kMetrics[] = {
        {"calls", [](const OperatorSums &sums) { return sums.calls; }},
        {"cpu_total_ns", [](const OperatorSums &sums) { return sums.total; }},
        {"cpu_self_ns", [](const OperatorSums &sums) { return sums.self; }},
        {"device_total_ns", [](const OperatorSums &sums) { return sums.deviceTotal; }},
        {"device_self_ns", [](const OperatorSums &sums) { return sums.deviceSelf; }},
        {"device_total_union_ns", [](const OperatorSums &sums) { return sums.deviceTotalUnion; }},
        {"device_self_union_ns", [](const OperatorSums &sums) { return sums.deviceSelfUnion; }},
        {"device_with_backward_ns", [](const OperatorSums &sums) { return sums.deviceWithBackward; }},
        {"cpu_memory_bytes", [](const OperatorSums &sums) { return sums.memory.host; }},
        {"cpu_memory_self_bytes", [](const OperatorSums &sums) { return sums.memorySelf.host; }},
        {"device_memory_bytes", [](const OperatorSums &sums) { return sums.memory.device; }},
        {"device_memory_self_bytes", [](const OperatorSums &sums) { return sums.memorySelf.device; }},
    };
    for (const auto &[name, metric] : kMetrics) {
        if (name == column)
            return metric;
    }
    return nullptr;
}

// Adds traces up: as many steps as all have.
StepValues ofRanks(std::span<const RankTrace> traces, const Scope &scope,
                   const std::function<void(const Trace &trace, const StepAt &steps, StepValues &values)> &addTrace)
{
    std::vector<std::pair<const Trace *, StepAt>> all;
    StepValues values;
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        all.emplace_back(rank.trace.get(), StepAt(*rank.trace, scope));
        const std::size_t count = all.back().second.steps().size();
        values.steps = all.size() == 1 ? count : std::min(values.steps, count);
    }
    if (values.steps == 0)
        return values;
    for (const auto &[trace, steps] : all)
        addTrace(*trace, steps, values);
    return values;
}

void add(StepValues &values, std::string_view name, std::size_t step, std::int64_t value)
{
    auto known = values.ofName.find(name);
    if (known == values.ofName.end())
        known = values.ofName.emplace(name, std::vector<double>(values.steps, 0)).first;
    if (step < values.steps)
        known->second[step] += static_cast<double>(value);
}

} // namespace

std::vector<double> StepValues::of(std::string_view name) const
{
    const auto known = ofName.find(name);
    return known != ofName.end() ? known->second : std::vector<double>(steps, 0);
}

StepValues operatorSteps(std::span<const RankTrace> traces, const Scope &scope, std::string_view metric,
                         const Progress &progress)
{
    const Metric valueOf = operatorMetric(metric);
    if (!valueOf)
        return {};
    return ofRanks(traces, scope, [&](const Trace &trace, const StepAt &steps, StepValues &values) {
        const TorchNesting &nesting = torchNesting(trace, progress);
        const HostScope selected = hostScope(trace, steps.narrowed(scope), [&](const CallVisitor &visit) {
            for (const TorchNesting::Call &call : nesting.calls()) {
                if (!visit(call.event))
                    return;
            }
        });
        const TraceScope host(trace, selected.host);
        RowGroups groups;
        std::deque<OperatorSums> sums; // by group and step; what is given away stays where it is
        OperatorSums elsewhere;        // in a step that lies in the range with a part of it
        CallSums calls(host, progress);
        calls.includeAll();
        calls.addCalls(
            [&](std::uint32_t i) -> OperatorSums & {
                const EventId event = nesting.calls()[i].event;
                const std::optional<std::size_t> step = steps.at(trace.begin(event));
                if (!step)
                    return elsewhere;
                const std::size_t group = groups.numberOf(trace.nameId(event), trace.kind(event));
                if (sums.size() < groups.all().size() * steps.steps().size())
                    sums.resize(groups.all().size() * steps.steps().size());
                return sums[group * steps.steps().size() + *step];
            },
            nullptr);
        calls.addMemory(callMemory(trace, progress));
        calls.addWork(TraceScope(trace, selected.work), callWork(trace, progress));
        for (std::size_t i = 0; i < sums.size(); ++i)
            add(values, nameText(groups.all()[i / steps.steps().size()].name), i % steps.steps().size(),
                valueOf(sums[i]));
    });
}

StepValues kernelSteps(std::span<const RankTrace> traces, const Scope &scope, std::string_view metric,
                       const Progress &progress)
{
    if (metric != "total_ns" && metric != "calls")
        return {};
    return ofRanks(traces, scope, [&](const Trace &trace, const StepAt &steps, StepValues &values) {
        const Scope narrowed = steps.narrowed(scope);
        const TraceScope selected(trace, narrowed);
        visitWork(selected, progress, [&](std::uint32_t, const WorkIndex::Entry &work, TimeRange part) {
            const EventId by = work.launch != kNoEvent ? work.launch : work.event;
            if (const auto step = steps.at(trace.begin(by)))
                add(values, trace.name(work.event), *step, metric == "calls" ? 1 : part.duration());
        });
    });
}

double mean(std::span<const double> values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double sampleDeviation(std::span<const double> values)
{
    if (values.size() < 2)
        return 0;
    const double middle = mean(values);
    double squares = 0;
    for (const double value : values)
        squares += (value - middle) * (value - middle);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

} // namespace ks
