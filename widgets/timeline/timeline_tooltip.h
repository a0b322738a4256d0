// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the tooltip over the lanes.
#pragma once

#include "core/view/hit_test.h"
#include "widgets/timeline/track_list.h"

#include <QString>

namespace ks {

// Rich text, names escaped; empty over nothing. Runs are summed up: linear in the run.
QString timelineTooltip(const Track &track, const Hit &hit, TimeNs timeUnderMouse);

} // namespace ks
