// SPDX-License-Identifier: GPL-3.0-or-later
// Colours that one event alone does not tell: the module, phase or step it belongs to, how long it waited for its
// launch, how full it keeps the device. Device work takes them from its launch. One byte an event.
#pragma once

#include "core/base/progress.h"
#include "core/trace/trace.h"
#include "core/view/palette.h"

namespace ks {

// Must eventColours() look at links or arguments for this mode?
bool needsColumn(ColourMode mode);

// Cost: nothing if not needsColumn(mode); O(events), about 20 ns each; Occupancy reads the arguments of all kernels, about
// 2 us each. Throws SourceChanged, Cancelled.
EventColours eventColours(const Trace &trace, ColourMode mode, const Progress &progress = {});

} // namespace ks
