// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tensorboard_rules.h"

#include "core/analysis/kernel_facts.h"
#include "core/base/error.h"
#include "core/base/intervals.h"
#include "core/trace/args.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

namespace ks {
namespace {

std::optional<std::int64_t> stepNumber(std::string_view name)
{
    constexpr std::string_view kPrefix = "ProfilerStep#";
    std::int64_t number = 0;
    if (!name.starts_with(kPrefix)
        || std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number).ec != std::errc())
        return {};
    return number;
}

std::vector<TensorboardStep> hostSteps(const Trace &trace)
{
    std::vector<TensorboardStep> steps;
    TimeRange host{kMaxTime, kMinTime};
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        const auto id = static_cast<EventId>(i);
        const EventKind kind = trace.kind(id);
        const bool isOnHost = kind == EventKind::Operator || kind == EventKind::Annotation;
        if (isOnHost || kind == EventKind::GpuAnnotation) {
            if (const auto number = stepNumber(trace.name(id)))
                steps.push_back({*number, trace.range(id)});
        }
        if (kind == EventKind::Operator)
            host = host.united(trace.range(id));
    }
    if (steps.empty() && host.begin <= host.end)
        steps.push_back({0, host});
    std::stable_sort(steps.begin(), steps.end(),
                     [](const TensorboardStep &a, const TensorboardStep &b) { return a.range.begin < b.range.begin; });
    return steps;
}

struct StepWork
{
    TimeRange range{kMaxTime, kMinTime};
    std::uint64_t count = 0;
};

// The plugin knew runtime calls, no driver calls, and no python frames.
bool isRuntimeCall(const Trace &trace, EventId event)
{
    const std::string_view category = trace.category(event);
    return trace.kind(event) == EventKind::Launch && (category == "Runtime" || category.ends_with("_runtime"));
}

// A launch with its work.
struct Launched
{
    TimeRange launch;
    EventId work;
};

std::vector<Launched> launchedWork(const Trace &trace)
{
    std::vector<Launched> all;
    const auto &links = trace.links().ofWork;
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (links.values()[i].launch != kNoEvent && isRuntimeCall(trace, links.values()[i].launch))
            all.push_back({trace.range(links.values()[i].launch), links.ids()[i]});
    }
    return all;
}

enum Role : std::size_t { kKernel, kMemcpy, kMemset, kCommunication, kRuntime, kDataLoader, kCpuExec, kRoles };

bool isDataLoader(std::string_view name)
{
    return (name.starts_with("enumerate(DataLoader)#") && name.ends_with("__next__"))
           || name.starts_with("enumerate(DataPipe)#");
}

bool isCollectiveCall(std::string_view name)
{
    constexpr std::array kNames = {std::string_view("broadcast"), std::string_view("reduce"),
                                   std::string_view("all_reduce"), std::string_view("all_gather"),
                                   std::string_view("reduce_scatter")};
    for (const std::string_view backend : {"nccl:", "gloo:"}) {
        if (name.starts_with(backend))
            return std::find(kNames.begin(), kNames.end(), name.substr(backend.size())) != kNames.end();
    }
    return false;
}

// Of many events at once: a packed file is unpacked once. "" where there is none.
std::vector<std::string> externalIdsOf(const Trace &trace, const std::vector<EventId> &events)
{
    std::vector<std::string> ids(events.size());
    try {
        const std::vector<Args> args = parseArgs(trace, events);
        for (std::size_t i = 0; i < events.size(); ++i) {
            for (const std::string_view key : {"External id", "external id"}) {
                if (const auto json = findArg(args[i], key))
                    ids[i] = argText(*json);
            }
        }
    } catch (const SourceChanged &) {
        ids.assign(events.size(), {});
    }
    return ids;
}

// Union of each role, in order of priority.
std::array<Intervals, kRoles> rolesOf(const Trace &trace, const Progress &progress)
{
    std::array<std::vector<TimeRange>, kRoles> ranges;
    std::vector<EventId> calls;
    std::vector<EventId> kernels;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        const auto id = static_cast<EventId>(i);
        const EventKind kind = trace.kind(id);
        if (kind == EventKind::Kernel)
            kernels.push_back(id);
        else if ((kind == EventKind::Operator || kind == EventKind::Annotation) && isCollectiveCall(trace.name(id)))
            calls.push_back(id);
    }
    std::set<std::string> collectives;
    for (const std::string &external : externalIdsOf(trace, calls)) {
        if (!external.empty() && external != "0")
            collectives.insert(external);
    }
    for (const EventId call : calls)
        ranges[kCommunication].push_back(trace.range(call));
    const std::vector<std::string> ofKernels =
        collectives.empty() ? std::vector<std::string>(kernels.size()) : externalIdsOf(trace, kernels);
    for (std::size_t i = 0; i < kernels.size(); ++i)
        ranges[collectives.contains(ofKernels[i]) ? kCommunication : kKernel].push_back(trace.range(kernels[i]));
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (i % 65536 == 0)
            progress.throwIfStopped();
        const auto id = static_cast<EventId>(i);
        const TimeRange range = trace.range(id);
        switch (trace.kind(id)) {
        case EventKind::Memcpy: ranges[kMemcpy].push_back(range); break;
        case EventKind::Memset: ranges[kMemset].push_back(range); break;
        case EventKind::Launch:
            if (isRuntimeCall(trace, id))
                ranges[kRuntime].push_back(range);
            break;
        case EventKind::Operator:
        case EventKind::Annotation:
            if (isCollectiveCall(trace.name(id)) || stepNumber(trace.name(id)))
                break;
            ranges[isDataLoader(trace.name(id)) ? kDataLoader : kCpuExec].push_back(range);
            break;
        default: break;
        }
    }
    std::array<Intervals, kRoles> roles;
    for (std::size_t i = 0; i < kRoles; ++i)
        roles[i] = merged(std::move(ranges[i]));
    return roles;
}

std::optional<TimeRange> windowOf(const std::vector<TensorboardStep> &steps)
{
    if (steps.empty())
        return {};
    return TimeRange{steps.front().range.begin, steps.back().range.end};
}

// ∫ min(Σ blocks per SM, 1) over the window.
double smTime(const Trace &trace, const std::vector<DeviceWork> &kernels, const KernelFacts &facts, TimeRange window)
{
    std::vector<std::pair<TimeNs, double>> changes;
    for (const DeviceWork &kernel : kernels) {
        const TimeRange range = trace.range(kernel.event).clampedTo(window);
        const std::optional<double> blocks = facts.blocksPerSm(kernel.position);
        if (!blocks || *blocks <= 0 || range.isEmpty())
            continue;
        changes.emplace_back(range.begin, *blocks);
        changes.emplace_back(range.end, -*blocks);
    }
    std::sort(changes.begin(), changes.end());
    double running = 0;
    double time = 0;
    for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
        running += changes[i].second;
        time += std::clamp(running, 0.0, 1.0) * static_cast<double>(changes[i + 1].first - changes[i].first);
    }
    return time;
}

} // namespace

std::vector<TensorboardStep> tensorboardSteps(const Trace &trace)
{
    std::vector<TensorboardStep> steps = hostSteps(trace);
    if (steps.empty())
        return steps;
    std::vector<StepWork> works(steps.size());
    std::set<EventId> inSteps;
    for (const Launched &launched : launchedWork(trace)) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (!steps[i].range.contains(launched.launch))
                continue;
            works[i].range = works[i].range.united(trace.range(launched.work));
            ++works[i].count;
            inSteps.insert(launched.work);
        }
    }
    TimeNs previous = steps.front().range.begin;
    if (works.front().count != 0) {
        for (const EventId work : trace.links().ofWork.ids()) {
            if (!inSteps.contains(work) && trace.end(work) < works.front().range.begin)
                previous = std::max(previous, trace.end(work));
        }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const TimeRange host = steps[i].range;
        const TimeNs begin = std::max(previous, host.begin);
        const TimeNs end = std::max({host.end, begin, works[i].count != 0 ? works[i].range.end : begin});
        steps[i].range = {begin, end};
        previous = end;
    }
    std::size_t keep = steps.size();
    while (keep > 0 && works[keep - 1].count == 0)
        --keep;
    if (keep == 0)
        return steps; // no device work at all: every step stays
    if (keep > 1 && works[keep - 1].count * 10 < works[keep - 2].count * 8)
        --keep;
    steps.resize(keep);
    return steps;
}

Table tensorboardStepTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    table.integers("step", Unit::Id);
    for (const char *name : {"total_ns", "kernel_ns", "memcpy_ns", "memset_ns", "communication_ns", "runtime_ns",
                             "dataloader_ns", "cpu_exec_ns", "other_ns"})
        table.integers(name, Unit::Ns);
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const std::array<Intervals, kRoles> roles = rolesOf(*rank.trace, progress);
        for (const TensorboardStep &step : tensorboardSteps(*rank.trace)) {
            std::array<TimeNs, kRoles> times{};
            const Intervals whole = merged({step.range});
            Intervals taken;
            for (std::size_t role = 0; role < kRoles; ++role) {
                const Intervals own = difference(intersection(roles[role], whole), taken);
                times[role] = lengthOf(own);
                taken = unionOf(taken, own);
            }
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(rank.rank);
            put(step.number);
            put(step.range.duration());
            for (const TimeNs time : times)
                put(time);
            put(step.range.duration() - lengthOf(taken));
        }
    }
    return table;
}

Table tensorboardDeviceTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    table.integers("device", Unit::Id);
    table.integers("window_ns", Unit::Ns);
    table.reals("utilisation", Unit::Ratio);
    table.reals("sm_efficiency", Unit::Ratio);
    table.reals("occupancy_percent", Unit::Percent);
    for (const RankTrace &rank : traces) {
        const Trace &trace = *rank.trace;
        const std::optional<TimeRange> window = windowOf(tensorboardSteps(trace));
        if (!scope.includesRank(rank.rank) || !window || window->isEmpty())
            continue;
        std::map<std::optional<std::int64_t>, std::vector<DeviceWork>> devices;
        for (const DeviceWork &work : selectedWork(TraceScope(trace, {}), progress)) {
            if (work.kind == EventKind::Kernel)
                devices[trace.lane(work.lane).device].push_back(work);
        }
        const KernelFacts &facts = kernelFacts(trace, progress);
        const auto length = static_cast<double>(window->duration());
        for (const auto &[device, kernels] : devices) {
            std::vector<TimeRange> busy;
            double occupancy = 0;
            double weight = 0;
            for (const DeviceWork &kernel : kernels) {
                const TimeRange range = trace.range(kernel.event).clampedTo(*window);
                busy.push_back(range);
                if (const std::optional<double> percent = facts.occupancyPercent(kernel.position)) {
                    occupancy += *percent * static_cast<double>(range.duration());
                    weight += static_cast<double>(range.duration());
                }
            }
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(rank.rank);
            put(device);
            put(window->duration());
            put(static_cast<double>(lengthOf(merged(std::move(busy)))) / length);
            put(smTime(trace, kernels, facts, *window) / length);
            put(weight > 0 ? std::optional(occupancy / weight) : std::nullopt);
        }
    }
    return table;
}

} // namespace ks
