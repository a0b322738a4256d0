// SPDX-License-Identifier: GPL-3.0-or-later
// The event of another trace that does the same work: for two runs to be compared event by event.
#pragma once

#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <string_view>

namespace ks {

// The n-th event of that name and kind in the step where `event` is the n-th of its own step; device work counts to the step that launched it. The
// steps are those of one number, or of one place if the other trace has no such number; without steps the traces are taken as one. Device work whose
// kernel has another name there is looked for at the same place below the counterpart of its operator. kNoEvent if there is none.
// `stepPattern`: see stepsOf(). Cost: one pass over the names of both traces.
EventId counterpartOf(const Trace &trace, EventId event, const Trace &other, std::string_view stepPattern = "auto",
                      const Progress &progress = {});

} // namespace ks
