// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/chain.h"

#include <algorithm>

namespace ks {
namespace {

// Guards against endless chains in damaged files; real stacks are below 200.
constexpr std::size_t kMaxDepth = 4096;

// The order in which a nesting is opened: of two events that start together the longer one, then the first in the file,
// is outside.
bool opensBefore(const Trace &trace, EventId a, EventId b)
{
    const TimeRange ra = trace.range(a);
    const TimeRange rb = trace.range(b);
    if (ra.begin != rb.begin)
        return ra.begin < rb.begin;
    if (ra.end != rb.end)
        return ra.end > rb.end;
    return trace.fileIndex(a) < trace.fileIndex(b);
}

bool encloses(const Trace &trace, EventId outer, EventId inner)
{
    return opensBefore(trace, outer, inner) && trace.end(outer) >= trace.end(inner);
}

// First event of [first, end) that starts at or after `time`; the range is one row.
EventId firstAtOrAfter(const Trace &trace, EventId first, EventId end, TimeNs time)
{
    const auto &begins = trace.events().begin;
    const auto at = std::lower_bound(begins.begin() + static_cast<std::ptrdiff_t>(first),
                                     begins.begin() + static_cast<std::ptrdiff_t>(end), time);
    return static_cast<EventId>(at - begins.begin());
}

std::span<const Row> rowsOf(const Trace &trace, LaneId lane)
{
    const Lane &of = trace.lane(lane);
    return trace.rows().subspan(index(of.firstRow), distance(of.firstRow, of.endRow));
}

// Every event of the lane around `event`, outermost first, without itself. The parents are most of them; where events
// cross, an event can enclose this one without being a parent of its parents, so every row is asked once.
std::vector<EventId> enclosingOnLane(const Trace &trace, EventId event)
{
    std::vector<EventId> around;
    for (EventId up = trace.parent(event); up != kNoEvent && around.size() < kMaxDepth; up = trace.parent(up))
        around.push_back(up);
    std::reverse(around.begin(), around.end());

    const TimeNs begin = trace.begin(event);
    for (const Row &row : rowsOf(trace, trace.lane(event))) {
        const EventId after = firstAtOrAfter(trace, row.firstEvent, row.endEvent, saturatingAdd(begin, 1));
        if (after == row.firstEvent)
            continue;
        const EventId candidate = advance(after, -1);
        if (candidate == event || !encloses(trace, candidate, event)
            || std::find(around.begin(), around.end(), candidate) != around.end())
            continue;
        const auto place = std::find_if(around.begin(), around.end(),
                                        [&](EventId other) { return opensBefore(trace, candidate, other); });
        around.insert(place, candidate);
    }
    return around;
}

// The python frames around the last one of `around` (or around `event`, if that is one), by caller, outermost first.
std::vector<EventId> callersOf(const Trace &trace, EventId innermost)
{
    std::vector<EventId> frames;
    EventId frame = innermost;
    while (frame != kNoEvent && frames.size() < kMaxDepth
           && std::find(frames.begin(), frames.end(), frame) == frames.end()) {
        frames.push_back(frame);
        EventId up = trace.caller(frame);
        if (up == kNoEvent) {
            up = trace.parent(frame);
            while (up != kNoEvent && trace.kind(up) != EventKind::Python)
                up = trace.parent(up);
        }
        frame = up;
    }
    std::reverse(frames.begin(), frames.end());
    return frames;
}

std::vector<EventId> withCallers(const Trace &trace, const std::vector<EventId> &around, EventId event)
{
    const auto isPython = [&trace](EventId id) { return trace.kind(id) == EventKind::Python; };
    std::vector<EventId> frames;
    if (isPython(event)) {
        frames = callersOf(trace, event);
        frames.pop_back();
    } else if (const auto last = std::find_if(around.rbegin(), around.rend(), isPython); last != around.rend()) {
        frames = callersOf(trace, *last);
    }
    std::vector<EventId> rest;
    std::copy_if(around.begin(), around.end(), std::back_inserter(rest), [&](EventId id) { return !isPython(id); });
    std::vector<EventId> merged;
    merged.reserve(frames.size() + rest.size());
    std::merge(frames.begin(), frames.end(), rest.begin(), rest.end(), std::back_inserter(merged),
               [&trace](EventId a, EventId b) { return opensBefore(trace, a, b); });
    return merged;
}

void appendHostChain(const Trace &trace, EventId event, PythonChain python, std::vector<ChainLink> &chain)
{
    std::vector<EventId> around = enclosingOnLane(trace, event);
    if (python == PythonChain::Callers)
        around = withCallers(trace, around, event);
    for (const EventId id : around)
        chain.push_back({id, chainRoleOf(trace, id)});
    chain.push_back({event, chainRoleOf(trace, event)});
}

void appendWorkOfLaunches(const Trace &trace, EventId event, std::vector<EventId> &work)
{
    const auto &launches = trace.links().launches;
    const Lane &lane = trace.lane(trace.lane(event));
    const TimeRange range = trace.range(event);
    // Ascending by (lane, begin); ids of a lane are contiguous.
    auto at = std::lower_bound(launches.begin(), launches.end(), range.begin, [&](EventId launch, TimeNs begin) {
        return launch < lane.firstEvent || (launch < lane.endEvent && trace.begin(launch) < begin);
    });
    for (; at != launches.end() && *at < lane.endEvent && trace.begin(*at) <= range.end; ++at) {
        bool isBelow = *at == event || encloses(trace, event, *at);
        for (EventId up = trace.parent(*at); !isBelow && up != kNoEvent && trace.begin(up) >= range.begin;
             up = trace.parent(up))
            isBelow = up == event;
        if (isBelow) {
            const auto launched = trace.workOfLaunch(*at);
            work.insert(work.end(), launched.begin(), launched.end());
        }
    }
}

// Work without a launch in the file, linked to operators inside `event` by External id.
void appendWorkOfOperators(const Trace &trace, EventId event, std::vector<EventId> &work)
{
    const EventPairs &pairs = trace.links().workOfOperator;
    if (pairs.size() == 0)
        return;
    const auto from = pairs.from();
    for (const Row &row : rowsOf(trace, trace.lane(event))) {
        const EventId first = firstAtOrAfter(trace, row.firstEvent, row.endEvent, trace.begin(event));
        const EventId end = firstAtOrAfter(trace, row.firstEvent, row.endEvent, saturatingAdd(trace.end(event), 1));
        for (auto at = std::lower_bound(from.begin(), from.end(), first); at != from.end() && *at < end; ++at) {
            if (*at == event || encloses(trace, event, *at))
                work.push_back(pairs.to()[static_cast<std::size_t>(at - from.begin())]);
        }
    }
}

// Of an annotation on a device lane: the work it is drawn around.
void appendWorkOnLane(const Trace &trace, EventId event, std::vector<EventId> &work)
{
    for (const Row &row : rowsOf(trace, trace.lane(event))) {
        EventId at = firstAtOrAfter(trace, row.firstEvent, row.endEvent, trace.begin(event));
        for (; at < row.endEvent && trace.begin(at) <= trace.end(event); at = advance(at, 1)) {
            if (isDeviceWork(trace.kind(at)) && encloses(trace, event, at))
                work.push_back(at);
        }
    }
}

} // namespace

std::string_view chainRoleId(ChainRole role)
{
    switch (role) {
    case ChainRole::Python: return "python";
    case ChainRole::Module: return "module";
    case ChainRole::Annotation: return "annotation";
    case ChainRole::Operator: return "operator";
    case ChainRole::Launch: return "launch";
    case ChainRole::Kernel: return "kernel";
    case ChainRole::Other: return "other";
    }
    return "";
}

bool isModuleName(std::string_view name)
{
    return name.starts_with("nn.Module: ");
}

ChainRole chainRoleOf(const Trace &trace, EventId event)
{
    switch (trace.kind(event)) {
    case EventKind::Python: return isModuleName(trace.name(event)) ? ChainRole::Module : ChainRole::Python;
    case EventKind::Annotation:
    case EventKind::GpuAnnotation: return ChainRole::Annotation;
    case EventKind::Operator: return ChainRole::Operator;
    case EventKind::Launch: return ChainRole::Launch;
    case EventKind::Kernel:
    case EventKind::Memcpy:
    case EventKind::Memset: return ChainRole::Kernel;
    case EventKind::Sync:
    case EventKind::Overhead:
    case EventKind::Span:
    case EventKind::Other: break;
    }
    return ChainRole::Other;
}

std::vector<ChainLink> chainOf(const Trace &trace, EventId event, PythonChain python)
{
    std::vector<ChainLink> chain;
    if (isDeviceWork(trace.kind(event))) {
        const LaunchLink link = trace.launchLink(event);
        const EventId host = link.launch != kNoEvent ? link.launch : link.op;
        if (host != kNoEvent) {
            appendHostChain(trace, host, python, chain);
            chain.push_back({event, ChainRole::Kernel});
            return chain;
        }
    }
    appendHostChain(trace, event, python, chain);
    return chain;
}

std::vector<EventId> deviceWorkBelow(const Trace &trace, EventId event)
{
    if (isDeviceWork(trace.kind(event)))
        return {event};
    std::vector<EventId> work;
    if (trace.lane(trace.lane(event)).kind == LaneKind::Gpu) {
        if (trace.kind(event) == EventKind::GpuAnnotation)
            appendWorkOnLane(trace, event, work);
    } else {
        appendWorkOfLaunches(trace, event, work);
        appendWorkOfOperators(trace, event, work);
    }
    std::sort(work.begin(), work.end(), [&trace](EventId a, EventId b) {
        return trace.begin(a) != trace.begin(b) ? trace.begin(a) < trace.begin(b)
                                                : trace.fileIndex(a) < trace.fileIndex(b);
    });
    work.erase(std::unique(work.begin(), work.end()), work.end());
    return work;
}

EventId launchingOperator(const Trace &trace, EventId event)
{
    if (isDeviceWork(trace.kind(event)))
        return trace.launchLink(event).op;
    if (const auto work = trace.workOfLaunch(event); !work.empty())
        return trace.launchLink(work.front()).op;
    return enclosing(trace, event, EventKind::Operator);
}

EventId enclosing(const Trace &trace, EventId event, EventKind kind)
{
    while (event != kNoEvent && trace.kind(event) != kind)
        event = trace.parent(event);
    return event;
}

} // namespace ks
