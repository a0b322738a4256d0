// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes that may say something better than the name of their event.
#pragma once

#include "core/analysis/collective_names.h"
#include "core/view/draw_list.h"

#include <vector>

namespace ks {

// Kernels of the family communication and the operators that describe one, as far as their boxes are wide enough for a
// label; ascending, once each. For collectiveNames().
std::vector<EventId> collectivesWithLabels(const Trace &trace, const DrawList &list);

} // namespace ks
