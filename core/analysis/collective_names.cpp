// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_names.h"

#include "core/analysis/collective.h"
#include "core/base/name_pool.h"

namespace ks {
namespace {

NameId nameFrom(const Trace &trace, EventId event)
{
    if (event == kNoEvent)
        return kNoName;
    const auto collective = collectiveOf(parseArgs(trace, event));
    return collective ? internName(collectiveLabel(*collective)) : kNoName;
}

} // namespace

EventLabels collectiveNames(const Trace &trace, std::span<const EventId> events, const Progress &progress)
{
    EventLabels names;
    for (const EventId event : events) {
        progress.throwIfStopped();
        NameId name = trace.source() ? nameFrom(trace, event) : kNoName;
        if (name == kNoName && trace.source() && trace.kind(event) == EventKind::Kernel) {
            const EventId op = trace.launchLink(event).op;
            name = nameFrom(trace, op);
            if (name == kNoName && op != kNoEvent)
                name = nameFrom(trace, trace.parent(op));
        }
        names.emplace(event, name);
    }
    return names;
}

} // namespace ks
