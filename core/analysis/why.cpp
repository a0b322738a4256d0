// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/why.h"

#include "core/analysis/collective.h"

#include <algorithm>
#include <array>

namespace ks {
namespace {

bool hasKind(const Trace &trace, EventKind kind)
{
    return std::any_of(trace.categories().begin(), trace.categories().end(),
                       [kind](const Category &category) { return category.kind == kind; });
}

// The smallest correlation id of the work whose launch is in the file.
std::optional<std::uint64_t> smallestLinkedCorrelation(const Trace &trace)
{
    std::optional<std::uint64_t> smallest;
    const auto &links = trace.links().ofWork;
    const auto &correlations = trace.links().correlation;
    std::size_t at = 0;
    for (std::size_t i = 0; i < correlations.size(); ++i) {
        const EventId work = correlations.ids()[i];
        while (at < links.size() && links.ids()[at] < work)
            ++at;
        if (at < links.size() && links.ids()[at] == work && links.values()[at].launch != kNoEvent)
            smallest = std::min(smallest.value_or(correlations.values()[i]), correlations.values()[i]);
    }
    return smallest;
}

MissingLaunch reasonForNoLaunch(const Trace &trace, EventId work, const Args &args)
{
    if (!hasKind(trace, EventKind::Launch) && !hasKind(trace, EventKind::Operator))
        return MissingLaunch::NoCpuEvents;
    for (const std::string_view key : {"graph node id", "graph id"}) {
        const auto id = findArg(args, key);
        if (id && argText(*id) != "0")
            return MissingLaunch::Graph;
    }
    const std::uint64_t *correlation = trace.links().correlation.find(work);
    if (!correlation || *correlation == 0)
        return MissingLaunch::NoCorrelation;
    const auto smallest = smallestLinkedCorrelation(trace);
    if (smallest && *correlation < *smallest)
        return MissingLaunch::BeforeRecording;
    return MissingLaunch::NotRecorded;
}

// Work of the lane that runs before `work` and was not finished at `time`, without that of `launch` itself.
void countQueue(const Trace &trace, EventId work, TimeNs time, EventId launch, Why &why)
{
    const Lane &lane = trace.lane(trace.lane(work));
    for (std::size_t r = index(lane.firstRow); r < index(lane.endRow); ++r) {
        const Row &row = trace.rows()[r];
        // Rows are disjoint: begins and ends both ascend.
        std::size_t low = index(row.firstEvent);
        std::size_t high = index(row.endEvent);
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (trace.end(static_cast<EventId>(middle)) > time)
                high = middle;
            else
                low = middle + 1;
        }
        for (; low < index(row.endEvent) && trace.begin(static_cast<EventId>(low)) < trace.begin(work); ++low) {
            const auto other = static_cast<EventId>(low);
            if (other == work || !isDeviceWork(trace.kind(other)) || trace.launchLink(other).launch == launch)
                continue;
            ++why.queuedBefore;
            if (trace.kind(other) != EventKind::Kernel)
                ++why.queuedCopies;
        }
    }
}

std::optional<LaunchGroup> groupOf(const Trace &trace, EventId work, EventId launch)
{
    const auto all = trace.workOfLaunch(launch);
    LaunchGroup group;
    group.isGraph = isGraphLaunch(trace.name(launch));
    if (all.size() < 2 && !group.isGraph)
        return {};
    group.nodes = all.size();
    group.node = static_cast<std::size_t>(std::find(all.begin(), all.end(), work) - all.begin()) + 1;
    group.replay = 1;
    group.replays = 0;
    for (const EventId other : trace.links().launches) {
        if (trace.nameId(other) != trace.nameId(launch) || trace.workOfLaunch(other).size() != all.size())
            continue;
        ++group.replays;
        if (trace.begin(other) < trace.begin(launch))
            ++group.replay;
    }
    return group;
}

// The forward side of backward work: the mate of the nearest operator around it that has one.
void findForward(const Trace &trace, Why &why)
{
    for (auto link = why.chain.rbegin(); link != why.chain.rend(); ++link) {
        if (trace.kind(link->event) != EventKind::Operator)
            continue;
        why.forwardOp = trace.forwardOf(link->event);
        if (why.forwardOp != kNoEvent)
            break;
    }
    if (why.forwardOp == kNoEvent)
        return;
    EventId innermost = kNoEvent;
    for (const ChainLink &link : chainOf(trace, why.forwardOp, PythonChain::Callers)) {
        if (link.role == ChainRole::Module)
            why.forwardModule = link.event;
        if (link.role != ChainRole::Python)
            continue;
        if (trace.name(link.event).find(".py(") != std::string_view::npos)
            innermost = link.event;
        if (isOwnFrame(trace.name(link.event)))
            why.forwardPython = link.event;
    }
    if (why.forwardPython == kNoEvent)
        why.forwardPython = innermost;
}

Args argsOf(const Trace &trace, EventId event)
{
    return trace.source() && event != kNoEvent ? parseArgs(trace, event) : Args();
}

void readArgs(const Trace &trace, EventId event, const Args &own, Why &why)
{
    const auto take = [&why](const Args &args) {
        if (why.collective.empty()) {
            if (const auto collective = collectiveOf(args))
                why.collective = collectiveLabel(*collective);
        }
        if (why.kernelFile.empty()) {
            if (const auto file = findArg(args, "kernel_file"))
                why.kernelFile = argText(*file);
        }
    };
    take(own);
    const bool isSelf = why.op == event;
    const Args opArgs = isSelf ? own : argsOf(trace, why.op);
    if (!isSelf)
        take(opArgs);
    why.inputs = inputSummary(opArgs);
    // record_param_comms may stand one above the operator that launches, as may the Triton wrapper.
    if (why.op != kNoEvent && why.collective.empty() && why.kernelFile.empty()) {
        const EventId above = trace.parent(why.op);
        if (above != kNoEvent && trace.kind(above) == EventKind::Operator)
            take(argsOf(trace, above));
    }
}

} // namespace

bool isOwnFrame(std::string_view name)
{
    if (name.find(".py(") == std::string_view::npos || name.starts_with('<'))
        return false;
    constexpr std::array kForeign = {std::string_view("torch/"),         std::string_view("site-packages/"),
                                     std::string_view("dist-packages/"), std::string_view("lib/python"),
                                     std::string_view("contextlib.py("), std::string_view("threading.py("),
                                     std::string_view("runpy.py("),      std::string_view("importlib")};
    return std::none_of(kForeign.begin(), kForeign.end(),
                        [name](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

bool isGraphLaunch(std::string_view name)
{
    return name.find("GraphLaunch") != std::string_view::npos;
}

Why whyOf(const Trace &trace, EventId event, const Args *args)
{
    Why why;
    why.chain = chainOf(trace, event, PythonChain::Callers);
    why.op = launchingOperator(trace, event);

    Args own;
    if (args) {
        own = *args;
    } else {
        try {
            own = argsOf(trace, event);
        } catch (const SourceChanged &) {
            why.sourceChanged = true;
        }
    }

    const bool isWork = isDeviceWork(trace.kind(event));
    if (isWork) {
        const LaunchLink link = trace.launchLink(event);
        why.launch = link.launch;
        why.via = link.via;
        if (why.launch == kNoEvent) {
            why.missingLaunch = reasonForNoLaunch(trace, event, own);
        } else {
            why.waited = std::max<TimeNs>(0, saturatingSubtract(trace.begin(event), trace.end(why.launch)));
            if (*why.waited > 0)
                countQueue(trace, event, trace.end(why.launch), why.launch, why);
            why.group = groupOf(trace, event, why.launch);
            if (why.op != kNoEvent)
                why.sinceOperator = saturatingSubtract(trace.begin(why.launch), trace.begin(why.op));
        }
    }
    if (why.op == kNoEvent && (isWork || trace.kind(event) == EventKind::Launch)) {
        if (!hasKind(trace, EventKind::Operator))
            why.missingOperator = MissingOperator::NoOperators;
        else
            why.missingOperator =
                isWork && why.launch == kNoEvent ? MissingOperator::NoLaunch : MissingOperator::NothingAround;
    }
    findForward(trace, why);
    if (!why.sourceChanged) {
        try {
            readArgs(trace, event, own, why);
        } catch (const SourceChanged &) {
            why.sourceChanged = true;
        }
    }
    return why;
}

int DurationRank::percentile() const
{
    if (calls == 0)
        return 0;
    const double rank = static_cast<double>(shorter) + static_cast<double>(equal) / 2;
    return static_cast<int>(rank * 100 / static_cast<double>(calls));
}

DurationRank rankDuration(const Trace &trace, EventId event, const Progress &progress)
{
    const NameId name = trace.nameId(event);
    const EventKind kind = trace.kind(event);
    const auto &names = trace.events().name;
    std::vector<TimeNs> durations;
    constexpr std::size_t kBlock = std::size_t{1} << 16U;
    for (std::size_t start = 0; start < names.size(); start += kBlock) {
        progress.throwIfStopped();
        const std::size_t end = std::min(names.size(), start + kBlock);
        for (std::size_t i = start; i < end; ++i) {
            if (names[i] == name && trace.kind(static_cast<EventId>(i)) == kind)
                durations.push_back(trace.duration(static_cast<EventId>(i)));
        }
    }

    DurationRank rank;
    const TimeNs own = trace.duration(event);
    rank.calls = durations.size();
    for (const TimeNs duration : durations) {
        rank.shorter += duration < own ? 1 : 0;
        rank.equal += duration == own ? 1 : 0;
        rank.total = saturatingAdd(rank.total, duration);
    }
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::nth_element(durations.begin(), middle, durations.end());
    rank.median = *middle;
    const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
    rank.minimum = *least;
    rank.maximum = *most;
    if (rank.minimum < rank.maximum) {
        constexpr std::size_t kBins = 24;
        rank.bins.assign(kBins, 0);
        const auto binOf = [&rank](TimeNs duration) {
            const double share =
                static_cast<double>(duration - rank.minimum) / static_cast<double>(rank.maximum - rank.minimum);
            return std::min(kBins - 1, static_cast<std::size_t>(share * static_cast<double>(kBins)));
        };
        for (const TimeNs duration : durations)
            ++rank.bins[binOf(duration)];
        rank.ownBin = binOf(own);
    }
    return rank;
}

} // namespace ks
