// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/host_scope.h"

#include "core/base/name_match.h"

#include <algorithm>

namespace ks {
namespace {

bool anyLaneIs(const Trace &trace, const Scope &scope, LaneKind kind)
{
    const bool isNamed = std::any_of(trace.lanes().begin(), trace.lanes().end(), [&](const Lane &lane) {
        return lane.kind == kind && std::any_of(scope.lanes.begin(), scope.lanes.end(), [&](const std::string &part) {
                   return containsIgnoringCase(lane.name, part);
               });
    });
    return isNamed || std::any_of(scope.parts.begin(), scope.parts.end(), [&](const Scope::Part &part) {
               return part.trace == &trace && std::any_of(part.lanes.begin(), part.lanes.end(), [&](LaneId lane) {
                          return trace.lane(lane).kind == kind;
                      });
           });
}

void forgetLanes(Scope &scope)
{
    scope.lanes.clear();
    for (Scope::Part &part : scope.parts)
        part.lanes.clear();
}

} // namespace

HostScope hostScope(const Trace &trace, const Scope &scope, const std::function<void(const CallVisitor &)> &forEachCall)
{
    HostScope result{scope, scope, false};
    result.host.devices.clear();
    result.onlyWithWork = !scope.devices.empty();
    if (scope.restrictsLanes()) {
        const bool namesHost = anyLaneIs(trace, scope, LaneKind::Cpu);
        const bool namesDevice = anyLaneIs(trace, scope, LaneKind::Gpu);
        if (namesHost && !namesDevice)
            forgetLanes(result.work);
        if (namesDevice && !namesHost) {
            forgetLanes(result.host);
            result.onlyWithWork = true;
        }
    }
    if (scope.events) {
        bool matchesCalls = false;
        if (const Bits *members = scope.events->of(trace)) {
            forEachCall([&](EventId event) {
                matchesCalls = (*members)[index(event)];
                return !matchesCalls;
            });
        }
        (matchesCalls ? result.work : result.host).events = nullptr;
        result.onlyWithWork = result.onlyWithWork || !matchesCalls;
    }
    return result;
}

} // namespace ks
