// SPDX-License-Identifier: GPL-3.0-or-later
// A selection seen from the host: which calls make the rows of a table, and which device work their columns count.
//
// A device, or lanes and a filter that match device work alone, select work: rows stay that launched some of it, and
// only that work counts. Lanes and filters that match calls select rows, and all the work these launched counts.
#pragma once

#include "core/analysis/scope.h"
#include "core/trace/trace.h"

#include <functional>
#include <vector>

namespace ks {

struct HostScope
{
    Scope host;                // steps, time, lanes and filter for calls; names no device
    Scope work;                // the same for device work
    bool onlyWithWork = false; // a row without selected work is left out
};

// `forEachCall` visits the events that can make rows, until the visitor returns false.
using CallVisitor = std::function<bool(EventId)>;
HostScope hostScope(const Trace &trace, const Scope &scope,
                    const std::function<void(const CallVisitor &)> &forEachCall);

} // namespace ks
