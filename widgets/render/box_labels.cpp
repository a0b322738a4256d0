// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/box_labels.h"

#include "core/view/palette.h"
#include "widgets/render/timeline_painter.h"

#include <algorithm>

namespace ks {
namespace {

bool mayBeCollective(const Trace &trace, EventId event)
{
    switch (trace.kind(event)) {
    case EventKind::Kernel: return familyOf(trace.nameId(event)) == KernelFamily::Communication;
    case EventKind::Operator: return trace.name(event) == "record_param_comms";
    default: return false;
    }
}

} // namespace

std::vector<EventId> collectivesWithLabels(const Trace &trace, const DrawList &list)
{
    std::vector<EventId> events;
    for (const Box &box : list.boxes) {
        if (box.x1 - box.x0 >= static_cast<float>(kLeastLabelWidth) && mayBeCollective(trace, box.event))
            events.push_back(box.event);
    }
    std::sort(events.begin(), events.end());
    events.erase(std::unique(events.begin(), events.end()), events.end());
    return events;
}

} // namespace ks
