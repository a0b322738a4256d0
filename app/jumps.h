// SPDX-License-Identifier: GPL-3.0-or-later
// Ways from the selected event to the events it belongs with: each selects its target, brings it into view, and can be undone with
// ViewState::back(). Where there is no target, the reason is returned as a sentence and nothing changes.
#pragma once

#include "widgets/state/view_state.h"

#include <QString>

namespace ks {

// "" = went there; else why not.
QString goToOperator(ViewState &state); // device work, launch -> operator; of an operator the one around it
QString goToLaunch(ViewState &state);   // device work -> runtime call
QString goToKernels(ViewState &state);  // host event -> the first of its device work; all of it lights up
QString goToMate(ViewState &state);     // forward <-> backward
QString goToParent(ViewState &state);   // the event around it

} // namespace ks
