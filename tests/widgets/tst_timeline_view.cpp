// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline shows: of lanes, of events that are asked for, of tooltips; and when it draws.
#include "core/base/name_pool.h"
#include "tests/support/row_trace.h"
#include "tests/widgets/timeline_window.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/overview.h"
#include "widgets/timeline/time_ruler.h"

#include <QApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <memory>

using namespace ks;

class TstTimelineView : public QObject
{
    Q_OBJECT
private slots:
    void opensOnTheFirstStepWithDeviceWork();
    void hoveringTellsTheOtherPanes();
    void hoverFromElsewhereNeverRebuildsTheContent();
    void revealUnfoldsWhatHidesTheEvent();
    void revealUnfoldsPython();
    void revealLeavesTheViewWhereItIsIfTheEventIsSeen();
    void revealBringsAFarEventIntoView();
    void revealIsAnimated();
    void flowsLeadFromTheLaunchToItsKernel();
    void tooltipTellsNameAndDuration();
    void tooltipOfARunCountsItsEvents();
    void partsHaveAccessibleNames();
    void showsTwoTracesUnderEachOther();
    void drawsAgainOnlyWhenSomethingChanged();
    void aNewPictureIsTheOneThatIsKept();
    void collectivesSayWhatTheyAreOnceTheViewRests();
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
    const TimeRange kernel = w.trace->range(eventNamed(*w.trace, "ampere_sgemm", 1));
    // So slow that however late the first steps come, it is seen on its way.
    w.view.setAnimationTime(600'000);
    w.state.setVisibleRange({100'000, 300'000});
    w.state.reveal(w.ref("ampere_sgemm", 1));
    QTRY_VERIFY(w.state.visibleRange().begin > 100'000);
    QVERIFY(!w.state.visibleRange().contains(kernel));
    // Somebody else sets the range: the animation gives way.
    w.state.setVisibleRange({500'000, 600'000});
    QTest::qWait(50);
    QCOMPARE(w.state.visibleRange(), (TimeRange{500'000, 600'000}));
    // It arrives.
    w.view.setAnimationTime(20);
    w.state.reveal(w.ref("ampere_sgemm", 1));
    QTRY_VERIFY(w.state.visibleRange().contains(kernel));
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

// A new picture is composed where it is shown, the next one copied from what is kept.
void TstTimelineView::aNewPictureIsTheOneThatIsKept()
{
    Window w;
    w.showAll();
    for (const TimeRange range :
         {TimeRange{1'000, 1'900'000}, TimeRange{90'000, 410'000}, TimeRange{1'899'000, 1'903'000}}) {
        w.state.setVisibleRange(range);
        const int drawn = w.view.content().drawn();
        const QImage direct = w.view.viewport()->grab().toImage();
        QCOMPARE(w.view.content().drawn(), drawn + 1);
        QVERIFY(!w.view.content().isNew());
        const QImage kept = w.view.viewport()->grab().toImage();
        QCOMPARE(w.view.content().drawn(), drawn + 1);
        QCOMPARE(direct, kept);
        const QImage inWindow = w.view.grab().toImage().copy(w.view.viewport()->geometry());
        QCOMPARE(inWindow.convertToFormat(kept.format()), kept);
    }
}

void TstTimelineView::collectivesSayWhatTheyAreOnceTheViewRests()
{
    TraceMaker maker;
    maker.thread(100, "main").op("c10d::allreduce_", 10, 100).launch("cudaLaunchKernel", 20, 5, 1);
    maker.kernel(
        "ncclDevKernel_AllReduce_Sum", 100, 400, 7, 1, 0,
        R"("Collective name":"allreduce","dtype":"BFloat16","In msg nelems":33554432,"Out msg nelems":33554432)");
    maker.kernel("gemm", 600, 400, 7, 2);
    const auto trace = maker.build();
    Window w(trace);
    const QImage before = w.view.viewport()->grab().toImage();
    const EventId kernel = eventNamed(*trace, "ncclDevKernel_AllReduce_Sum");
    const auto labels = [&]() -> const EventLabels & { return w.view.labels().of(w.view.tracks().tracks().front()); };
    QTRY_VERIFY(labels().contains(kernel));
    QCOMPARE(nameText(labels().at(kernel)), std::string_view("all_reduce · bf16 · 64.0 MiB"));
    QVERIFY(!labels().contains(eventNamed(*trace, "gemm"))); // not asked about
    QVERIFY(w.view.viewport()->grab().toImage() != before);
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
