// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/host_selection.h"

#include "core/base/name_match.h"

#include <algorithm>

namespace ks {
namespace {

bool anyLaneMatches(const Trace &trace, const Selection &selection, LaneKind kind)
{
    return std::any_of(trace.lanes().begin(), trace.lanes().end(), [&](const Lane &lane) {
        return lane.kind == kind
               && std::any_of(selection.lanes.begin(), selection.lanes.end(),
                              [&](const std::string &part) { return containsIgnoringCase(lane.name, part); });
    });
}

} // namespace

HostSelection hostSelection(const Trace &trace, const Selection &selection,
                            const std::function<void(const CallVisitor &)> &forEachCall)
{
    HostSelection result{selection, selection, false};
    result.host.devices.clear();
    result.onlyWithWork = !selection.devices.empty();
    if (!selection.lanes.empty()) {
        const bool namesHost = anyLaneMatches(trace, selection, LaneKind::Cpu);
        const bool namesDevice = anyLaneMatches(trace, selection, LaneKind::Gpu);
        if (namesHost && !namesDevice)
            result.work.lanes.clear();
        if (namesDevice && !namesHost) {
            result.host.lanes.clear();
            result.onlyWithWork = true;
        }
    }
    if (selection.filter) {
        bool matchesCalls = false;
        forEachCall([&](EventId event) {
            matchesCalls = selection.filter(trace, event);
            return !matchesCalls;
        });
        (matchesCalls ? result.work : result.host).filter = nullptr;
        result.onlyWithWork = result.onlyWithWork || !matchesCalls;
    }
    return result;
}

} // namespace ks
