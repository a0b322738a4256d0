// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on events and ranges.
#pragma once

#include "widgets/state/view_state.h"

class QWidget;

namespace ks {

// Asks for the text of a note on the selected event or area, without blocking; an empty text takes the note away.
void editNote(ViewState &state, QWidget *parent);

} // namespace ks
