// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the details pane, as rich text with links (details_link.h); its looks are in details_style.h.
#pragma once

#include "widgets/panes/details_link.h"
#include "widgets/panes/event_details.h"

#include <QString>

namespace ks {

// The body of the document. `details`: null while they are read. `allFrames`: every python frame, module and operator of the chain.
QString eventPage(const Trace &trace, EventId event, const EventDetails *details, bool allFrames);

} // namespace ks
