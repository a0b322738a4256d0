// SPDX-License-Identifier: GPL-3.0-or-later
// Which events of a trace a smaller file of a scope must hold, so that what an analysis says of that scope stays the
// same: what the scope selects, and what that rests on.
//
//   launches and their work belong together; so do events and all that stands around them, and python callers
//   below host events that steps or a filter select everything is kept, for their self times
//   memory records of the time of all these, with the calls around them; before it those of blocks still alive
//   what the host was in when a gap of a stream began
//   steps of that time
//
// Where devices, lanes or a filter select device work alone, host times count what launched that work and no other calls
// of those names. Memory is no event: only steps and ranges of time select it.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"

#include <vector>

namespace ks {

struct TrimmedTrace
{
    std::vector<EventId> events;              // in the order of the file
    std::vector<std::uint32_t> memoryRecords; // positions in Trace::memory()
    TimeRange range;                          // of what the scope selects, the last moment included
};

// Cost: some 100 ns an event. Throws Cancelled.
TrimmedTrace trimmed(const Trace &trace, const Scope &scope, const Progress &progress = {});

} // namespace ks
