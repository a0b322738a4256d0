// SPDX-License-Identifier: GPL-3.0-or-later
// An area in one sentence: how long, what filled it, what waited for whom.
#pragma once

#include "core/analysis/area_summary.h"

#include <QString>

namespace ks {

// `isSelected`: a selected area, else what is in view.
QString areaText(const AreaSummary &summary, TimeRange range, bool isSelected);

} // namespace ks
