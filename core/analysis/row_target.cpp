// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/row_target.h"

#include "core/analysis/filter.h"
#include "core/analysis/torch_nesting.h"
#include "core/base/parse_number.h"
#include "core/trace/args.h"

#include <algorithm>

namespace ks {
namespace {

using To = ColumnLink::To;

// Ranks of a run differ, and a row that belongs to one of several traces tells its rank.
std::optional<std::size_t> traceOf(const Table &table, std::size_t row, std::span<const RankTrace> traces)
{
    if (traces.size() == 1)
        return 0;
    const Column *rank = table.findColumn("rank");
    if (!rank || rank->isNull(row))
        return {};
    const auto found = std::find_if(traces.begin(), traces.end(),
                                    [&](const RankTrace &trace) { return trace.rank == rank->integer(row); });
    return found != traces.end() ? std::optional(static_cast<std::size_t>(found - traces.begin())) : std::nullopt;
}

std::optional<std::int64_t> integerOf(const Column *column, std::size_t row)
{
    if (!column || column->type() != CellType::Integer || column->isNull(row))
        return {};
    return column->integer(row);
}

EventId eventIn(const Column &column, std::size_t row, const Trace &trace)
{
    std::optional<std::int64_t> number = integerOf(&column, row);
    if (column.type() == CellType::List) {
        const std::vector<std::string_view> numbers = jsonElements(column.text(row));
        number = numbers.empty() ? std::nullopt : parseInteger(numbers.front());
    }
    if (!number || *number < 0 || *number >= static_cast<std::int64_t>(trace.eventCount()))
        return kNoEvent;
    return trace.eventAtFileIndex(static_cast<std::uint32_t>(*number));
}

std::string termOf(std::string_view field, const Column &column, std::size_t row)
{
    if (column.isNull(row))
        return {};
    if (column.type() == CellType::Integer)
        return std::string(field) + " == " + std::to_string(column.integer(row));
    if (!column.isText() || column.text(row).empty())
        return {};
    if (field == "name" && column.text(row) == kStepRow)
        return "name:" + quotedForFilter(kStepPrefix);
    return std::string(field) + " == " + quotedForFilter(column.text(row));
}

std::string filterOf(const Analysis &analysis, const Table &table, std::size_t row)
{
    std::string filter;
    for (const ColumnLink &link : analysis.links) {
        const Column *column = link.to == To::Field ? table.findColumn(link.column) : nullptr;
        const bool isNumber =
            link.field == "rank" || link.field == "step" || link.field == "device" || link.field == "stream";
        if (!column || isNumber != (column->type() == CellType::Integer))
            continue;
        const std::string term = termOf(link.field, *column, row);
        filter += (filter.empty() || term.empty() ? "" : " and ") + term;
    }
    try {
        Filter::parse(filter);
    } catch (const FilterError &) {
        return {}; // a row about no events, such as memory outside all calls
    }
    return filter;
}

std::optional<TimeRange> rangeOf(const Analysis &analysis, const Table &table, std::size_t row, const Trace &trace)
{
    std::optional<std::int64_t> start, end, length;
    for (const ColumnLink &link : analysis.links) {
        const std::optional<std::int64_t> value = integerOf(table.findColumn(link.column), row);
        if (link.to == To::Start && !start)
            start = value;
        if (link.to == To::End && !end)
            end = value;
        if (link.to == To::Length && !length)
            length = value;
    }
    if (!start)
        return {};
    const TimeNs begin = trace.traceTime(FileTimeNs{*start});
    if (end)
        return TimeRange{begin, trace.traceTime(FileTimeNs{*end})};
    return TimeRange{begin, saturatingAdd(begin, length.value_or(0))};
}

} // namespace

std::optional<std::uint32_t> rowOfEvent(const Analysis &analysis, const Table &table, EventId event, const Trace &trace)
{
    const std::int64_t wanted = trace.fileIndex(event);
    const auto rows = static_cast<std::uint32_t>(table.rowCount());
    for (const ColumnLink &link : analysis.links) {
        const Column *column = link.to == To::Event ? table.findColumn(link.column) : nullptr;
        if (!column)
            continue;
        const bool isPlain = column->type() == CellType::Integer;
        for (std::uint32_t row = 0; row < rows; ++row) {
            if (isPlain ? column->integer(row) == wanted && !column->isNull(row)
                        : eventIn(*column, row, trace) == event)
                return row;
        }
    }
    return {};
}

RowTarget rowTarget(const Analysis &analysis, const Table &table, std::size_t row, std::span<const RankTrace> traces)
{
    RowTarget target;
    target.trace = traceOf(table, row, traces);
    target.filter = filterOf(analysis, table, row);
    if (!target.trace)
        return target;
    const Trace &trace = *traces[*target.trace].trace;
    target.range = rangeOf(analysis, table, row, trace);
    for (const ColumnLink &link : analysis.links) {
        const Column *column = link.to == To::Event ? table.findColumn(link.column) : nullptr;
        if (column && target.event == kNoEvent)
            target.event = eventIn(*column, row, trace);
    }
    return target;
}

RowTarget baselineTarget(const Table &table, std::size_t row, std::span<const RankTrace> baseline)
{
    RowTarget target;
    const std::optional<std::int64_t> start = integerOf(table.findColumn("baseline_start_ns"), row);
    if (!start || baseline.size() != 1)
        return target;
    const Trace &trace = *baseline.front().trace;
    const TimeNs begin = trace.traceTime(FileTimeNs{*start});
    target.trace = 0;
    target.range =
        TimeRange{begin, saturatingAdd(begin, integerOf(table.findColumn("baseline_length_ns"), row).value_or(0))};
    if (const Column *event = table.findColumn("baseline_event"))
        target.event = eventIn(*event, row, trace);
    return target;
}

} // namespace ks
