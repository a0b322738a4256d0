// SPDX-License-Identifier: GPL-3.0-or-later
// Why did this event run? Python line > module > annotation > operator > launch > kernel.
#pragma once

#include "core/base/ids.h"
#include "core/trace/trace.h"

#include <string_view>
#include <vector>

namespace ks {

enum class ChainRole : std::uint8_t { Python, Module, Annotation, Operator, Launch, Kernel, Other };
std::string_view chainRoleId(ChainRole); // "python", "module" …

struct ChainLink
{
    EventId event = kNoEvent;
    ChainRole role = ChainRole::Other;
};

enum class PythonChain : std::uint8_t {
    Geometry, // every enclosing event of the lane (command line)
    Callers,  // python frames by `Python parent id` where given (window)
};

// Outermost first, ending with `event`. Of device work: the chain of its launch (or of its operator, if only that is known), then the
// launch, then the work itself. Cost: depth of the nesting.
std::vector<ChainLink> chainOf(const Trace &trace, EventId event, PythonChain python = PythonChain::Geometry);

ChainRole chainRoleOf(const Trace &trace, EventId event);
bool isModuleName(std::string_view name); // "nn.Module: Linear_0"

// Device work launched inside `event` on its lane (or the work itself), by begin. Binary search over the launches of the lane.
std::vector<EventId> deviceWorkBelow(const Trace &trace, EventId event);

// The operator that launched this piece of device work, or encloses this launch; kNoEvent if none is known.
EventId launchingOperator(const Trace &trace, EventId event);

// Innermost enclosing event (the event itself included) of that kind.
EventId enclosing(const Trace &trace, EventId event, EventKind kind);

} // namespace ks
