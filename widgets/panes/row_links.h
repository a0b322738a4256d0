// SPDX-License-Identifier: GPL-3.0-or-later
// From a row of an analysis into the timeline and back, in the traces of the window.
#pragma once

#include "core/analysis/analysis.h"
#include "widgets/state/question.h"
#include "widgets/state/view_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

// What a row is about: of a comparison in both runs.
struct RowGoal
{
    std::optional<TimeRange> range; // view time
    std::vector<EventRef> events;   // the candidate's first
    std::string filter;             // keeps what the row is about; "" if there is none
};

// `table` answers `question`. Cost: some microseconds.
RowGoal goalOfRow(const Analysis &analysis, const Table &table, std::uint32_t row, const Question &question,
                  const TraceSet &traces);
// The event a row names, if it is about one.
std::optional<EventRef> eventOfRow(const Analysis &analysis, const Table &table, std::uint32_t row,
                                   const Question &question, const TraceSet &traces);

// Both: the first one; cost: a nanosecond a row.
std::optional<std::uint32_t> rowOfName(const Table &table, std::string_view name);
// Of the event itself, else of its name, else of what launched it.
std::optional<std::uint32_t> rowOfSelection(const Analysis &analysis, const Table &table, const Question &question,
                                            const ViewState &state);

} // namespace ks
