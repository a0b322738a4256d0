// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/trace_check.h"

#include "core/base/utf8.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace ks {
namespace {

struct Fault
{
    std::string what;
};

void require(bool condition, const char *what, std::size_t where = 0)
{
    if (!condition)
        throw Fault{std::string(what) + " (" + std::to_string(where) + ')'};
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const Utf8Char next = decodeUtf8(text);
        if (!next.isValid)
            return false;
        text.remove_prefix(next.bytes);
    }
    return true;
}

template<typename T>
void checkColumn(const Trace &trace, const SparseColumn<T> &column)
{
    require(column.ids().size() == column.values().size(), "a sparse column has two lengths");
    require(std::is_sorted(column.ids().begin(), column.ids().end(), std::less_equal<>()) || column.size() < 2, "a sparse column is not ascending");
    require(std::adjacent_find(column.ids().begin(), column.ids().end()) == column.ids().end(), "a sparse column has an event twice");
    require(column.isEmpty() || index(column.ids().back()) < trace.eventCount(), "a sparse column has an event that is none");
}

void checkPlaces(const Trace &trace)
{
    std::size_t event = 0;
    std::size_t row = 0;
    for (std::size_t i = 0; i < trace.lanes().size(); ++i) {
        const Lane &lane = trace.lanes()[i];
        require(index(lane.process) < trace.processes().size(), "a lane has no process", i);
        require(index(lane.firstEvent) == event && lane.endEvent > lane.firstEvent, "the events of lanes do not follow each other", i);
        require(index(lane.firstRow) == row && lane.endRow > lane.firstRow, "the rows of lanes do not follow each other", i);
        const auto &lanes = trace.process(lane.process).lanes;
        require(std::binary_search(lanes.begin(), lanes.end(), static_cast<LaneId>(i)), "a process does not know its lane", i);
        require(!lane.name.empty() || lane.tid.text().empty() || !lane.hasThread, "a lane has no name", i);
        require(isUtf8(lane.name), "the name of a lane is not valid", i);
        std::size_t previous = event;
        for (RowId r = lane.firstRow; r < lane.endRow; r = advance(r, 1)) {
            const Row &at = trace.row(r);
            require(at.lane == static_cast<LaneId>(i), "a row is of another lane", index(r));
            require(index(at.firstEvent) == previous && at.endEvent > at.firstEvent, "the events of rows do not follow each other", index(r));
            previous = index(at.endEvent);
            const bool isFirst = r == lane.firstRow || trace.row(advance(r, -1)).group != at.group;
            require(at.depth == (isFirst ? 0 : trace.row(advance(r, -1)).depth + 1), "the depths of rows are not 0, 1, 2", index(r));
            require(r == lane.firstRow || trace.row(advance(r, -1)).group <= at.group, "the groups of a lane are mixed", index(r));
        }
        event = index(lane.endEvent);
        row = index(lane.endRow);
        require(previous == event, "the rows of a lane do not hold its events", i);
    }
    require(event == trace.eventCount() && row == trace.rows().size(), "there are events or rows beyond the lanes");
    std::size_t lanes = 0;
    for (const Process &process : trace.processes()) {
        require(!process.lanes.empty(), "a process has no lanes");
        lanes += process.lanes.size();
        require(std::is_sorted(process.lanes.begin(), process.lanes.end()), "the lanes of a process are not ascending");
    }
    require(lanes == trace.lanes().size(), "a lane is in two processes");
}

void checkEvents(const Trace &trace)
{
    const EventTable &table = trace.events();
    const std::size_t count = trace.eventCount();
    for (const std::size_t size : {table.duration.size(), table.name.size(), table.category.size(), table.parent.size(), table.fileIndex.size(),
                                   table.recordOffsetLow.size(), table.recordOffsetHigh.size()})
        require(size == count, "the columns have different lengths");
    std::vector<bool> seen(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto id = static_cast<EventId>(i);
        require(trace.duration(id) >= 0, "a duration is negative", i);
        require(trace.begin(id) >= 0 && trace.end(id) >= trace.begin(id), "an event begins before the trace or ends before it begins", i);
        require(trace.end(id) <= trace.range().end, "an event ends behind the trace", i);
        require(index(table.category[i]) < trace.categories().size(), "a category is none", i);
        require(trace.fileIndex(id) < count && !seen[trace.fileIndex(id)], "the file order is no permutation", i);
        seen[trace.fileIndex(id)] = true;
        require(trace.eventAtFileIndex(trace.fileIndex(id)) == id, "the file order has no inverse", i);
        require(isUtf8(trace.name(id)), "a name is not valid", i);
        const Row &row = trace.row(trace.row(id));
        require(id >= row.firstEvent && id < row.endEvent && row.lane == trace.lane(id), "an event is in another row", i);
        require((row.group == RowGroup::Python) == (trace.kind(id) == EventKind::Python), "an event is in another group", i);
        require(trace.selfTime(id) >= 0 && trace.selfTime(id) <= trace.duration(id), "a self time is impossible", i);
        const EventId parent = trace.parent(id);
        if (parent == kNoEvent)
            continue;
        require(index(parent) < count && parent != id, "a parent is none", i);
        require(trace.lane(parent) == trace.lane(id), "a parent is on another lane", i);
        require(trace.begin(parent) <= trace.begin(id), "a parent begins after its child", i);
        require(saturatingAdd(trace.end(parent), 1) >= trace.end(id), "a parent ends before its child", i);
        const Row &above = trace.row(trace.row(parent));
        require(above.group != row.group || above.depth < row.depth, "a parent is not above its child", i);
    }
    for (const Row &row : trace.rows()) {
        for (EventId id = advance(row.firstEvent, 1); id < row.endEvent; id = advance(id, 1)) {
            const EventId before = advance(id, -1);
            require(trace.begin(before) <= trace.begin(id), "a row is not sorted", index(id));
            // One nanosecond of grace: an event may overshoot what encloses it, and so reach into the next of its row.
            require(trace.end(before) <= trace.begin(id) || (trace.end(before) == trace.begin(id) + 1 && trace.parent(before) != kNoEvent),
                    "events of a row overlap", index(id));
        }
    }
    checkColumn(trace, table.longDurations);
    checkColumn(trace, table.caller);
    checkColumn(trace, table.endRecord);
    require(std::is_sorted(table.unfinished.begin(), table.unfinished.end()), "the unfinished events are not ascending");
    for (const EventId caller : table.caller.values())
        require(index(caller) < count, "a caller is none");
}

// No event is its own ancestor.
void checkParents(const Trace &trace)
{
    enum class State : std::uint8_t { Unseen, OnTheWay, Fine };
    std::vector<State> states(trace.eventCount(), State::Unseen);
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        EventId top = static_cast<EventId>(i);
        for (; top != kNoEvent && states[index(top)] == State::Unseen; top = trace.parent(top))
            states[index(top)] = State::OnTheWay;
        require(top == kNoEvent || states[index(top)] == State::Fine, "an event is its own ancestor", i);
        for (top = static_cast<EventId>(i); top != kNoEvent && states[index(top)] == State::OnTheWay; top = trace.parent(top))
            states[index(top)] = State::Fine;
    }
}

void checkLinks(const Trace &trace)
{
    const LaunchLinks &links = trace.links();
    checkColumn(trace, links.ofWork);
    checkColumn(trace, links.correlation);
    std::size_t work = 0;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        const auto id = static_cast<EventId>(i);
        if (!isDeviceWork(trace.kind(id)))
            continue;
        if (trace.lane(trace.lane(id)).kind == LaneKind::Gpu)
            ++work;
        const LaunchLink link = trace.launchLink(id);
        if (link.launch != kNoEvent) {
            require(trace.kind(link.launch) == EventKind::Launch && link.via == LinkVia::Correlation, "a launch is none", i);
            const auto back = trace.workOfLaunch(link.launch);
            require(std::find(back.begin(), back.end(), id) != back.end(), "a link has no back link", i);
            require(std::binary_search(links.launches.begin(), links.launches.end(), link.launch,
                                       [&](EventId a, EventId b) {
                                           return std::tuple(trace.lane(a), trace.begin(a), a) < std::tuple(trace.lane(b), trace.begin(b), b);
                                       }),
                    "a launch is not in the list of launches", i);
            if (link.op != kNoEvent) {
                require(trace.kind(link.op) == EventKind::Operator && trace.lane(link.op) == trace.lane(link.launch), "an operator is none", i);
                require(trace.begin(link.op) <= trace.begin(link.launch) && saturatingAdd(trace.end(link.op), 1) >= trace.end(link.launch),
                        "an operator does not enclose its launch", i);
            }
        } else if (link.op != kNoEvent) {
            const auto back = links.workOfOperator.of(link.op);
            require(link.via == LinkVia::ExternalId && std::find(back.begin(), back.end(), id) != back.end(), "a link by id has no back link", i);
        } else {
            require(link.via == LinkVia::None, "a link is none", i);
        }
    }
    require(links.ofWork.size() == work, "device work has no entry, or something else has");
    for (std::size_t i = 0; i < links.workOfLaunch.size(); ++i)
        require(trace.launchLink(links.workOfLaunch.to()[i]).launch == links.workOfLaunch.from()[i], "a back link has no link", i);
    for (std::size_t i = 0; i < links.workOfOperator.size(); ++i)
        require(trace.launchLink(links.workOfOperator.to()[i]).op == links.workOfOperator.from()[i], "a back link by id has no link", i);
}

void checkArrowsAndMates(const Trace &trace)
{
    const auto &all = trace.arrows().all;
    const auto &byTarget = trace.arrows().byTarget;
    require(all.size() == byTarget.size(), "the arrows have two lengths");
    std::vector<bool> seen(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        require(index(all[i].from) < trace.eventCount() && index(all[i].to) < trace.eventCount() && all[i].from != all[i].to, "an arrow leads nowhere", i);
        require(i == 0 || std::tuple(all[i - 1].from, all[i - 1].to) <= std::tuple(all[i].from, all[i].to), "the arrows are not ascending", i);
        require(byTarget[i] < all.size() && !seen[byTarget[i]], "the arrows by target are no permutation", i);
        seen[byTarget[i]] = true;
        require(i == 0 || all[byTarget[i - 1]].to <= all[byTarget[i]].to, "the arrows by target are not ascending", i);
    }
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        const auto id = static_cast<EventId>(i);
        if (const EventId forward = trace.forwardOf(id); forward != kNoEvent) {
            const auto back = trace.backwardOf(forward);
            require(std::find(back.begin(), back.end(), id) != back.end(), "a mate has no back link", i);
        }
        for (const EventId backward : trace.backwardOf(id))
            require(trace.forwardOf(backward) == id, "a back link to a mate has no link", i);
    }
}

void checkRest(const Trace &trace)
{
    require(trace.range().begin == 0 || trace.range().isEmpty(), "the trace does not begin at 0");
    require(trace.range().contains(trace.mainRange()), "the main range is not inside");
    const auto isLane = [&](LaneId lane) { return lane == kNoLane || index(lane) < trace.lanes().size(); };
    TimeNs last = kMinTime;
    for (const MemoryRecord &record : trace.memory()) {
        require(record.time >= last && record.time >= 0, "the memory log is not sorted");
        require(isLane(record.lane), "a memory record has no lane");
        last = record.time;
    }
    for (const Instant &instant : trace.instants())
        require(isLane(instant.lane) && instant.time >= 0, "an instant has no lane");
    for (const Counter &counter : trace.counters()) {
        for (const CounterSeries &series : counter.series) {
            require(series.times.size() == series.values.size() && !series.times.empty(), "a series has two lengths");
            require(std::is_sorted(series.times.begin(), series.times.end()), "a series is not sorted");
        }
    }
    last = kMinTime;
    for (const Step &step : trace.steps()) {
        require(step.range.begin >= last && index(step.event) < trace.eventCount() && trace.range(step.event) == step.range, "a step is none");
        require(trace.name(step.event) == "ProfilerStep#" + std::to_string(step.number) || step.number >= 0, "a step has another name");
        last = step.range.begin;
    }
    for (std::size_t i = 1; i < trace.diagnostics().size(); ++i) {
        const Diagnostic &before = trace.diagnostics()[i - 1];
        require(before.kind < trace.diagnostics()[i].kind, "the notes are not sorted");
        require(severityOf(before.kind) <= severityOf(trace.diagnostics()[i].kind), "the notes are not sorted by severity");
    }
    for (const Diagnostic &note : trace.diagnostics()) {
        require(note.count > 0 && !note.message.empty() && isUtf8(note.message), "a note says nothing");
        require(!note.firstByte || *note.firstByte <= trace.metadata().jsonBytes, "a note is about a place behind the end");
    }
    std::uint64_t records = 0;
    for (const CategoryCount &count : trace.metadata().categories)
        records += count.count;
    require(records == trace.metadata().records, "the records do not add up");
}

} // namespace

std::string traceFault(const Trace &trace)
{
    try {
        checkPlaces(trace);
        checkEvents(trace);
        checkParents(trace);
        checkLinks(trace);
        checkArrowsAndMates(trace);
        checkRest(trace);
    } catch (const Fault &fault) {
        return fault.what;
    }
    return {};
}

} // namespace ks
