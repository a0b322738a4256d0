// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a selection as a list to look through: nothing of an event is copied but its id, whatever the list is
// sorted by.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/table/table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ks {

// 4 bytes an event.
struct EventList
{
    std::vector<RankTrace> traces;
    std::vector<std::vector<Step>> steps; // of each trace, by begin
    std::vector<EventId> events;          // trace by trace, in each by begin, then in the order of the file
    std::vector<std::size_t> first{0};    // of each trace, and one past the last

    std::size_t size() const { return events.size(); }
    std::size_t traceOf(std::size_t position) const; // position among `traces`
    const Trace &trace(std::size_t position) const { return *traces[traceOf(position)].trace; }
    std::optional<std::size_t> find(std::size_t trace, EventId event) const; // binary search
};

// What can be told of each event, and sorted by.
enum class EventColumn : std::uint8_t {
    Name,
    Category,
    Lane,
    Start,
    Duration,
    Self,     // by geometry, see Trace::selfTime
    Step,     // the event, or its launch, starts in
    Operator, // innermost one around the event, or that launched it
    Module,   // innermost nn.Module around the event, or its launch
};
inline constexpr std::size_t kEventColumns = 9;

// `scope` selects as everywhere; `steps` are those of each trace, for the column. The first call for a trace sorts its
// events by begin (some 50 ns an event, kept with the trace), later ones cost some 5 ns an event. Throws Cancelled.
EventList listEvents(std::span<const RankTrace> traces, const Scope &scope, std::vector<std::vector<Step>> steps = {},
                     const Progress &progress = {});

// Positions in the list in the order of a column: texts bytewise, unknown last either way, equal ones as in the list.
// Some 50 ns an event. Throws Cancelled.
std::vector<std::uint32_t> sortedPositions(const EventList &list, EventColumn column, bool ascending,
                                           const Progress &progress = {});

// The step a moment of the event counts for, the operator and the module around it; kNoEvent where there is none. Cost:
// the depth of its nesting.
const Step *stepOf(const Trace &trace, std::span<const Step> steps, EventId event);
EventId operatorAround(const Trace &trace, EventId event);
EventId moduleAround(const Trace &trace, EventId event);

// The list as `search` prints it: id name category kind lane start_ns dur_ns self_ns, of several traces after `rank`.
// `order`: positions, empty = all as they stand.
Table eventTable(const EventList &list, std::span<const std::uint32_t> order = {});

} // namespace ks
