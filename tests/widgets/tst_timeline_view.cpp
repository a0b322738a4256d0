// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/row_trace.h"
#include "tests/support/trace_maker.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/overview.h"
#include "widgets/timeline/time_ruler.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>
#include <memory>

using namespace ks;

namespace {

std::shared_ptr<const Trace> smallTrace()
{
    TraceMaker maker;
    maker.thread(100, "main")
        .step(1, 0, 1000)
        .op("aten::linear", 100, 300)
        .op("aten::addmm", 120, 200)
        .launch("cudaLaunchKernel", 150, 20, 7)
        .op("aten::relu", 500, 100)
        .launch("cuLaunchKernelEx", 520, 10, 8)
        .python("train.py(1): step", 50, 900, 1)
        .python("train.py(2): forward", 90, 400, 2, 1)
        .step(2, 1000, 1000)
        .op("aten::linear", 1100, 300)
        .kernel("ampere_sgemm", 400, 200, 7, 7)
        .kernel("vectorized_elementwise_kernel", 650, 100, 7, 8)
        .kernel("ampere_sgemm", 1500, 200, 7, 9);
    // A crowd that merges at any usual zoom: 400 kernels of 20 ns, one of 60 ns.
    for (int i = 0; i < 400; ++i)
        maker.kernel("tiny", 1900 + i * 0.1, i == 123 ? 0.06 : 0.02, 7, 0);
    return maker.build();
}

EventId eventNamed(const Trace &trace, std::string_view name, std::size_t nth = 0)
{
    std::vector<EventId> found;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.name(static_cast<EventId>(i)) == name)
            found.push_back(static_cast<EventId>(i));
    }
    return nth < found.size() ? found[nth] : kNoEvent;
}

struct Window
{
    ViewState state;
    TimelineView view{state};
    std::shared_ptr<const Trace> trace;

    explicit Window(std::shared_ptr<const Trace> opened = smallTrace(), QSize size = {1220, 700})
        : trace(std::move(opened))
    {
        view.setAnimationTime(0);
        view.resize(size);
        state.traces().add(trace);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view))
            qFatal("no window");
        view.setFocus();
        showAll();
    }
    void showAll()
    {
        state.setVisibleRange(trace->range());
        draw();
    }
    void draw() { view.viewport()->repaint(); }
    EventRef ref(std::string_view name, std::size_t nth = 0)
    {
        return state.traces().ref(0, eventNamed(*trace, name, nth));
    }
    QPoint centre(EventRef event)
    {
        draw();
        const QPointF middle = view.rectOf(event).center();
        return {static_cast<int>(std::floor(middle.x())), static_cast<int>(std::floor(middle.y()))};
    }
    void click(EventRef event) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, centre(event)); }
    const EventRef *selected() { return selectedEvent(state.selection()); }
    void wheel(QPoint at, QPoint delta, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, delta, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(view.viewport(), &event);
        draw();
    }
};

} // namespace

class TstTimelineView : public QObject
{
    Q_OBJECT
private slots:
    void opensOnTheFirstStepWithDeviceWork();
    void clickingAKernelSelectsIt();
    void clickingAnOperatorSelectsIt();
    void clickOnAMergedRunSelectsItsLongestEvent();
    void clickingAnEmptyPlaceClearsTheSelection();
    void escapeClearsTheSelection();
    void hoveringTellsTheOtherPanes();
    void hoverFromElsewhereNeverRebuildsTheContent();
    void wheelWithControlZoomsAroundTheCursor();
    void wheelWithShiftPans();
    void wheelScrollsTheLanes();
    void middleDragPans();
    void spaceDragPans();
    void draggingSelectsAnAreaOfTimeAndLanes();
    void draggingSnapsToTheEdgesOfEvents();
    void draggingOnTheRulerSelectsAllLanes();
    void doubleClickZoomsToTheEvent();
    void doubleClickOnAMergedRunZoomsToIt();
    void arrowsWalkTheRowAndTheNesting();
    void heldKeysZoomAndPanAndStop();
    void keyFFitsTheSelection();
    void homeShowsEverything();
    void clickingAHeaderFoldsItsLane();
    void revealUnfoldsWhatHidesTheEvent();
    void revealUnfoldsPython();
    void revealLeavesTheViewWhereItIsIfTheEventIsSeen();
    void revealBringsAFarEventIntoView();
    void revealIsAnimated();
    void flowsLeadFromTheLaunchToItsKernel();
    void tooltipTellsNameAndDuration();
    void tooltipOfARunCountsItsEvents();
    void draggingTheOverviewMovesTheView();
    void partsHaveAccessibleNames();
    void showsTwoTracesUnderEachOther();
    void drawsAgainOnlyWhenSomethingChanged();
    void survivesEmptyAndClosedTraces();
    void resizingKeepsTheVisibleRange();
};

void TstTimelineView::opensOnTheFirstStepWithDeviceWork()
{
    ViewState state;
    TimelineView view(state);
    view.resize(1000, 600);
    state.traces().add(smallTrace());
    const Trace &trace = state.traces().at(0);
    const TimeRange step = trace.steps().front().range;
    QVERIFY(state.visibleRange().contains(step));
    QVERIFY(state.visibleRange().duration() < step.duration() * 3 / 2);
    QVERIFY(!state.canGoBack());
}

void TstTimelineView::clickingAKernelSelectsIt()
{
    Window w;
    w.click(w.ref("ampere_sgemm"));
    QVERIFY(w.selected());
    QCOMPARE(*w.selected(), w.ref("ampere_sgemm"));
}

void TstTimelineView::clickingAnOperatorSelectsIt()
{
    Window w;
    w.click(w.ref("aten::addmm"));
    QVERIFY(w.selected());
    QCOMPARE(*w.selected(), w.ref("aten::addmm"));
}

void TstTimelineView::clickOnAMergedRunSelectsItsLongestEvent()
{
    Window w;
    const EventRef longest = w.ref("tiny", 123);
    const QPoint at = w.centre(longest);
    QCOMPARE(w.view.targetAt(at).hit.kind, Hit::Kind::Run);
    QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, at);
    QVERIFY(w.selected());
    QCOMPARE(*w.selected(), longest);
}

void TstTimelineView::clickingAnEmptyPlaceClearsTheSelection()
{
    Window w;
    w.click(w.ref("ampere_sgemm"));
    QVERIFY(w.selected());
    const QRectF rect = w.view.rectOf(w.ref("ampere_sgemm"));
    QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {},
                      QPoint(static_cast<int>(rect.left()) - 40, static_cast<int>(rect.center().y())));
    QVERIFY(isNone(w.state.selection()));
}

void TstTimelineView::escapeClearsTheSelection()
{
    Window w;
    w.click(w.ref("ampere_sgemm"));
    QTest::keyClick(&w.view, Qt::Key_Escape);
    QVERIFY(isNone(w.state.selection()));
}

void TstTimelineView::hoveringTellsTheOtherPanes()
{
    Window w;
    QTest::mouseMove(w.view.viewport(), w.centre(w.ref("aten::relu")));
    QTRY_VERIFY(w.state.hovered().has_value());
    QCOMPARE(*w.state.hovered(), w.ref("aten::relu"));
    QVERIFY(w.state.cursor().has_value());
    QVERIFY(w.trace->range(eventNamed(*w.trace, "aten::relu")).contains(*w.state.cursor()));
}

void TstTimelineView::hoverFromElsewhereNeverRebuildsTheContent()
{
    Window w;
    w.draw();
    const int drawn = w.view.content().drawn();
    w.state.setHovered(w.ref("aten::relu"));
    w.draw();
    w.state.select(w.ref("aten::linear"));
    w.draw();
    QCOMPARE(w.view.content().drawn(), drawn);
}

void TstTimelineView::wheelWithControlZoomsAroundTheCursor()
{
    Window w;
    const QPoint at(300, 100);
    const TimeNs under = w.view.view().timeAt(at.x());
    const TimeNs before = w.state.visibleRange().duration();
    w.wheel(at, {0, 120}, Qt::ControlModifier);
    QVERIFY(w.state.visibleRange().duration() < before);
    QVERIFY(std::abs(w.view.view().xOf(under) - at.x()) < 1);
    w.wheel(at, {0, -120}, Qt::ControlModifier);
    QVERIFY(std::abs(static_cast<double>(w.state.visibleRange().duration() - before)) < 3);
}

void TstTimelineView::wheelWithShiftPans()
{
    Window w;
    w.state.setVisibleRange({500'000, 800'000});
    w.draw();
    const TimeRange before = w.state.visibleRange();
    w.wheel({300, 100}, {0, -120}, Qt::ShiftModifier);
    QVERIFY(w.state.visibleRange().begin > before.begin);
    QVERIFY(std::abs(static_cast<double>(w.state.visibleRange().duration() - before.duration())) <= 1);
}

void TstTimelineView::wheelScrollsTheLanes()
{
    Window w(smallTrace(), {1000, 200});
    QScrollBar *bar = w.view.verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    bar->setValue(0);
    const TimeRange before = w.state.visibleRange();
    w.wheel({300, 50}, {0, -120});
    QVERIFY(bar->value() > 0);
    QCOMPARE(w.state.visibleRange(), before);
}

void TstTimelineView::middleDragPans()
{
    Window w;
    w.state.setVisibleRange({500'000, 800'000});
    w.draw();
    const TimeNs under = w.view.view().timeAt(400);
    QTest::mousePress(w.view.viewport(), Qt::MiddleButton, {}, {400, 80});
    QTest::mouseMove(w.view.viewport(), {300, 80});
    QTest::mouseRelease(w.view.viewport(), Qt::MiddleButton, {}, {300, 80});
    QTRY_VERIFY(std::abs(w.view.view().xOf(under) - 300) < 1);
}

void TstTimelineView::spaceDragPans()
{
    Window w;
    w.state.setVisibleRange({500'000, 800'000});
    w.draw();
    const TimeNs under = w.view.view().timeAt(400);
    QTest::keyPress(&w.view, Qt::Key_Space);
    QTest::mousePress(w.view.viewport(), Qt::LeftButton, {}, {400, 80});
    QTest::mouseMove(w.view.viewport(), {450, 80});
    QTest::mouseRelease(w.view.viewport(), Qt::LeftButton, {}, {450, 80});
    QTest::keyRelease(&w.view, Qt::Key_Space);
    QTRY_VERIFY(std::abs(w.view.view().xOf(under) - 450) < 1);
    QVERIFY(isNone(w.state.selection()));
}

void TstTimelineView::draggingSelectsAnAreaOfTimeAndLanes()
{
    Window w;
    const QRectF kernel = w.view.rectOf(w.ref("ampere_sgemm"));
    const int y = static_cast<int>(kernel.center().y());
    const int from = static_cast<int>(kernel.left()) - 60;
    const int to = static_cast<int>(kernel.right()) + 40;
    QTest::mousePress(w.view.viewport(), Qt::LeftButton, {}, {from, y});
    QTest::mouseMove(w.view.viewport(), {from + 30, y});
    QTest::mouseMove(w.view.viewport(), {to, y});
    QTest::mouseRelease(w.view.viewport(), Qt::LeftButton, {}, {to, y});
    const Area *area = selectedArea(w.state.selection());
    QVERIFY(area);
    QVERIFY(area->range.contains(w.trace->range(eventNamed(*w.trace, "ampere_sgemm"))));
    QCOMPARE(area->lanes.size(), std::size_t{1});
    QCOMPARE(area->lanes.front().lane, w.trace->lane(eventNamed(*w.trace, "ampere_sgemm")));
}

void TstTimelineView::draggingSnapsToTheEdgesOfEvents()
{
    Window w;
    const QRectF kernel = w.view.rectOf(w.ref("ampere_sgemm"));
    const int y = static_cast<int>(kernel.center().y());
    const int from = static_cast<int>(kernel.left()) + 2;
    const int to = static_cast<int>(kernel.right()) - 2;
    QTest::mousePress(w.view.viewport(), Qt::LeftButton, {}, {from, y});
    QTest::mouseMove(w.view.viewport(), {(from + to) / 2, y});
    QTest::mouseMove(w.view.viewport(), {to, y});
    QTest::mouseRelease(w.view.viewport(), Qt::LeftButton, {}, {to, y});
    const Area *area = selectedArea(w.state.selection());
    QVERIFY(area);
    QCOMPARE(area->range, w.trace->range(eventNamed(*w.trace, "ampere_sgemm")));
}

void TstTimelineView::draggingOnTheRulerSelectsAllLanes()
{
    Window w;
    auto *ruler = w.view.findChild<TimeRuler *>();
    QVERIFY(ruler);
    QTest::mousePress(ruler, Qt::LeftButton, {}, {400, 20});
    QTest::mouseMove(ruler, {450, 20});
    QTest::mouseMove(ruler, {600, 20});
    QTest::mouseRelease(ruler, Qt::LeftButton, {}, {600, 20});
    const Area *area = selectedArea(w.state.selection());
    QVERIFY(area);
    QVERIFY(area->lanes.empty());
    QVERIFY(std::abs(w.view.view().xOf(area->range.begin) - (400 - 220)) < 1.5);
    QVERIFY(std::abs(w.view.view().xOf(area->range.end) - (600 - 220)) < 1.5);
}

void TstTimelineView::doubleClickZoomsToTheEvent()
{
    Window w;
    const TimeRange kernel = w.trace->range(eventNamed(*w.trace, "ampere_sgemm"));
    QTest::mouseDClick(w.view.viewport(), Qt::LeftButton, {}, w.centre(w.ref("ampere_sgemm")));
    QVERIFY(w.state.visibleRange().contains(kernel));
    QVERIFY(w.state.visibleRange().duration() < kernel.duration() * 3 / 2);
}

void TstTimelineView::doubleClickOnAMergedRunZoomsToIt()
{
    Window w;
    const EventRef longest = w.ref("tiny", 123);
    const QPoint at = w.centre(longest);
    const Hit hit = w.view.targetAt(at).hit;
    const RunFacts facts = runFacts(*w.trace, DurationBlocks(*w.trace), hit.first, hit.end);
    QTest::mouseDClick(w.view.viewport(), Qt::LeftButton, {}, at);
    QVERIFY(w.state.visibleRange().contains(facts.range));
    QVERIFY(w.state.visibleRange().duration() < facts.range.duration() * 2);
    w.draw();
    QVERIFY(w.view.rectOf(longest).width() > 1);
}

void TstTimelineView::arrowsWalkTheRowAndTheNesting()
{
    Window w;
    w.state.select(w.ref("ampere_sgemm"));
    QTest::keyClick(&w.view, Qt::Key_Right);
    QCOMPARE(*w.selected(), w.ref("vectorized_elementwise_kernel"));
    QTest::keyClick(&w.view, Qt::Key_Left);
    QCOMPARE(*w.selected(), w.ref("ampere_sgemm"));
    QTest::keyClick(&w.view, Qt::Key_Left); // nothing before it: stays
    QCOMPARE(*w.selected(), w.ref("ampere_sgemm"));
    w.state.select(w.ref("aten::linear"));
    QTest::keyClick(&w.view, Qt::Key_Down);
    QCOMPARE(*w.selected(), w.ref("aten::addmm"));
    QTest::keyClick(&w.view, Qt::Key_Down);
    QCOMPARE(*w.selected(), w.ref("cudaLaunchKernel"));
    QTest::keyClick(&w.view, Qt::Key_Up);
    QCOMPARE(*w.selected(), w.ref("aten::addmm"));
}

void TstTimelineView::heldKeysZoomAndPanAndStop()
{
    Window w;
    const TimeNs before = w.state.visibleRange().duration();
    QTest::keyPress(&w.view, Qt::Key_W);
    const TimeNs afterTap = w.state.visibleRange().duration();
    QVERIFY(afterTap < before);
    QTRY_VERIFY(w.state.visibleRange().duration() < afterTap * 9 / 10);
    QTest::keyRelease(&w.view, Qt::Key_W);
    const TimeRange released = w.state.visibleRange();
    QTest::qWait(60); // nothing moves any more
    QCOMPARE(w.state.visibleRange(), released);
    QTest::keyClick(&w.view, Qt::Key_D);
    QVERIFY(w.state.visibleRange().begin > released.begin);
    QTest::keyClick(&w.view, Qt::Key_S);
    QVERIFY(w.state.visibleRange().duration() > released.duration());
}

void TstTimelineView::keyFFitsTheSelection()
{
    Window w;
    w.state.select(w.ref("aten::relu"));
    QTest::keyClick(&w.view, Qt::Key_F);
    const TimeRange relu = w.trace->range(eventNamed(*w.trace, "aten::relu"));
    QVERIFY(w.state.visibleRange().contains(relu));
    QVERIFY(w.state.visibleRange().duration() < relu.duration() * 3 / 2);
}

void TstTimelineView::homeShowsEverything()
{
    Window w;
    w.state.setVisibleRange({400'000, 500'000});
    QTest::keyClick(&w.view, Qt::Key_Home);
    QVERIFY(w.state.visibleRange().contains(w.trace->mainRange()));
    w.state.setVisibleRange({400'000, 500'000});
    QTest::keyClick(&w.view, Qt::Key_0);
    QVERIFY(w.state.visibleRange().contains(w.trace->mainRange()));
}

void TstTimelineView::clickingAHeaderFoldsItsLane()
{
    Window w;
    auto *headers = w.view.findChild<LaneHeaders *>();
    QVERIFY(headers);
    const EventRef addmm = w.ref("aten::addmm");
    const double before = w.view.rectOf(w.ref("ampere_sgemm")).top();
    const Track &track = w.view.tracks().tracks().front();
    const Block block = track.layout.blocks()[track.layout.blockOf(w.trace->lane(addmm.event))];
    const QPoint at(60, block.y + 10);
    QTest::mouseClick(headers, Qt::LeftButton, {}, at);
    QVERIFY(w.view.tracks().tracks().front().lanes.lanes.contains(block.lane));
    QVERIFY(w.view.rectOf(w.ref("ampere_sgemm")).top() < before);
    w.click(addmm); // in its strip
    QVERIFY(w.selected());
    QCOMPARE(*w.selected(), addmm);
    QTest::mouseClick(headers, Qt::LeftButton, {}, at);
    QCOMPARE(w.view.rectOf(w.ref("ampere_sgemm")).top(), before);
}

void TstTimelineView::revealUnfoldsWhatHidesTheEvent()
{
    Window w;
    const EventRef addmm = w.ref("aten::addmm");
    LaneArrangement folds;
    folds.groups = {0, 1};
    folds.lanes = {w.trace->lane(addmm.event)};
    w.view.setArrangement(0, folds);
    w.state.reveal(addmm);
    const Track &track = w.view.tracks().tracks().front();
    QCOMPARE(track.layout.placeOf(*w.trace, w.trace->row(addmm.event)).shown, RowPlace::Shown::Itself);
    QVERIFY(QRectF(w.view.viewport()->rect()).contains(w.view.rectOf(addmm)));
    QCOMPARE(*w.selected(), addmm);
}

void TstTimelineView::revealUnfoldsPython()
{
    Window w;
    const EventRef frame = w.ref("train.py(2): forward");
    const double below = w.view.rectOf(w.ref("ampere_sgemm")).top();
    const double operators = w.view.rectOf(w.ref("aten::linear")).top();
    w.state.reveal(frame);
    const Track &track = w.view.tracks().tracks().front();
    QCOMPARE(track.layout.placeOf(*w.trace, w.trace->row(frame.event)).shown, RowPlace::Shown::Itself);
    QVERIFY(w.view.rectOf(w.ref("ampere_sgemm")).top() > below);
    QCOMPARE(w.view.rectOf(w.ref("aten::linear")).top(), operators); // python leaves the rest in place
}

void TstTimelineView::revealLeavesTheViewWhereItIsIfTheEventIsSeen()
{
    Window w;
    const TimeRange before = w.state.visibleRange();
    w.state.reveal(w.ref("aten::relu"));
    QCOMPARE(w.state.visibleRange(), before);
}

void TstTimelineView::revealBringsAFarEventIntoView()
{
    Window w;
    w.state.setVisibleRange({100'000, 300'000});
    w.state.reveal(w.ref("ampere_sgemm", 1));
    const TimeRange kernel = w.trace->range(eventNamed(*w.trace, "ampere_sgemm", 1));
    QVERIFY(w.state.visibleRange().contains(kernel));
    // Something tiny is zoomed into until it can be seen.
    w.showAll();
    w.state.reveal(w.ref("tiny", 123));
    w.draw();
    QVERIFY(w.view.view().widthOf(100) >= 5.9);
    QVERIFY(QRectF(w.view.viewport()->rect()).intersects(w.view.rectOf(w.ref("tiny", 123))));
}

void TstTimelineView::revealIsAnimated()
{
    Window w;
    w.view.setAnimationTime(80);
    w.state.setVisibleRange({100'000, 300'000});
    QSignalSpy moved(&w.state, &ViewState::visibleRangeChanged);
    w.state.reveal(w.ref("ampere_sgemm", 1));
    const TimeRange kernel = w.trace->range(eventNamed(*w.trace, "ampere_sgemm", 1));
    QTRY_VERIFY(w.state.visibleRange().contains(kernel));
    QVERIFY(moved.count() >= 2);
    // Somebody else sets the range: the animation gives way.
    w.state.reveal(w.ref("aten::linear"));
    w.state.setVisibleRange({500'000, 600'000});
    QTest::qWait(120);
    QCOMPARE(w.state.visibleRange(), (TimeRange{500'000, 600'000}));
}

void TstTimelineView::flowsLeadFromTheLaunchToItsKernel()
{
    Window w;
    w.click(w.ref("ampere_sgemm"));
    w.draw();
    const auto links = flowLinksOf(*w.trace, w.selected()->event, kMaxFlows);
    QCOMPARE(links.size(), std::size_t{1});
    QCOMPARE(links.front().from, eventNamed(*w.trace, "cudaLaunchKernel"));
    // The kernel alone in view: the other end is a marker at the left edge, a click on it goes there.
    w.state.setVisibleRange({390'000, 610'000});
    w.draw();
    const Track &track = w.view.tracks().tracks().front();
    const auto flows =
        layoutFlows(*w.trace, track.viewportOf(w.view.view()), track.layout, {0, w.view.viewport()->height()}, links);
    QCOMPARE(flows.size(), std::size_t{1});
    QVERIFY(flows.front().from.atEdge);
    QVERIFY(!flows.front().to.atEdge);
    QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {},
                      QPoint(static_cast<int>(flows.front().from.x) + 2, static_cast<int>(flows.front().from.y)));
    QCOMPARE(*w.selected(), w.ref("cudaLaunchKernel"));
    QVERIFY(w.state.visibleRange().contains(w.trace->range(eventNamed(*w.trace, "cudaLaunchKernel"))));
}

void TstTimelineView::tooltipTellsNameAndDuration()
{
    Window w;
    const QPoint at = w.centre(w.ref("ampere_sgemm"));
    QHelpEvent event(QEvent::ToolTip, at, w.view.viewport()->mapToGlobal(at));
    QApplication::sendEvent(w.view.viewport(), &event);
    QVERIFY(QToolTip::text().contains(QStringLiteral("ampere_sgemm")));
    QVERIFY(QToolTip::text().contains(QStringLiteral("200,000 ns")));
    QVERIFY(QToolTip::text().contains(QStringLiteral("gemm")));
}

void TstTimelineView::tooltipOfARunCountsItsEvents()
{
    Window w;
    const QPoint at = w.centre(w.ref("tiny", 123));
    QHelpEvent event(QEvent::ToolTip, at, w.view.viewport()->mapToGlobal(at));
    QApplication::sendEvent(w.view.viewport(), &event);
    QVERIFY(QToolTip::text().contains(QStringLiteral("events")));
    QVERIFY(QToolTip::text().contains(QStringLiteral("60 ns")));
}

void TstTimelineView::draggingTheOverviewMovesTheView()
{
    Window w;
    w.state.setVisibleRange({500'000, 900'000});
    auto *overview = w.view.findChild<Overview *>();
    QVERIFY(overview);
    const QPoint handle = overview->handleRect().center().toPoint();
    QTest::mousePress(overview, Qt::LeftButton, {}, handle);
    QTest::mouseMove(overview, handle + QPoint(100, 0));
    QTest::mouseRelease(overview, Qt::LeftButton, {}, handle + QPoint(100, 0));
    QVERIFY(w.state.visibleRange().begin > 600'000);
    QVERIFY(std::abs(static_cast<double>(w.state.visibleRange().duration() - 400'000)) < 3);
    const QRectF rect = overview->handleRect();
    const QPoint right(static_cast<int>(rect.right()), static_cast<int>(rect.center().y()));
    QTest::mousePress(overview, Qt::LeftButton, {}, right);
    QTest::mouseMove(overview, right + QPoint(50, 0));
    QTest::mouseRelease(overview, Qt::LeftButton, {}, right + QPoint(50, 0));
    QVERIFY(w.state.visibleRange().duration() > 450'000);
}

void TstTimelineView::partsHaveAccessibleNames()
{
    Window w;
    QVERIFY(!w.view.accessibleName().isEmpty());
    QVERIFY(!w.view.viewport()->accessibleName().isEmpty());
    for (QWidget *part : {static_cast<QWidget *>(w.view.findChild<LaneHeaders *>()),
                          static_cast<QWidget *>(w.view.findChild<TimeRuler *>()),
                          static_cast<QWidget *>(w.view.findChild<Overview *>())})
        QVERIFY(!part->accessibleName().isEmpty());
}

void TstTimelineView::showsTwoTracesUnderEachOther()
{
    Window w;
    w.state.traces().add(smallTrace());
    w.state.traces().setOffset(1, 5000);
    w.showAll();
    const EventRef second = w.state.traces().ref(1, eventNamed(*w.trace, "ampere_sgemm"));
    QVERIFY(w.view.rectOf(second).top() > w.view.rectOf(w.ref("ampere_sgemm")).top());
    QVERIFY(w.view.rectOf(second).left() > w.view.rectOf(w.ref("ampere_sgemm")).left());
    w.click(second);
    QCOMPARE(*w.selected(), second);
}

void TstTimelineView::drawsAgainOnlyWhenSomethingChanged()
{
    Window w;
    w.draw();
    const int drawn = w.view.content().drawn();
    for (int i = 0; i < 5; ++i)
        w.draw();
    QTest::mouseMove(w.view.viewport(), {200, 50});
    w.draw();
    QCOMPARE(w.view.content().drawn(), drawn);
    w.state.setVisibleRange({500'000, 600'000});
    w.draw();
    QCOMPARE(w.view.content().drawn(), drawn + 1);
    auto all = std::make_shared<std::vector<std::uint64_t>>(w.trace->eventCount() / 64 + 1);
    w.view.setMatching(0, all);
    w.draw();
    QCOMPARE(w.view.content().drawn(), drawn + 2);
}

void TstTimelineView::survivesEmptyAndClosedTraces()
{
    Window w;
    w.click(w.ref("ampere_sgemm"));
    w.state.traces().clear();
    w.draw();
    for (const Qt::Key key :
         {Qt::Key_F, Qt::Key_Home, Qt::Key_Left, Qt::Key_Up, Qt::Key_Down, Qt::Key_W, Qt::Key_Escape})
        QTest::keyClick(&w.view, key);
    QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, {100, 100});
    w.wheel({100, 100}, {0, 120}, Qt::ControlModifier);
    w.state.traces().add(RowTrace().build());
    w.draw();
    QTest::mouseDClick(w.view.viewport(), Qt::LeftButton, {}, {100, 100});
    QTest::keyClick(&w.view, Qt::Key_Home);
    w.draw();
}

void TstTimelineView::resizingKeepsTheVisibleRange()
{
    Window w;
    w.state.setVisibleRange({400'000, 900'000});
    w.view.resize(800, 500);
    QTRY_COMPARE(w.view.view().width(), static_cast<double>(w.view.viewport()->width()));
    QCOMPARE(w.state.visibleRange(), (TimeRange{400'000, 900'000}));
}

QTEST_MAIN(TstTimelineView)
#include "tst_timeline_view.moc"
