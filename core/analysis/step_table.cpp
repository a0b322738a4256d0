// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/step_table.h"

#include "core/analysis/breakdown.h"

#include <algorithm>

namespace ks {
namespace {

// Time by which a piece of work belongs to a step: the begin of its launch, else its own.
TimeNs starterTime(const Trace &trace, const DeviceWork &work)
{
    const LaunchLink link = trace.launchLink(work.event);
    return trace.begin(link.launch != kNoEvent ? link.launch : work.event);
}

std::vector<DeviceWork> workOfStep(const Trace &trace, std::span<const DeviceWork> work, const Step &step)
{
    std::vector<DeviceWork> own;
    for (const DeviceWork &entry : work) {
        if (step.range.contains(starterTime(trace, entry)))
            own.push_back(entry);
    }
    return own;
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
        for (const Step &step : stepsOf(trace, scope.stepPattern)) {
            if (!isSelected(step, scope, selected))
                continue;
            progress.throwIfStopped();
            const std::vector<DeviceWork> own = workOfStep(trace, work, step);
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
            for (const TimeNs value :
                 {b.compute, b.communication, b.memory, b.exposedCommunication, b.busyTime(), b.idle()})
                put(value);
        }
    }
    return table;
}

} // namespace ks
