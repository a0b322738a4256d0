// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/row_links.h"

#include "core/analysis/row_target.h"

#include <algorithm>

namespace ks {
namespace {

// Of two pieces both if they lie near each other, else the longer one.
TimeRange together(TimeRange a, TimeRange b)
{
    constexpr int kNear = 2;
    const TimeRange longer = b.duration() > a.duration() ? b : a;
    const TimeRange both{std::min(a.begin, b.begin), std::max(a.end, b.end)};
    return both.duration() / kNear <= longer.duration() ? both : longer;
}

} // namespace

RowGoal goalOfRow(const Analysis &analysis, const Table &table, std::uint32_t row, const Question &question,
                  const TraceSet &traces)
{
    const RowTarget target = rowTarget(analysis, table, row, question.traces);
    const RowTarget before = baselineTarget(table, row, question.baseline); // of two runs
    RowGoal goal;
    goal.filter = target.filter;
    const auto add = [&](const RowTarget &where, std::uint32_t position) {
        if (where.range) {
            const TimeRange seen = traces.toViewTime(position, *where.range);
            goal.range = goal.range ? together(*goal.range, seen) : seen;
        }
        if (where.event != kNoEvent)
            goal.events.push_back(traces.ref(position, where.event));
    };
    if (target.trace)
        add(target, question.positions[*target.trace]);
    if (before.trace)
        add(before, traces.baseline());
    return goal;
}

std::optional<EventRef> eventOfRow(const Analysis &analysis, const Table &table, std::uint32_t row,
                                   const Question &question, const TraceSet &traces)
{
    const RowTarget target = rowTarget(analysis, table, row, question.traces);
    if (!target.trace || target.event == kNoEvent)
        return {};
    return traces.ref(question.positions[*target.trace], target.event);
}

std::optional<std::uint32_t> rowOfName(const Table &table, std::string_view name)
{
    const Column *names = table.findColumn("name");
    if (!names || !names->isText())
        return {};
    for (std::uint32_t row = 0; row < table.rowCount(); ++row) {
        if (!names->isNull(row) && names->text(row) == name)
            return row;
    }
    return {};
}

std::optional<std::uint32_t> rowOfSelection(const Analysis &analysis, const Table &table, const Question &question,
                                            const ViewState &state)
{
    if (const NameId *name = selectedName(state.selection()))
        return rowOfName(table, nameText(*name));
    const EventRef *ref = selectedEvent(state.selection());
    if (!ref || !state.traces().isValid(*ref))
        return {};
    const Trace &trace = state.traces().at(ref->trace);
    std::optional<std::uint32_t> found;
    if (question.positions.size() == 1 && ref->trace == question.positions.front())
        found = rowOfEvent(analysis, table, ref->event, *question.traces.front().trace);
    if (!found)
        found = rowOfName(table, trace.name(ref->event));
    if (const LaunchLink link = trace.launchLink(ref->event); !found && link.op != kNoEvent)
        found = rowOfName(table, trace.name(link.op));
    return found;
}

} // namespace ks
