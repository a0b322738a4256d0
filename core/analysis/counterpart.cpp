// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counterpart.h"

#include "core/analysis/step_table.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace ks {
namespace {

// When the host asked for it: that decides the step.
TimeNs askedAt(const Trace &trace, EventId event)
{
    if (isDeviceWork(trace.kind(event))) {
        const LaunchLink link = trace.launchLink(event);
        if (link.launch != kNoEvent)
            return trace.begin(link.launch);
        if (link.op != kNoEvent)
            return trace.begin(link.op);
    }
    return trace.begin(event);
}

// The steps of both traces that correspond; the whole traces if they have none.
struct Steps
{
    TimeRange own;
    TimeRange other;
};

std::optional<Steps> stepsAround(const Trace &trace, EventId event, const Trace &other, std::string_view pattern)
{
    const std::vector<Step> own = stepsOf(trace, pattern);
    const std::vector<Step> others = stepsOf(other, pattern);
    if (own.empty() || others.empty())
        return Steps{{kMinTime, kMaxTime}, {kMinTime, kMaxTime}};
    const TimeNs time = askedAt(trace, event);
    const auto step = std::find_if(own.begin(), own.end(), [&](const Step &s) { return s.range.contains(time); });
    if (step == own.end())
        return {};
    auto same = std::find_if(others.begin(), others.end(), [&](const Step &s) { return s.number == step->number; });
    if (same == others.end())
        same = others.begin() + std::min(step - own.begin(), static_cast<std::ptrdiff_t>(others.size()) - 1);
    return Steps{step->range, same->range};
}

// Events of a name and kind that are asked for in a step, by begin.
std::vector<EventId> eventsIn(const Trace &trace, TimeRange step, NameId name, EventKind kind, const Progress &progress)
{
    std::vector<EventId> found;
    const auto &names = trace.events().name;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if ((i & 0xfffffU) == 0)
            progress.throwIfStopped();
        const auto event = static_cast<EventId>(i);
        if (names[i] == name && trace.kind(event) == kind && step.contains(askedAt(trace, event)))
            found.push_back(event);
    }
    std::stable_sort(found.begin(), found.end(), [&](EventId a, EventId b) { return trace.begin(a) < trace.begin(b); });
    return found;
}

EventId atTheSamePlace(const std::vector<EventId> &own, EventId event, const std::vector<EventId> &others)
{
    const auto place = static_cast<std::size_t>(std::find(own.begin(), own.end(), event) - own.begin());
    return place < others.size() ? others[place] : kNoEvent;
}

std::vector<EventId> workOf(const Trace &trace, EventId op)
{
    std::vector<EventId> work;
    const auto &links = trace.links();
    for (std::size_t i = 0; i < links.ofWork.size(); ++i) {
        if (links.ofWork.values()[i].op == op)
            work.push_back(links.ofWork.ids()[i]);
    }
    std::stable_sort(work.begin(), work.end(), [&](EventId a, EventId b) { return trace.begin(a) < trace.begin(b); });
    return work;
}

} // namespace

EventId counterpartOf(const Trace &trace, EventId event, const Trace &other, std::string_view stepPattern,
                      const Progress &progress)
{
    const std::optional<Steps> steps = stepsAround(trace, event, other, stepPattern);
    if (!steps)
        return kNoEvent;
    const NameId name = trace.nameId(event);
    const EventKind kind = trace.kind(event);
    const std::vector<EventId> others = eventsIn(other, steps->other, name, kind, progress);
    if (!others.empty())
        return atTheSamePlace(eventsIn(trace, steps->own, name, kind, progress), event, others);
    const EventId op = isDeviceWork(kind) ? trace.launchLink(event).op : kNoEvent;
    if (op == kNoEvent)
        return kNoEvent;
    const EventId otherOp = counterpartOf(trace, op, other, stepPattern, progress);
    return otherOp == kNoEvent ? kNoEvent : atTheSamePlace(workOf(trace, op), event, workOf(other, otherOp));
}

} // namespace ks
