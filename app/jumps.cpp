// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jumps.h"

#include "core/analysis/why.h"
#include "widgets/panes/event_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::Jumps)
};

QString nothingSelected()
{
    return Text::tr("Select an event first.");
}

// The selected event and its trace; both none without a selected event.
struct Start
{
    EventRef ref;
    const Trace *trace = nullptr;
};

Start startOf(const ViewState &state)
{
    const EventRef *event = selectedEvent(state.selection());
    if (!event)
        return {};
    return {*event, state.traces().trace(*event)};
}

QString go(ViewState &state, Start from, EventId to)
{
    state.reveal(state.traces().sibling(from.ref, to));
    return {};
}

} // namespace

QString goToOperator(ViewState &state)
{
    const Start start = startOf(state);
    if (!start.trace)
        return nothingSelected();
    const Trace &trace = *start.trace;
    EventId op = launchingOperator(trace, start.ref.event);
    if (op == start.ref.event) {
        const EventId above = trace.parent(op);
        op = above == kNoEvent ? kNoEvent : enclosing(trace, above, EventKind::Operator);
    }
    if (op != kNoEvent)
        return go(state, start, op);
    const Why why = whyOf(trace, start.ref.event);
    for (const QString &reason : {missingLaunchText(why.missingLaunch), missingOperatorText(why.missingOperator)}) {
        if (!reason.isEmpty())
            return reason;
    }
    return Text::tr("No operator is around this event.");
}

QString goToLaunch(ViewState &state)
{
    const Start start = startOf(state);
    if (!start.trace)
        return nothingSelected();
    if (!isDeviceWork(start.trace->kind(start.ref.event)))
        return Text::tr("Only kernels, copies and memsets have a launch.");
    const EventId launch = start.trace->launchLink(start.ref.event).launch;
    if (launch != kNoEvent)
        return go(state, start, launch);
    return missingLaunchText(whyOf(*start.trace, start.ref.event).missingLaunch);
}

QString goToKernels(ViewState &state)
{
    const Start start = startOf(state);
    if (!start.trace)
        return nothingSelected();
    if (isDeviceWork(start.trace->kind(start.ref.event)))
        return Text::tr("This is device work itself.");
    const std::vector<EventId> work = deviceWorkBelow(*start.trace, start.ref.event);
    if (work.empty())
        return Text::tr("It launched no device work.");
    std::vector<EventRef> marked;
    std::transform(work.begin(), work.end(), std::back_inserter(marked),
                   [&](EventId event) { return state.traces().sibling(start.ref, event); });
    state.reveal(marked.front(), marked);
    return {};
}

QString goToMate(ViewState &state)
{
    const Start start = startOf(state);
    if (!start.trace)
        return nothingSelected();
    const Trace &trace = *start.trace;
    // A kernel stands for its operator; of nested operators the nearest with a mate speaks for all.
    EventId at = launchingOperator(trace, start.ref.event);
    for (; at != kNoEvent; at = trace.parent(at)) {
        if (const EventId forward = trace.forwardOf(at); forward != kNoEvent)
            return go(state, start, forward);
        if (const auto backward = trace.backwardOf(at); !backward.empty())
            return go(state, start, backward.front());
    }
    return Text::tr("No forward or backward mate is known for this event.");
}

QString goToParent(ViewState &state)
{
    const Start start = startOf(state);
    if (!start.trace)
        return nothingSelected();
    const EventId parent = start.trace->parent(start.ref.event);
    if (parent == kNoEvent)
        return Text::tr("Nothing is around this event.");
    return go(state, start, parent);
}

} // namespace ks
