// SPDX-License-Identifier: GPL-3.0-or-later
// Lays runs over each other on the time axis, so that one zoom shows the same moment of all: each trace is shifted until
// a moment that means the same in all of them coincides with that of the baseline.
#pragma once

#include "widgets/state/view_state.h"

namespace ks {

enum class AlignBy : std::uint8_t {
    Recording,   // begin of the recording
    Step,        // begin of a step: of the baseline the one in the middle of the view, of the others the one with its
                 // number; where there is none the step of median duration
    FirstKernel, // begin of the first work on a device
    WallClock,   // as the clocks of the machines were, if the files tell
};

// False, and nothing moved, if a trace has no such moment. Offsets change by signal of the TraceSet.
bool align(ViewState &state, AlignBy by);
// After opening a second run: steps, else kernels, else the recordings.
AlignBy alignOnWhatThereIs(ViewState &state);

} // namespace ks
