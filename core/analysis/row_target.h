// SPDX-License-Identifier: GPL-3.0-or-later
// Where a row of an analysis leads: an event to select, a stretch of time to zoom to, a filter that keeps what the row
// is about.
#pragma once

#include "core/analysis/analysis.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ks {

struct RowTarget
{
    std::optional<std::size_t> trace; // position among the traces of the run; none: the row is about several
    EventId event = kNoEvent;         // of that trace
    std::optional<TimeRange> range;   // trace time of that trace; empty range: a moment
    std::string filter;               // in the filter language; "" if there is none
};

// `table` as the analysis made it, sorted and cut as you like. Cost: some microseconds.
RowTarget rowTarget(const Analysis &analysis, const Table &table, std::size_t row, std::span<const RankTrace> traces);
// Of a table of a comparison, where the row leads in the other run: what its columns baseline_start_ns, baseline_length_ns and
// baseline_event tell. `baseline`: the traces of that run.
RowTarget baselineTarget(const Table &table, std::size_t row, std::span<const RankTrace> baseline);
// The first row with a cell that names the event, of a table about one trace. Cost: a nanosecond a row.
std::optional<std::uint32_t> rowOfEvent(const Analysis &analysis, const Table &table, EventId event,
                                        const Trace &trace);

} // namespace ks
