// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/trace_names.h"
#include "widgets/state/view_state.h"

#include <QSignalSpy>
#include <QTest>

using namespace ks;

namespace {

std::shared_ptr<const Trace> traceOf(std::size_t events)
{
    TraceData data;
    const NameId name = internName("op");
    data.categories.push_back({internName("cpu_op"), EventKind::Operator});
    for (std::size_t i = 0; i < events; ++i) {
        data.events.begin.push_back(static_cast<TimeNs>(i * 100));
        data.events.duration.push_back(50);
        data.events.name.push_back(name);
        data.events.category.push_back(CategoryId{0});
        data.events.parent.push_back(kNoEvent);
        data.events.fileIndex.push_back(static_cast<std::uint32_t>(i));
        data.events.recordOffsetLow.push_back(0);
        data.events.recordOffsetHigh.push_back(0);
    }
    data.lanes.push_back({});
    data.lanes.back().process = ProcessId{0};
    data.lanes.back().endEvent = static_cast<EventId>(events);
    data.lanes.back().endRow = RowId{1};
    data.rows.push_back({LaneId{0}, RowGroup::Work, 0, EventId{0}, static_cast<EventId>(events)});
    data.processes.emplace_back();
    data.processes.back().lanes.push_back(LaneId{0});
    data.range = {0, static_cast<TimeNs>(events * 100)};
    data.mainRange = data.range;
    return std::make_shared<const Trace>(std::move(data));
}

} // namespace

class TstViewState : public QObject
{
    Q_OBJECT
    qint64 m_now = 0;
    ViewState::Clock clock()
    {
        m_now = 10'000;
        return [this] { return m_now; };
    }

private slots:
    void settingAnEqualValueDoesNothing()
    {
        ViewState state;
        QSignalSpy range(&state, &ViewState::visibleRangeChanged);
        QSignalSpy filter(&state, &ViewState::filterChanged);
        QSignalSpy selection(&state, &ViewState::selectionChanged);
        for (int i = 0; i < 2; ++i) {
            state.setVisibleRange({10, 20});
            state.setFilter(QStringLiteral("name:gemm"));
            state.select(internName("gemm"));
        }
        QCOMPARE(range.count(), 1);
        QCOMPARE(filter.count(), 1);
        QCOMPARE(selection.count(), 1);
        state.setVisibleRange({20, 20});
        QCOMPARE(state.visibleRange(), (TimeRange{10, 20}));
    }

    void backAndForwardGoThroughRangeSelectionAndFilter()
    {
        ViewState state(nullptr, clock());
        state.traces().add(traceOf(10));
        state.setVisibleRange({0, 1000});
        state.clearHistory();
        QVERIFY(!state.canGoBack());

        m_now += 1000;
        const EventRef kernel = state.traces().ref(0, EventId{3});
        state.select(kernel);
        m_now += 1000;
        state.setFilter(QStringLiteral("gemm"));
        m_now += 1000;
        state.setVisibleRange({100, 200});

        state.back();
        QCOMPARE(state.visibleRange(), (TimeRange{0, 1000}));
        QCOMPARE(state.filter(), QStringLiteral("gemm"));
        state.back();
        QCOMPARE(state.filter(), QString());
        QVERIFY(selectedEvent(state.selection()));
        state.back();
        QVERIFY(isNone(state.selection()));
        QVERIFY(!state.canGoBack());
        for (int i = 0; i < 3; ++i)
            state.forward();
        QVERIFY(!state.canGoForward());
        QCOMPARE(state.visibleRange(), (TimeRange{100, 200}));
        QCOMPARE(*selectedEvent(state.selection()), kernel);
    }

    void changesCloseTogetherAreOneStep()
    {
        ViewState state(nullptr, clock());
        state.setVisibleRange({0, 1000});
        state.clearHistory();
        for (TimeNs width = 900; width >= 100; width -= 100) { // a zoom, 40 ms a frame
            m_now += 40;
            state.setVisibleRange({0, width});
        }
        state.back();
        QCOMPARE(state.visibleRange(), (TimeRange{0, 1000}));
        QVERIFY(!state.canGoBack());
        state.forward();
        QCOMPARE(state.visibleRange(), (TimeRange{0, 100}));
    }

    void aJumpIsAStepOfItsOwnEvenAtOnce()
    {
        ViewState state(nullptr, clock());
        state.traces().add(traceOf(10));
        QSignalSpy reveal(&state, &ViewState::revealRequested);
        state.setVisibleRange({0, 1000});
        const EventRef kernel = state.traces().ref(0, EventId{3});
        const EventRef op = state.traces().ref(0, EventId{1});
        state.select(kernel);
        state.reveal(op, {op, kernel});
        state.setVisibleRange({50, 250}); // the timeline brings it into view
        QCOMPARE(reveal.count(), 1);
        QCOMPARE(reveal.first().first().value<EventRef>(), op);
        QCOMPARE(state.marked().size(), std::size_t{2});
        state.back();
        QCOMPARE(*selectedEvent(state.selection()), kernel);
        QCOMPARE(state.visibleRange(), (TimeRange{0, 1000}));
        QVERIFY(state.marked().empty());
        state.forward();
        QCOMPARE(*selectedEvent(state.selection()), op);
        QCOMPARE(state.visibleRange(), (TimeRange{50, 250}));
    }

    void aNewStepForgetsTheWayForward()
    {
        ViewState state(nullptr, clock());
        for (TimeNs end : {100, 200, 300}) {
            m_now += 1000;
            state.setVisibleRange({0, end});
        }
        state.back();
        QVERIFY(state.canGoForward());
        state.setVisibleRange({0, 50}); // at once: still a step of its own
        QVERIFY(!state.canGoForward());
        state.back();
        QCOMPARE(state.visibleRange(), (TimeRange{0, 200}));
    }

    void aClosedTraceLeavesNoReferenceBehind()
    {
        ViewState state(nullptr, clock());
        state.traces().add(traceOf(10));
        const EventRef event = state.traces().ref(0, EventId{3});
        state.select(event);
        state.setHovered(event);
        QSignalSpy selection(&state, &ViewState::selectionChanged);
        state.traces().replace(0, traceOf(10));
        QVERIFY(!state.traces().isValid(event));
        QVERIFY(isNone(state.selection()));
        QVERIFY(!state.hovered());
        QCOMPARE(selection.count(), 1);
        state.select(event);
        QVERIFY(isNone(state.selection()));
        state.reveal(event);
        QVERIFY(isNone(state.selection()));
        state.back();
        QVERIFY(isNone(state.selection()));
    }

    void removingATraceMakesReferencesToLaterOnesStale()
    {
        TraceSet set;
        set.add(traceOf(1));
        set.add(traceOf(5));
        const EventRef later = set.ref(1, EventId{4});
        set.setBaseline(1);
        set.remove(0);
        QVERIFY(!set.isValid(later));
        QCOMPARE(set.baseline(), std::uint32_t{0});
        QVERIFY(set.isValid(set.ref(0, EventId{4})));
        QVERIFY(!set.isValid(set.ref(0, EventId{5})));
    }

    void tracesOfOneFileNameAreToldApartByTheirFolders()
    {
        TraceSet traces;
        const auto add = [&](const char *path) {
            TraceData data;
            data.metadata.path = path;
            traces.add(std::make_shared<const Trace>(std::move(data)));
        };
        add("/runs/monday/rank0/trace.json");
        QCOMPARE(traceName(traces, 0), QStringLiteral("trace.json"));
        add("/runs/monday/rank0/other.json");
        QCOMPARE(traceName(traces, 0), QStringLiteral("trace.json"));
        add("/runs/tuesday/rank0/trace.json");
        QCOMPARE(traceName(traces, 0), QStringLiteral("monday/rank0/trace.json"));
        QCOMPARE(traceName(traces, 1), QStringLiteral("other.json"));
        QCOMPARE(traceName(traces, 2), QStringLiteral("tuesday/rank0/trace.json"));
        add("/trace.json");
        QCOMPARE(traceName(traces, 3), QStringLiteral("trace.json"));
        QCOMPARE(traceName(traces, 0), QStringLiteral("monday/rank0/trace.json"));
        add("/runs/monday/rank0/trace.json"); // the same once more
        QCOMPARE(traceName(traces, 4), QStringLiteral("monday/rank0/trace.json"));
    }

    void anOffsetMovesOneTrace()
    {
        TraceSet set;
        set.add(traceOf(10));
        set.add(traceOf(10));
        set.setOffset(1, 5000);
        QCOMPARE(set.range(), (TimeRange{0, 6000}));
        QCOMPARE(set.range(set.ref(1, EventId{1})), (TimeRange{5100, 5150}));
        QCOMPARE(set.toTraceTime(1, {5100, 5150}), (TimeRange{100, 150}));
    }

    void analysesGetTheAreaElseTheViewElseEverything()
    {
        ViewState state;
        state.traces().add(traceOf(10));
        QSignalSpy area(&state, &ViewState::areaChanged);
        QCOMPARE(state.area().range, (TimeRange{0, 1000}));
        state.setVisibleRange({100, 200});
        QCOMPARE(state.area().range, (TimeRange{100, 200}));
        QCOMPARE(area.count(), 1);
        const Area chosen{{120, 150}, {state.traces().ref(0, LaneId{0})}};
        state.select(chosen);
        QCOMPARE(state.area(), chosen);
        QCOMPARE(area.count(), 2);
        state.setVisibleRange({100, 300});
        QCOMPARE(area.count(), 2); // an area is chosen: the view does not matter
        state.select({});
        state.setFollowsView(false);
        QCOMPARE(state.area().range, (TimeRange{0, 1000}));
    }

    void aHandlerMayChangeTheStateAgain()
    {
        ViewState state;
        connect(&state, &ViewState::visibleRangeChanged, &state, [&state] { state.setVisibleRange({0, 100}); });
        state.setVisibleRange({0, 50});
        QCOMPARE(state.visibleRange(), (TimeRange{0, 100}));
    }
};

QTEST_GUILESS_MAIN(TstViewState)
#include "tst_view_state.moc"
