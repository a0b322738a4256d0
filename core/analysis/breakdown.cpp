// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/breakdown.h"

#include <algorithm>
#include <array>
#include <map>

namespace ks {

Breakdown breakdownOf(std::span<const DeviceWork> work)
{
    Breakdown result;
    std::array<std::vector<TimeRange>, 3> parts;
    result.window = work.front().part;
    for (const DeviceWork &entry : work) {
        parts[static_cast<std::size_t>(entry.workClass)].push_back(entry.part);
        result.window = result.window.united(entry.part);
        result.sum = saturatingAdd(result.sum, entry.part.duration());
        ++result.events;
        if (!entry.isLinked()) {
            ++result.unlinkedEvents;
            result.unlinked = saturatingAdd(result.unlinked, entry.part.duration());
        }
    }
    const Intervals compute = merged(std::move(parts[static_cast<std::size_t>(WorkClass::Compute)]));
    const Intervals communication = merged(std::move(parts[static_cast<std::size_t>(WorkClass::Communication)]));
    const Intervals memory = merged(std::move(parts[static_cast<std::size_t>(WorkClass::Memory)]));
    const Intervals both = unionOf(compute, communication);
    result.busyIntervals = unionOf(both, memory);
    result.busy = lengthOf(result.busyIntervals);
    result.compute = lengthOf(compute);
    result.communication = lengthOf(communication);
    result.memory = lengthOf(memory);
    result.overlap = lengthOf(intersection(communication, compute));
    result.exposedCommunication = result.communication - result.overlap;
    result.exposedMemory = lengthOf(difference(memory, both));
    return result;
}

std::optional<Breakdown> breakdownOf(const BusyIntervals &intervals, const BusyIntervals::Device &device,
                                     TimeRange range)
{
    const std::optional<TimeRange> window = BusyIntervals::hull(device, range);
    if (!window)
        return {};
    const auto within = [range](const BusyTime &busy) { return busy.within(range); };
    Breakdown result;
    result.window = *window;
    result.busy = within(device.all);
    result.compute = within(device.byClass[static_cast<std::size_t>(WorkClass::Compute)]);
    result.communication = within(device.byClass[static_cast<std::size_t>(WorkClass::Communication)]);
    result.memory = within(device.byClass[static_cast<std::size_t>(WorkClass::Memory)]);
    const TimeNs both = within(device.computeOrCommunication);
    result.exposedCommunication = both - result.compute;
    result.overlap = result.communication - result.exposedCommunication;
    result.exposedMemory = result.busy - both;
    const WorkSums sums = intervals.sums(device, range);
    result.events = sums.events;
    result.sum = sums.sum;
    result.unlinkedEvents = sums.unlinkedEvents;
    result.unlinked = sums.unlinked;
    return result;
}

namespace {

Table emptyBreakdownTable()
{
    Table table;
    table.integers("rank", Unit::Id);
    table.integers("device", Unit::Id);
    for (const char *name : {"window_ns", "busy_ns", "idle_ns", "compute_ns", "communication_ns", "memory_ns",
                             "exposed_communication_ns", "exposed_memory_ns", "overlap_ns"})
        table.integers(name, Unit::Ns);
    table.reals("utilisation", Unit::Ratio);
    table.integers("events", Unit::Count);
    table.integers("sum_ns", Unit::Ns);
    table.integers("unlinked_events", Unit::Count);
    table.integers("unlinked_ns", Unit::Ns);
    return table;
}

void appendRow(Table &table, std::optional<std::int64_t> rank, std::optional<std::int64_t> device, const Breakdown &b)
{
    const TimeNs window = b.window.duration();
    std::size_t at = 0;
    const auto put = [&](auto value) { table.column(at++).append(value); };
    put(rank);
    put(device);
    for (const TimeNs value : {window, b.busy, b.idle(), b.compute, b.communication, b.memory, b.exposedCommunication,
                               b.exposedMemory, b.overlap})
        put(value);
    put(window > 0 ? std::optional(static_cast<double>(b.busy) / static_cast<double>(window)) : std::nullopt);
    put(b.events);
    put(b.sum);
    put(b.unlinkedEvents);
    put(b.unlinked);
}

bool isSelected(const Scope &scope, const std::optional<std::int64_t> &device)
{
    return scope.devices.empty()
           || (device && std::find(scope.devices.begin(), scope.devices.end(), *device) != scope.devices.end());
}

// Of what a range of time alone selects: from what is known of the whole trace.
void appendRows(Table &table, const RankTrace &rank, const Scope &scope, TimeRange range)
{
    const BusyIntervals &intervals = busyIntervals(*rank.trace);
    for (const BusyIntervals::Device &device : intervals.devices()) {
        const std::optional<Breakdown> b =
            isSelected(scope, device.device) ? breakdownOf(intervals, device, range) : std::nullopt;
        if (b)
            appendRow(table, rank.rank, device.device, *b);
    }
}

} // namespace

Table breakdownTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table = emptyBreakdownTable();
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        const TraceScope selected(trace, scope);
        if (selected.isOnlyRangeOfDevices()) {
            appendRows(table, rank, scope, selected.range().value_or(TimeRange{kMinTime, kMaxTime}));
            continue;
        }
        std::map<std::optional<std::int64_t>, std::vector<DeviceWork>> byDevice;
        for (const DeviceWork &work : selectedWork(selected, progress))
            byDevice[trace.lane(work.lane).device].push_back(work);
        for (const auto &[device, work] : byDevice)
            appendRow(table, rank.rank, device, breakdownOf(work));
    }
    return table;
}

Table tracelensBreakdownTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table = emptyBreakdownTable();
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        std::vector<DeviceWork> work = selectedWork(TraceScope(*rank.trace, scope), progress);
        std::erase_if(work, [](const DeviceWork &entry) { return !entry.isLinked(); });
        for (DeviceWork &entry : work) {
            if (entry.kind == EventKind::Memset)
                entry.workClass = WorkClass::Compute;
        }
        if (!work.empty())
            appendRow(table, rank.rank, std::nullopt, breakdownOf(work));
    }
    return table;
}

} // namespace ks
