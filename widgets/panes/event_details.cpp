// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/event_details.h"

#include "core/analysis/counterpart.h"

namespace ks {

EventDetails readDetails(const Trace &trace, EventId event, const std::vector<OtherTrace> &others,
                         const std::string &stepPattern, const Progress &progress)
{
    EventDetails details;
    try {
        if (trace.source())
            details.args = parseArgs(trace, event);
    } catch (const SourceChanged &) {
        details.sourceChanged = true;
    }
    details.why = whyOf(trace, event, &details.args);
    progress.throwIfStopped();
    if (!isDeviceWork(trace.kind(event)))
        details.work = summariseWork(trace, deviceWorkBelow(trace, event));
    details.rank = rankDuration(trace, event, progress);
    for (const OtherTrace &other : others) {
        const EventId same = counterpartOf(trace, event, *other.trace, stepPattern, progress);
        details.counterparts.push_back(
            {other.position, other.name, same, same == kNoEvent ? 0 : other.trace->duration(same)});
    }
    return details;
}

} // namespace ks
