// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys of the timeline, as a person uses them.
#include "tests/widgets/timeline_window.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/overview.h"
#include "widgets/timeline/time_ruler.h"

#include <QScrollBar>
#include <QTest>

#include <array>
#include <cmath>

using namespace ks;

class TstTimelineGestures : public QObject
{
    Q_OBJECT
private slots:
    void clickingAKernelSelectsIt();
    void clickingAnOperatorSelectsIt();
    void clickOnAMergedRunSelectsItsLongestEvent();
    void clickingAnEmptyPlaceClearsTheSelection();
    void escapeClearsTheSelection();
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
    void theOverviewShowsStepsAndMemory();
    void draggingTheOverviewMovesTheView();
    void draggingAnEdgeOfTheOverviewsHandleResizesTheView();
    void pinnedLanesOfEveryTraceStay();
};

void TstTimelineGestures::clickingAKernelSelectsIt()
{
    Window w;
    w.click(w.ref("ampere_sgemm"));
    QVERIFY(w.selected());
    QCOMPARE(*w.selected(), w.ref("ampere_sgemm"));
}

void TstTimelineGestures::clickingAnOperatorSelectsIt()
{
    Window w;
    w.click(w.ref("aten::addmm"));
    QVERIFY(w.selected());
    QCOMPARE(*w.selected(), w.ref("aten::addmm"));
}

void TstTimelineGestures::clickOnAMergedRunSelectsItsLongestEvent()
{
    Window w;
    const EventRef longest = w.ref("tiny", 123);
    const QPoint at = w.centre(longest);
    QCOMPARE(w.view.targetAt(at).hit.kind, Hit::Kind::Run);
    QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, at);
    QVERIFY(w.selected());
    QCOMPARE(*w.selected(), longest);
}

void TstTimelineGestures::clickingAnEmptyPlaceClearsTheSelection()
{
    Window w;
    w.click(w.ref("ampere_sgemm"));
    QVERIFY(w.selected());
    const QRectF rect = w.view.rectOf(w.ref("ampere_sgemm"));
    QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {},
                      QPoint(static_cast<int>(rect.left()) - 40, static_cast<int>(rect.center().y())));
    QVERIFY(isNone(w.state.selection()));
}

void TstTimelineGestures::escapeClearsTheSelection()
{
    Window w;
    w.click(w.ref("ampere_sgemm"));
    QTest::keyClick(&w.view, Qt::Key_Escape);
    QVERIFY(isNone(w.state.selection()));
}

void TstTimelineGestures::wheelWithControlZoomsAroundTheCursor()
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

void TstTimelineGestures::wheelWithShiftPans()
{
    Window w;
    w.state.setVisibleRange({500'000, 800'000});
    w.draw();
    const TimeRange before = w.state.visibleRange();
    w.wheel({300, 100}, {0, -120}, Qt::ShiftModifier);
    QVERIFY(w.state.visibleRange().begin > before.begin);
    QVERIFY(std::abs(static_cast<double>(w.state.visibleRange().duration() - before.duration())) <= 1);
}

void TstTimelineGestures::wheelScrollsTheLanes()
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

void TstTimelineGestures::middleDragPans()
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

void TstTimelineGestures::spaceDragPans()
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

void TstTimelineGestures::draggingSelectsAnAreaOfTimeAndLanes()
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

void TstTimelineGestures::draggingSnapsToTheEdgesOfEvents()
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

void TstTimelineGestures::draggingOnTheRulerSelectsAllLanes()
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

void TstTimelineGestures::doubleClickZoomsToTheEvent()
{
    Window w;
    const TimeRange kernel = w.trace->range(eventNamed(*w.trace, "ampere_sgemm"));
    QTest::mouseDClick(w.view.viewport(), Qt::LeftButton, {}, w.centre(w.ref("ampere_sgemm")));
    QVERIFY(w.state.visibleRange().contains(kernel));
    QVERIFY(w.state.visibleRange().duration() < kernel.duration() * 3 / 2);
}

void TstTimelineGestures::doubleClickOnAMergedRunZoomsToIt()
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

void TstTimelineGestures::arrowsWalkTheRowAndTheNesting()
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

void TstTimelineGestures::heldKeysZoomAndPanAndStop()
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

void TstTimelineGestures::keyFFitsTheSelection()
{
    Window w;
    w.state.select(w.ref("aten::relu"));
    QTest::keyClick(&w.view, Qt::Key_F);
    const TimeRange relu = w.trace->range(eventNamed(*w.trace, "aten::relu"));
    QVERIFY(w.state.visibleRange().contains(relu));
    QVERIFY(w.state.visibleRange().duration() < relu.duration() * 3 / 2);
}

void TstTimelineGestures::homeShowsEverything()
{
    Window w;
    w.state.setVisibleRange({400'000, 500'000});
    QTest::keyClick(&w.view, Qt::Key_Home);
    QVERIFY(w.state.visibleRange().contains(w.trace->mainRange()));
    w.state.setVisibleRange({400'000, 500'000});
    QTest::keyClick(&w.view, Qt::Key_0);
    QVERIFY(w.state.visibleRange().contains(w.trace->mainRange()));
}

void TstTimelineGestures::clickingAHeaderFoldsItsLane()
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

void TstTimelineGestures::theOverviewShowsStepsAndMemory()
{
    for (const bool hasMemory : {false, true}) {
        TraceMaker maker;
        maker.step(1, 0, 1000).step(2, 1000, 1000).kernel("after", 2990, 10, 7, 0); // bars are of the device
        for (int i = 0; hasMemory && i < 20; ++i)
            maker.memory(100 + i * 140, 500, static_cast<std::uint64_t>(i + 1), (i + 1) * 500, 0);
        Window w(maker.build());
        auto *overview = w.view.findChild<Overview *>();
        const auto xOf = [&](TimeNs t) {
            w.state.setVisibleRange({t - 1000, t + 1000});
            return static_cast<int>(overview->handleRect().center().x());
        };
        const std::array<int, 3> x = {xOf(100'000), xOf(1'100'000), xOf(2'200'000)}; // two steps and none
        w.state.setVisibleRange({2'900'000, 2'950'000});
        const QImage image = overview->grab().toImage();
        const auto at = [&](int column) { return image.pixelColor(column, 6); };
        QVERIFY(at(x[0]) != at(x[1]) && at(x[1]) != at(x[2]) && at(x[0]) != at(x[2]));
        int warm = 0; // pixels of the tone memory has, which nothing else does
        for (int y = 0; y < image.height(); ++y) {
            for (int column = x[0]; column < x[2]; ++column)
                warm += image.pixelColor(column, y).red() > image.pixelColor(column, y).blue() + 60 ? 1 : 0;
        }
        QCOMPARE(warm > 100, hasMemory);
        QVERIFY(hasMemory || warm == 0);
    }
}

void TstTimelineGestures::draggingTheOverviewMovesTheView()
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

void TstTimelineGestures::draggingAnEdgeOfTheOverviewsHandleResizesTheView()
{
    Window w;
    auto *overview = w.view.findChild<Overview *>();
    for (const bool right : {true, false}) {
        w.state.setVisibleRange({600'000, 1'200'000});
        const QRectF handle = overview->handleRect();
        const QPoint edge(static_cast<int>(right ? handle.right() : handle.left()),
                          static_cast<int>(handle.center().y()));
        const QPoint to = edge + QPoint(right ? 90 : -90, 0);
        QTest::mousePress(overview, Qt::LeftButton, {}, edge);
        QTest::mouseMove(overview, to);
        QTest::mouseRelease(overview, Qt::LeftButton, {}, to);
        const TimeRange after = w.state.visibleRange();
        QCOMPARE(right ? after.begin : after.end, right ? TimeNs{600'000} : TimeNs{1'200'000});
        QVERIFY(right ? after.end > 1'300'000 : after.begin < 500'000);
        const QRectF handleNow = overview->handleRect();
        QVERIFY(std::abs((right ? handleNow.right() : handleNow.left()) - to.x()) < 3);
    }
}

void TstTimelineGestures::pinnedLanesOfEveryTraceStay()
{
    Window w(smallTrace(), {1000, 300});
    w.state.traces().add(smallTrace()); // the same once more, compared
    QCOMPARE(w.view.tracks().tracks().size(), std::size_t{2});
    const EventRef first = w.ref("ampere_sgemm");
    const EventRef second = w.state.traces().ref(1, first.event);
    const EventRef operatorOfSecond = w.state.traces().ref(1, eventNamed(*w.trace, "aten::linear", 1));
    for (const EventRef &event : {second, first}) {
        w.view.togglePin({event.trace, event.generation, w.trace->lane(event.event)});
        QVERIFY(w.view.isPinned({event.trace, event.generation, w.trace->lane(event.event)}));
    }
    QScrollBar *bar = w.view.verticalScrollBar();
    bar->setValue(0);
    const QRectF firstAt = w.view.rectOf(first);
    const QRectF secondAt = w.view.rectOf(second);
    QVERIFY(firstAt.top() < secondAt.top());
    const double before = w.view.rectOf(operatorOfSecond).top();
    QVERIFY(before > secondAt.bottom());
    for (int i = 0; i < 40; ++i)
        w.wheel({300, 150}, {0, -120});
    QVERIFY(bar->value() > 0);
    QCOMPARE(bar->value(), bar->maximum());
    QCOMPARE(w.view.rectOf(first), firstAt);
    QCOMPARE(w.view.rectOf(second), secondAt);
    QCOMPARE(w.view.rectOf(operatorOfSecond).top(), before - bar->value());
    // What is seen there is what a click takes.
    w.click(second);
    QVERIFY(w.selected());
    QCOMPARE(*w.selected(), second);
    w.click(first);
    QCOMPARE(*w.selected(), first);
    w.view.reveal(operatorOfSecond); // comes out from behind what stays
    QVERIFY(w.view.rectOf(operatorOfSecond).top() > secondAt.bottom());
    w.click(operatorOfSecond);
    QCOMPARE(*w.selected(), operatorOfSecond);
    // Its name folds it where it stays.
    auto *headers = w.view.findChild<LaneHeaders *>();
    QTest::mouseClick(headers, Qt::LeftButton, {}, QPoint(60, static_cast<int>(secondAt.top()) + 5));
    QVERIFY(w.view.tracks().tracks()[1].lanes.lanes.contains(w.trace->lane(second.event)));
    QVERIFY(w.view.tracks().tracks()[0].lanes.lanes.empty());
    w.draw();
    QCOMPARE(w.view.rectOf(first), firstAt);
    w.click(second); // in its strip
    QCOMPARE(*w.selected(), second);
}

QTEST_MAIN(TstTimelineGestures)
#include "tst_timeline_gestures.moc"
