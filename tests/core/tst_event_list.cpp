// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/event_list.h"
#include "core/analysis/filter.h"
#include "core/analysis/modules.h"
#include "core/analysis/step_table.h"
#include "core/base/radix_order.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_run.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace ks;

namespace {

std::vector<RankTrace> randomTraces(std::mt19937_64 &random, int count)
{
    std::vector<RankTrace> traces;
    for (int i = 0; i < count; ++i) {
        RandomRun run;
        run.rank = i;
        traces.push_back({randomRun(random, run).build(), i});
    }
    return traces;
}

std::vector<std::vector<Step>> stepsOfAll(const std::vector<RankTrace> &traces)
{
    std::vector<std::vector<Step>> steps;
    for (const RankTrace &rank : traces)
        steps.push_back(stepsOf(*rank.trace, ""));
    return steps;
}

// What a cell says, as something that compares: known ones before unknown ones.
using Cell = std::tuple<bool, std::string, std::int64_t>;

Cell text(EventId event, const Trace &trace)
{
    return event == kNoEvent ? Cell{true, {}, 0} : Cell{false, std::string(trace.name(event)), 0};
}
Cell number(std::int64_t value)
{
    return {false, {}, value};
}

EventId aroundByHand(const Trace &trace, EventId event, bool module)
{
    if (isDeviceWork(trace.kind(event))) {
        const LaunchLink link = trace.launchLink(event);
        if (!module)
            return link.op;
        event = link.launch != kNoEvent ? link.launch : link.op;
    }
    for (EventId at = event == kNoEvent ? event : trace.parent(event); at != kNoEvent; at = trace.parent(at)) {
        if (module ? trace.kind(at) == EventKind::Python && trace.name(at).starts_with("nn.Module: ")
                   : trace.kind(at) == EventKind::Operator)
            return at;
    }
    return kNoEvent;
}

Cell cellOf(const EventList &list, std::size_t position, EventColumn column)
{
    const Trace &trace = list.trace(position);
    const EventId event = list.events[position];
    switch (column) {
    case EventColumn::Name: return text(event, trace);
    case EventColumn::Category: return {false, std::string(trace.category(event)), 0};
    case EventColumn::Lane:
        return number(static_cast<std::int64_t>(list.traceOf(position) * 1000 + index(trace.lane(event))));
    case EventColumn::Start: return number(static_cast<std::int64_t>(trace.fileTime(trace.begin(event))));
    case EventColumn::Duration: return number(trace.duration(event));
    case EventColumn::Self: return number(trace.selfTime(event));
    case EventColumn::Step: {
        const EventId launch = trace.launchLink(event).launch;
        const TimeNs begin = trace.begin(isDeviceWork(trace.kind(event)) && launch != kNoEvent ? launch : event);
        for (const Step &step : trace.steps()) {
            if (step.range.contains(begin))
                return number(step.number);
        }
        return {true, {}, 0};
    }
    case EventColumn::Operator: return text(aroundByHand(trace, event, false), trace);
    case EventColumn::Module: return text(aroundByHand(trace, event, true), trace);
    }
    return {};
}

} // namespace

class TstEventList : public QObject
{
    Q_OBJECT
private slots:
    void radixOrderIsAStableSort()
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 200; ++i) {
            std::vector<std::uint64_t> keys(random() % 300);
            const unsigned shift = static_cast<unsigned>(random() % 64);
            for (std::uint64_t &key : keys)
                key = i % 3 == 0 ? random() : random() % 40 << shift;
            std::vector<std::uint32_t> order(keys.size());
            std::iota(order.begin(), order.end(), 0U);
            std::vector<std::uint32_t> expected = order;
            std::stable_sort(expected.begin(), expected.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
            radixOrder(keys, order);
            QCOMPARE(order, expected);
        }
    }

    void theListHoldsWhatTheScopeSelectsByBegin()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 40; ++i) {
            const std::vector<RankTrace> traces = randomTraces(random, 1 + i % 3);
            Scope scope;
            if (i % 2 != 0) {
                const TimeRange whole = traces[0].trace->range();
                const auto at = static_cast<TimeNs>(random() % static_cast<std::uint64_t>(whole.duration()));
                for (const RankTrace &rank : traces)
                    scope.parts.push_back({rank.trace.get(), TimeRange{at, at + whole.duration() / 5}, {}});
                if (i % 4 == 3)
                    scope.parts[0].lanes = {LaneId{0}};
            }
            if (i % 3 == 1)
                scope.events = matchingEvents(Filter::parse("dur > 1us"), traces);
            if (i % 5 == 1)
                scope.steps = Scope::StepRange{6, 6};
            if (i % 7 == 1)
                scope.ranks = {0};
            const EventList list = listEvents(traces, scope);
            QCOMPARE(list.first.size(), traces.size() + 1);
            for (std::size_t t = 0; t < traces.size(); ++t) {
                const Trace &trace = *traces[t].trace;
                const TraceScope part(trace, scope);
                std::vector<EventId> expected;
                for (std::uint32_t e = 0; e < trace.eventCount(); ++e) {
                    const EventId event{e};
                    if (scope.includesRank(traces[t].rank) && part.includesLane(trace.lane(event)) && part.part(event))
                        expected.push_back(event);
                }
                std::sort(expected.begin(), expected.end(), [&trace](EventId a, EventId b) {
                    return std::tuple(trace.begin(a), trace.fileIndex(a))
                           < std::tuple(trace.begin(b), trace.fileIndex(b));
                });
                const std::vector<EventId> got(list.events.begin() + static_cast<std::ptrdiff_t>(list.first[t]),
                                               list.events.begin() + static_cast<std::ptrdiff_t>(list.first[t + 1]));
                QVERIFY(got == expected);
                for (std::uint32_t e = 0; e < trace.eventCount(); ++e) {
                    const auto place = std::find(expected.begin(), expected.end(), EventId{e});
                    const auto found = list.find(t, EventId{e});
                    QCOMPARE(found.has_value(), place != expected.end());
                    if (found)
                        QCOMPARE(*found, list.first[t] + static_cast<std::size_t>(place - expected.begin()));
                }
            }
        }
    }

    void everyColumnSortsAsAComparingSortDoes()
    {
        std::mt19937_64 random(3);
        for (int i = 0; i < 12; ++i) {
            const std::vector<RankTrace> traces = randomTraces(random, 1 + i % 2);
            Scope scope;
            if (i % 3 == 2)
                scope.events = matchingEvents(Filter::parse("dur > 1us"), traces);
            const EventList list = listEvents(traces, scope, stepsOfAll(traces));
            for (std::size_t c = 0; c < kEventColumns; ++c) {
                const auto column = static_cast<EventColumn>(c);
                std::vector<Cell> cells;
                for (std::size_t p = 0; p < list.size(); ++p)
                    cells.push_back(cellOf(list, p, column));
                for (const bool ascending : {true, false}) {
                    std::vector<std::uint32_t> expected(list.size());
                    std::iota(expected.begin(), expected.end(), 0U);
                    std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
                        if (std::get<0>(cells[a]) != std::get<0>(cells[b]))
                            return !std::get<0>(cells[a]);
                        return ascending ? cells[a] < cells[b] : cells[b] < cells[a];
                    });
                    QCOMPARE(sortedPositions(list, column, ascending), expected);
                }
            }
        }
    }

    void cellsAreThoseTheColumnsSortBy()
    {
        std::mt19937_64 random(4);
        const std::vector<RankTrace> traces = randomTraces(random, 1);
        const EventList list = listEvents(traces, {}, stepsOfAll(traces));
        const Trace &trace = *traces[0].trace;
        for (std::size_t p = 0; p < list.size(); ++p) {
            const EventId event = list.events[p];
            QCOMPARE(operatorAround(trace, event), aroundByHand(trace, event, false));
            QCOMPARE(moduleAround(trace, event), aroundByHand(trace, event, true));
            const Step *step = stepOf(trace, list.steps[0], event);
            QVERIFY((step ? number(step->number) : Cell{true, {}, 0}) == cellOf(list, p, EventColumn::Step));
        }
    }

    void theTableTellsEachEventInTheOrderAskedFor()
    {
        std::mt19937_64 random(5);
        const std::vector<RankTrace> traces = randomTraces(random, 2);
        const EventList list = listEvents(traces, {});
        const std::vector<std::uint32_t> order = sortedPositions(list, EventColumn::Duration, false);
        const Table table = eventTable(list, order);
        QCOMPARE(table.rowCount(), list.size());
        for (std::size_t row = 0; row < table.rowCount(); ++row) {
            const std::size_t position = order[row];
            const Trace &trace = list.trace(position);
            const EventId event = list.events[position];
            QCOMPARE(table.findColumn("rank")->integer(row), static_cast<std::int64_t>(list.traceOf(position)));
            QCOMPARE(table.findColumn("id")->integer(row), std::int64_t{trace.fileIndex(event)});
            QCOMPARE(q(table.findColumn("name")->text(row)), q(trace.name(event)));
            QCOMPARE(table.findColumn("dur_ns")->integer(row), trace.duration(event));
        }
    }

    void sortingCanBeStopped()
    {
        std::mt19937_64 random(6);
        const std::vector<RankTrace> traces = randomTraces(random, 1);
        const EventList list = listEvents(traces, {});
        std::stop_source stop;
        stop.request_stop();
        const Progress stopped(stop.get_token(), {});
        for (std::size_t c = 0; c < kEventColumns; ++c)
            QVERIFY_THROWS_EXCEPTION(Cancelled, sortedPositions(list, static_cast<EventColumn>(c), true, stopped));
    }

    void ofNoTracesThereIsNothing()
    {
        const EventList list = listEvents({}, {});
        QCOMPARE(list.size(), std::size_t{0});
        QVERIFY(sortedPositions(list, EventColumn::Name, true).empty());
    }
};

QTEST_APPLESS_MAIN(TstEventList)
#include "tst_event_list.moc"
