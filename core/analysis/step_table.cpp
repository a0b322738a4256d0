// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/step_table.h"

#include "core/analysis/breakdown.h"

#include <algorithm>

namespace ks {
namespace {

// The work of each step: that whose launch, or itself where there is none, begins in the step. Steps come by begin.
std::vector<std::vector<DeviceWork>> workOfSteps(const Trace &trace, std::span<const DeviceWork> work,
                                                 std::span<const Step> steps)
{
    std::vector<TimeNs> latestEnd; // of all steps up to each
    for (const Step &step : steps)
        latestEnd.push_back(std::max(step.range.end, latestEnd.empty() ? kMinTime : latestEnd.back()));
    std::vector<std::vector<DeviceWork>> ofStep(steps.size());
    for (const DeviceWork &entry : work) {
        const TimeNs time = trace.begin(entry.isLinked() ? entry.launch : entry.event);
        auto at = static_cast<std::size_t>(
            std::upper_bound(steps.begin(), steps.end(), time,
                             [](TimeNs wanted, const Step &step) { return wanted < step.range.begin; })
            - steps.begin());
        for (; at > 0 && latestEnd[at - 1] > time; --at) {
            if (steps[at - 1].range.contains(time))
                ofStep[at - 1].push_back(entry);
        }
    }
    return ofStep;
}

bool isSelected(const Step &step, const Scope &scope, const TraceScope &selected)
{
    if (scope.steps && (step.number < scope.steps->first || step.number > scope.steps->last))
        return false;
    const std::optional<TimeRange> range = selected.range();
    return !range || range->intersects(step.range);
}

} // namespace

Table stepTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    table.integers("step", Unit::Id);
    table.names("name");
    for (const char *name : {"start_ns", "dur_ns", "device_start_ns", "device_end_ns"})
        table.integers(name, Unit::Ns);
    table.integers("device_work", Unit::Count);
    for (const char *name : {"compute_ns", "communication_ns", "memory_ns", "exposed_communication_ns",
                             "device_busy_ns", "device_idle_ns"})
        table.integers(name, Unit::Ns);
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        const auto fileNs = [&trace](TimeNs time) { return static_cast<std::int64_t>(trace.fileTime(time)); };
        const TraceScope selected(trace, scope);
        const std::vector<DeviceWork> work = selectedWork(selected, progress);
        const std::vector<Step> steps = stepsOf(trace, scope.stepPattern);
        const std::vector<std::vector<DeviceWork>> workOf = workOfSteps(trace, work, steps);
        for (std::size_t s = 0; s < steps.size(); ++s) {
            const Step &step = steps[s];
            if (!isSelected(step, scope, selected))
                continue;
            progress.throwIfStopped();
            const std::vector<DeviceWork> &own = workOf[s];
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(rank.rank);
            put(step.number);
            put(trace.nameId(step.event));
            put(fileNs(step.range.begin));
            put(step.range.duration());
            if (own.empty()) {
                while (at < table.columns().size())
                    table.column(at++).appendNull();
                continue;
            }
            const Breakdown b = breakdownOf(own);
            put(fileNs(b.window.begin));
            put(fileNs(b.window.end));
            put(b.events);
            for (const TimeNs value : {b.compute, b.communication, b.memory, b.exposedCommunication, b.busy, b.idle()})
                put(value);
        }
    }
    return table;
}

} // namespace ks
