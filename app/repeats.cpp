// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/repeats.h"

#include "core/base/error.h"
#include "core/trace/args.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>
#include <tuple>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::Repeats)
};

constexpr std::size_t kMostRead = 200'000; // arguments, about half a second

struct Start
{
    EventRef ref;
    const Trace *trace = nullptr;
};

std::optional<Start> startOf(const ViewState &state)
{
    const EventRef *event = selectedEvent(state.selection());
    if (!event || !state.traces().trace(*event))
        return {};
    return Start{*event, state.traces().trace(*event)};
}

QString nothingSelected()
{
    return Text::tr("Select an event first.");
}

auto timeKey(const Trace &trace, EventId id)
{
    return std::pair(trace.begin(id), id);
}

// All events of the name of `like` beyond it in time, the nearest first.
std::vector<EventId> beyond(const Trace &trace, EventId like, int direction)
{
    const auto &names = trace.events().name;
    const NameId name = trace.nameId(like);
    std::vector<EventId> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto id = static_cast<EventId>(i);
        if (names[i] != name || id == like)
            continue;
        if (direction > 0 ? timeKey(trace, id) > timeKey(trace, like) : timeKey(trace, id) < timeKey(trace, like))
            found.push_back(id);
    }
    std::sort(found.begin(), found.end(), [&](EventId a, EventId b) {
        return direction > 0 ? timeKey(trace, a) < timeKey(trace, b) : timeKey(trace, a) > timeKey(trace, b);
    });
    return found;
}

// What the arguments tell of the shape, as text.
std::string shapeOf(const Args &args)
{
    std::string shape;
    for (const char *key : {"Input Dims", "Input type", "grid", "block"}) {
        if (const auto value = findArg(args, key))
            shape += std::string(key) + '=' + std::string(*value) + ';';
    }
    return shape;
}

QString lastOfItsKind(int direction)
{
    return direction > 0 ? Text::tr("This is the last event of its name.")
                         : Text::tr("This is the first event of its name.");
}

TimeNs startTime(const Trace &trace, EventId id)
{
    if (isDeviceWork(trace.kind(id))) {
        const EventId launch = trace.launchLink(id).launch;
        if (launch != kNoEvent)
            return trace.begin(launch);
    }
    return trace.begin(id);
}

// Position among the steps, or none.
std::optional<std::size_t> stepOf(std::span<const Step> steps, TimeNs t)
{
    const auto after = std::upper_bound(steps.begin(), steps.end(), t,
                                        [](TimeNs wanted, const Step &step) { return wanted < step.range.begin; });
    if (after == steps.begin() || !std::prev(after)->range.contains(t))
        return {};
    return static_cast<std::size_t>(after - steps.begin() - 1);
}

} // namespace

QString goToSameName(ViewState &state, int direction)
{
    const auto start = startOf(state);
    if (!start)
        return nothingSelected();
    const Trace &trace = *start->trace;
    const auto &names = trace.events().name;
    const NameId name = trace.nameId(start->ref.event);
    const auto own = timeKey(trace, start->ref.event);
    EventId best = kNoEvent;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto event = static_cast<EventId>(i);
        if (names[i] != name || event == start->ref.event)
            continue;
        const auto key = timeKey(trace, event);
        if (direction > 0 ? key <= own : key >= own)
            continue;
        if (best == kNoEvent || (direction > 0 ? key < timeKey(trace, best) : key > timeKey(trace, best)))
            best = event;
    }
    if (best == kNoEvent)
        return lastOfItsKind(direction);
    state.reveal(state.traces().sibling(start->ref, best));
    return {};
}

QString goToSameShape(ViewState &state, int direction)
{
    const auto start = startOf(state);
    if (!start)
        return nothingSelected();
    const Trace &trace = *start->trace;
    std::vector<EventId> candidates = beyond(trace, start->ref.event, direction);
    if (candidates.empty())
        return lastOfItsKind(direction);
    if (candidates.size() > kMostRead)
        candidates.resize(kMostRead);
    try {
        const std::string wanted = trace.source() ? shapeOf(parseArgs(trace, start->ref.event)) : std::string();
        if (wanted.empty()) {
            state.reveal(state.traces().sibling(start->ref, candidates.front()));
            return Text::tr("No shapes were recorded: this is the next of the same name.");
        }
        constexpr std::size_t kBatch = 64;
        for (std::size_t from = 0; from < candidates.size(); from += kBatch) {
            const auto batch = std::span(candidates).subspan(from, std::min(kBatch, candidates.size() - from));
            const std::vector<Args> args = parseArgs(trace, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (shapeOf(args[i]) != wanted)
                    continue;
                state.reveal(state.traces().sibling(start->ref, batch[i]));
                return {};
            }
        }
    } catch (const std::exception &) {
        return Text::tr("The file has changed: its arguments cannot be read.");
    }
    return direction > 0 ? Text::tr("This is the last event of its name and shape.")
                         : Text::tr("This is the first event of its name and shape.");
}

QString goToSameInStep(ViewState &state, int direction)
{
    const auto start = startOf(state);
    if (!start)
        return nothingSelected();
    const Trace &trace = *start->trace;
    const std::span<const Step> steps = state.steps(start->ref.trace);
    const auto own = stepOf(steps, startTime(trace, start->ref.event));
    if (!own)
        return Text::tr("The selected event is in no step.");
    if (direction > 0 ? *own + 1 >= steps.size() : *own == 0)
        return direction > 0 ? Text::tr("This is the last step.") : Text::tr("This is the first step.");
    const std::size_t target = direction > 0 ? *own + 1 : *own - 1;
    // Its like on its lane, step by step, by time.
    const Lane &lane = trace.lane(trace.lane(start->ref.event));
    const auto &names = trace.events().name;
    std::vector<EventId> here, there;
    for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
        if (names[index(id)] != trace.nameId(start->ref.event))
            continue;
        const auto step = stepOf(steps, startTime(trace, id));
        if (step == own)
            here.push_back(id);
        else if (step == target)
            there.push_back(id);
    }
    const auto byTime = [&trace](EventId a, EventId b) { return timeKey(trace, a) < timeKey(trace, b); };
    std::sort(here.begin(), here.end(), byTime);
    std::sort(there.begin(), there.end(), byTime);
    if (there.empty())
        return Text::tr("That step has no event of this name on this lane.");
    const auto number = static_cast<std::size_t>(std::find(here.begin(), here.end(), start->ref.event) - here.begin());
    state.reveal(state.traces().sibling(start->ref, there[std::min(number, there.size() - 1)]));
    return number < there.size() ? QString() : Text::tr("That step has only %1 of these.").arg(there.size());
}

} // namespace ks
