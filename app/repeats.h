// SPDX-License-Identifier: GPL-3.0-or-later
// From the selected event to its like: the same name, the same name and shape, the same operator in another step. Each
// selects its target and brings it into view; where there is none, the reason is returned as a sentence.
#pragma once

#include "widgets/state/view_state.h"

#include <QString>

namespace ks {

// direction: +1 next, -1 previous in time, on any lane.
QString goToSameName(ViewState &state, int direction); // O(events), 1 ns each
// The same `Input Dims` (of device work: `grid` and `block`), told by the arguments; without any, the same name. Reads
// arguments until one fits, about 2 us each.
QString goToSameShape(ViewState &state, int direction);
// The event of the same name that has the same number among its like on its lane, in the next or previous step. Device
// work is in the step of its launch.
QString goToSameInStep(ViewState &state, int direction);

} // namespace ks
