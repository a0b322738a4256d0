// SPDX-License-Identifier: GPL-3.0-or-later
// What the pane of each analysis looks like beside its table, and what its rows light up.
#pragma once

#include "core/analysis/analysis.h"
#include "widgets/charts/table_chart.h"
#include "widgets/state/question.h"
#include "widgets/state/trace_set.h"

#include <QString>

#include <optional>
#include <string_view>
#include <vector>

namespace ks {

// What is drawn beside the table; nothing where bars tell no more than the numbers.
BarChart chartOf(const Analysis &analysis);
// What would fill the pane.
QString emptyText(const Analysis &analysis);
// Which events a filter that reads arguments has to be asked about.
FilterReach filterReachOf(const Analysis &analysis);
// The kind a row of operators or kernels tells; none for any other text.
std::optional<EventKind> workKindOf(std::string_view id);
// To light up on the timeline; none if they are too many to be told apart there. One pass over the names of all traces.
std::vector<EventRef> eventsOfName(const TraceSet &traces, NameId name);

} // namespace ks
