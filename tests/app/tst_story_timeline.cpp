// SPDX-License-Identifier: GPL-3.0-or-later
// A day at the timeline: finding, filtering, colouring, arranging lanes, marking, writing notes; by mouse and by keys.
#include "app/filter_line.h"
#include "app/find_line.h"
#include "app/status_line.h"
#include "app/step_picker.h"
#include "app/tool_bar.h"
#include "tests/app/timeline_story.h"

#include <QApplication>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>

using namespace ks;

class TstStoryTimeline : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { useOwnSettings(QStringLiteral("tst_story_timeline")); }

    void findGoesToTheFirstHitAlsoIfReturnComesAtOnce()
    {
        TimelineStory story;
        story.key(Qt::Key_F, Qt::ControlModifier);
        auto *edit = story.window.findChild<QLineEdit *>(QStringLiteral("find"));
        QTRY_VERIFY(edit->hasFocus());
        QTest::keyClicks(edit, QStringLiteral("gemm"));
        QTest::keyClick(edit, Qt::Key_Return); // nothing is found yet
        QTRY_COMPARE(story.selected(), story.event("gemm_kernel", 0));
        QTRY_VERIFY(story.window.toolBar().find().summary().startsWith(QLatin1String("1 of 6")));
    }

    void findMarksCountsAndWalks()
    {
        TimelineStory story;
        QVERIFY(story.isOpen);
        story.key(Qt::Key_F, Qt::ControlModifier);
        auto *edit = story.window.findChild<QLineEdit *>(QStringLiteral("find"));
        QTRY_VERIFY(edit->hasFocus());
        QTest::keyClicks(edit, QStringLiteral("gemm"));
        FindLine &find = story.window.toolBar().find();
        QTRY_VERIFY2(find.summary().startsWith(QLatin1String("6 found")), qPrintable(find.summary()));
        QVERIFY(find.summary().contains(QStringLiteral("sum 720 µs")));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(story.selected(), story.event("gemm_kernel", 0));
        QVERIFY(find.summary().startsWith(QLatin1String("1 of 6")));
        QTest::keyClick(&story.window, Qt::Key_F3);
        QCOMPARE(story.selected(), story.event("gemm_kernel", 1));
        QTest::keyClick(&story.window, Qt::Key_F3, Qt::ShiftModifier);
        QTest::keyClick(&story.window, Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(story.selected(), story.event("gemm_kernel", 5)); // around the end
        QTest::keyClick(edit, Qt::Key_Escape);
        QCOMPARE(find.summary(), QString());
        QVERIFY(story.timeline.hasFocus());
    }

    void slashFindsAndABadQuerySaysWhy()
    {
        TimelineStory story;
        story.key(Qt::Key_Slash);
        auto *edit = story.window.findChild<QLineEdit *>(QStringLiteral("find"));
        QTRY_VERIFY(edit->hasFocus());
        QTest::keyClicks(edit, QStringLiteral("dur>"));
        QTRY_VERIFY2(story.window.toolBar().find().summary().contains(QLatin1String("column")),
                     qPrintable(story.window.toolBar().find().summary()));
    }

    void findPaintsBarsOnTheLanes()
    {
        TimelineStory story;
        const QRectF rect = story.timeline.rectOf(story.ref(story.event("gemm_kernel", 2)));
        const QPoint head(static_cast<int>(rect.center().x()), static_cast<int>(rect.top()) + 1);
        const QRgb before = story.timeline.viewport()->grab().toImage().pixel(head);
        story.timeline.finder().search(QStringLiteral("gemm"));
        QTRY_COMPARE(story.timeline.finder().found().count, std::size_t{6});
        QVERIFY(story.timeline.viewport()->grab().toImage().pixel(head) != before);
    }

    void theFilterDimsAndCanBeTakenBack()
    {
        TimelineStory story;
        story.key(Qt::Key_L, Qt::ControlModifier);
        FilterLine &filter = story.window.toolBar().filter();
        QTRY_VERIFY(filter.hasFocus());
        QTest::keyClicks(&filter, QStringLiteral("kind:memcpy"));
        QTest::keyClick(&filter, Qt::Key_Return);
        QCOMPARE(story.state.filter(), QStringLiteral("kind:memcpy"));
        QTRY_COMPARE(story.timeline.filterJob().matching(), std::size_t{2});
        QVERIFY(story.timeline.shadings().shown().front()->matching != nullptr);
        (void)story.timeline.viewport()->grab();
        const DrawList &list = story.timeline.content().list(0);
        for (const DrawRow &row : list.rows) {
            for (std::uint32_t i = row.firstBox; i < row.endBox && row.row != kNoRow; ++i)
                QCOMPARE(list.boxes[i].dim, story.trace().kind(list.boxes[i].event) != EventKind::Memcpy);
        }
        filter.clear();
        QCOMPARE(story.state.filter(), QString());
        QTRY_VERIFY(story.timeline.shadings().shown().front()->matching == nullptr);
    }

    void whatCannotBeReadIsMarkedWhereItIsWrong()
    {
        TimelineStory story;
        FilterLine &filter = story.window.toolBar().filter();
        filter.resize(600, filter.height());
        const auto isRed = [](const QImage &picture, int from, int to) {
            for (int x = from; x < to; ++x) {
                for (int y = 0; y < picture.height(); ++y) {
                    const QColor pixel = picture.pixelColor(x, y);
                    if (pixel.red() > pixel.green() + 60 && pixel.red() > pixel.blue() + 60)
                        return true;
                }
            }
            return false;
        };
        filter.setText(QStringLiteral("gemm dur>fast"));
        QTest::keyClick(&filter, Qt::Key_Return);
        QTRY_COMPARE(story.timeline.filterJob().fault().at, qsizetype{9});
        QVERIFY(story.timeline.filterJob().fault().why.startsWith(QStringLiteral("column 10:")));
        const QImage picture = filter.grab().toImage();
        const int wrong = filter.fontMetrics().horizontalAdvance(QStringLiteral("gemm dur>"));
        QVERIFY(!isRed(picture, 0, wrong));
        QVERIFY(isRed(picture, wrong, picture.width()));
        QCOMPARE(filter.toolTip(), story.timeline.filterJob().fault().why);
        filter.setText(QStringLiteral("gemm dur>1us"));
        QTest::keyClick(&filter, Qt::Key_Return);
        QVERIFY(story.timeline.filterJob().fault().why.isEmpty());
        const QImage right = filter.grab().toImage();
        QVERIFY(!isRed(right, 0, right.width()));
    }

    void theFilterOffersWhatTheTraceHas()
    {
        TimelineStory story;
        story.key(Qt::Key_L, Qt::ControlModifier);
        FilterLine &filter = story.window.toolBar().filter();
        QTRY_VERIFY(filter.hasFocus());
        QTest::keyClicks(&filter, QStringLiteral("ki"));
        QTRY_COMPARE(filter.offered(), QStringList{QStringLiteral("kind:")});
        // The list takes the keys while it is open.
        const auto press = [&](Qt::Key key) { QTest::keyClick(QApplication::activePopupWidget(), key); };
        press(Qt::Key_Down);
        press(Qt::Key_Return);
        QCOMPARE(filter.text(), QStringLiteral("kind:"));
        QTRY_VERIFY(filter.offered().contains(QStringLiteral("memcpy")));
        QTest::keyClicks(QApplication::activePopupWidget(), QStringLiteral("memc"));
        QTRY_COMPARE(filter.offered(), QStringList{QStringLiteral("memcpy")});
        press(Qt::Key_Down);
        press(Qt::Key_Return);
        QCOMPARE(filter.text(), QStringLiteral("kind:memcpy "));
        QVERIFY(filter.offered().isEmpty());
        QTRY_COMPARE(story.timeline.filterJob().matching(), std::size_t{2});
        // Escape closes the list first, then clears the line.
        QTest::keyClick(&filter, Qt::Key_Space, Qt::ControlModifier);
        QTRY_VERIFY(filter.offered().contains(QStringLiteral("stream:")));
        press(Qt::Key_Escape);
        QVERIFY(filter.offered().isEmpty());
        QCOMPARE(filter.text(), QStringLiteral("kind:memcpy "));
        QTest::keyClick(&filter, Qt::Key_Escape);
        QCOMPARE(story.state.filter(), QString());
    }

    void theKeyCGoesThroughAllColourings()
    {
        TimelineStory story;
        auto *colours = story.window.findChild<QComboBox *>(QStringLiteral("colours"));
        QCOMPARE(colours->count(), static_cast<int>(kColourModes));
        for (int i = 1; i <= colours->count(); ++i) {
            story.key(Qt::Key_C);
            const auto mode = static_cast<ColourMode>(i % colours->count());
            QCOMPARE(story.timeline.colourMode(), mode);
            QTRY_COMPARE(story.timeline.shadings().shown().front()->colours->mode(), mode);
        }
    }

    void lanesArePinnedHiddenAndShownAgain()
    {
        TimelineStory story;
        const LaneId lane = story.laneOf(story.event("Memcpy DtoH"));
        story.select(story.event("Memcpy DtoH"));
        story.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(story.timeline.tracks().tracks().front().layout.blocks().front().lane, lane);
        QVERIFY(story.timeline.isPinned(story.state.traces().ref(0, lane)));
        story.key(Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(story.timeline.tracks().tracks().front().layout.blockOf(lane), LaneLayout::kNone);
        QVERIFY(story.timeline.hasHiddenLanes());
        story.key(Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(story.timeline.tracks().tracks().front().layout.blockOf(lane) != LaneLayout::kNone);
    }

    void aPinnedLaneStaysWhenTheOthersScroll()
    {
        TimelineStory story;
        story.window.resize(1100, 420);
        QCoreApplication::processEvents();
        const EventId copy = story.event("Memcpy DtoH");
        story.timeline.togglePin(story.state.traces().ref(0, story.laneOf(copy)));
        story.timeline.setRowPitch(40); // so that there is something to scroll
        const QRectF before = story.timeline.rectOf(story.ref(copy));
        QVERIFY(story.timeline.verticalScrollBar()->maximum() > 0);
        story.timeline.verticalScrollBar()->setValue(story.timeline.verticalScrollBar()->maximum());
        QCOMPARE(story.timeline.rectOf(story.ref(copy)), before);
        (void)story.timeline.viewport()->grab();
        story.click(before.center().toPoint());
        QCOMPARE(story.selected(), copy);
    }

    void draggingANameMovesTheLane()
    {
        TimelineStory story;
        const LaneId compute = story.laneOf(story.event("gemm_kernel"));
        const LaneId copy = story.laneOf(story.event("Memcpy DtoH"));
        QVERIFY(story.headerOf(compute).y() < story.headerOf(copy).y());
        QWidget *headers = story.headers();
        QTest::mousePress(headers, Qt::LeftButton, {}, story.headerOf(copy));
        QTest::mouseMove(headers, story.headerOf(compute) + QPoint(0, 15));
        QMouseEvent move(QEvent::MouseMove, story.headerOf(compute) - QPoint(0, 8),
                         headers->mapToGlobal(story.headerOf(compute) - QPoint(0, 8)), Qt::NoButton, Qt::LeftButton,
                         {});
        QCoreApplication::sendEvent(headers, &move);
        QCoreApplication::sendEvent(headers, &move);
        QTest::mouseRelease(headers, Qt::LeftButton, {}, story.headerOf(compute) - QPoint(0, 8));
        QVERIFY(story.headerOf(compute).y() > story.headerOf(copy).y());
        story.select(story.event("Memcpy DtoH"));
        story.key(Qt::Key_Down, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(story.headerOf(compute).y() < story.headerOf(copy).y());
    }

    void draggingTheLowerEdgeResizesTheLane()
    {
        TimelineStory story;
        const EventId kernel = story.event("gemm_kernel");
        const double before = story.timeline.rectOf(story.ref(kernel)).height();
        QWidget *headers = story.headers();
        const QPoint edge = story.headerOf(story.laneOf(kernel), true);
        QTest::mousePress(headers, Qt::LeftButton, {}, edge);
        QMouseEvent move(QEvent::MouseMove, edge + QPoint(0, 30), headers->mapToGlobal(edge + QPoint(0, 30)),
                         Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(headers, &move);
        QTest::mouseRelease(headers, Qt::LeftButton, {}, edge + QPoint(0, 30));
        QVERIFY(story.timeline.rectOf(story.ref(kernel)).height() > before + 10);
    }

    void lanesCanBeFilteredByNameAndByWhatIsInView()
    {
        TimelineStory story;
        const LaneId copy = story.laneOf(story.event("Memcpy DtoH"));
        const LaneId compute = story.laneOf(story.event("gemm_kernel"));
        const auto isShown = [&](LaneId lane) {
            return story.timeline.tracks().tracks().front().layout.blockOf(lane) != LaneLayout::kNone;
        };
        story.key(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        auto *edit = story.window.findChild<QLineEdit *>(QStringLiteral("laneFilter"));
        QTRY_VERIFY(edit->hasFocus());
        QTest::keyClicks(edit, QStringLiteral("stream 20"));
        QVERIFY(isShown(copy) && !isShown(compute));
        edit->clear();
        QVERIFY(isShown(copy) && isShown(compute));
        story.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(isShown(copy) && isShown(compute));
        const TimeRange first = story.trace().range(story.event("aten::mm"));
        story.state.setVisibleRange(first); // the copy is later
        QTRY_VERIFY(!isShown(copy) && isShown(compute));
        story.key(Qt::Key_Home);
        QTRY_VERIFY(isShown(copy));
    }

    void anIdleGapCanBeSelectedAndIsExplained()
    {
        TimelineStory story;
        const QRectF a = story.timeline.rectOf(story.ref(story.event("gemm_kernel", 0)));
        const QRectF b = story.timeline.rectOf(story.ref(story.event("gemm_kernel", 1)));
        (void)story.timeline.viewport()->grab();
        story.click(QPointF((a.right() + b.left()) / 2, a.center().y()).toPoint());
        const Area *area = selectedArea(story.state.selection());
        QVERIFY(area);
        QCOMPARE(area->range, (TimeRange{story.trace().end(story.event("gemm_kernel", 0)),
                                         story.trace().begin(story.event("gemm_kernel", 1))}));
        QTRY_VERIFY2(story.window.status().sentence().contains(QStringLiteral("100 % idle")),
                     qPrintable(story.window.status().sentence()));
    }

    void aDraggedAreaIsExplainedInOneSentence()
    {
        TimelineStory story;
        const QRectF a = story.timeline.rectOf(story.ref(story.event("gemm_kernel", 0)));
        const QRectF b = story.timeline.rectOf(story.ref(story.event("gemm_kernel", 2)));
        (void)story.timeline.viewport()->grab();
        QWidget *lanes = story.timeline.viewport();
        const auto at = [&](QPointF p) { return p.toPoint(); };
        QTest::mousePress(lanes, Qt::LeftButton, {}, at(a.topLeft() + QPointF(1, 4)));
        QMouseEvent move(QEvent::MouseMove, b.bottomRight() - QPointF(1, 4),
                         lanes->mapToGlobal(b.bottomRight() - QPointF(1, 4)), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(lanes, &move);
        QTest::mouseRelease(lanes, Qt::LeftButton, {}, at(b.bottomRight() - QPointF(1, 4)));
        const Area *area = selectedArea(story.state.selection());
        QVERIFY(area);
        // Snapped to the edges of the two kernels.
        QCOMPARE(area->range, (TimeRange{story.trace().begin(story.event("gemm_kernel", 0)),
                                         story.trace().end(story.event("gemm_kernel", 2))}));
        // 620 us: three kernels of 120, two gaps of 130 in which the host was late.
        QTRY_VERIFY2(story.window.status().sentence().contains(
                         QStringLiteral("58 % compute, 42 % idle (42 % waiting for the host")),
                     qPrintable(story.window.status().sentence()));
        QVERIFY(story.window.status().sentence().contains(QStringLiteral("busy 360 µs (union)")));
        QVERIFY(story.window.status().sentence().contains(QStringLiteral("3 kernels and copies")));
    }

    void markersSnapAndNotesAreKept()
    {
        TimelineStory story;
        (void)story.timeline.viewport()->grab();
        const QRectF rect = story.timeline.rectOf(story.ref(story.event("gemm_kernel", 1)));
        QTest::mouseMove(story.timeline.viewport(), rect.center().toPoint());
        const auto moveTo = [&](QPointF p) {
            QMouseEvent move(QEvent::MouseMove, p, story.timeline.viewport()->mapToGlobal(p), Qt::NoButton,
                             Qt::NoButton, {});
            QCoreApplication::sendEvent(story.timeline.viewport(), &move);
        };
        moveTo(QPointF(rect.left() + 2, rect.center().y()));
        story.key(Qt::Key_M);
        moveTo(QPointF(rect.right() - 2, rect.center().y()));
        story.key(Qt::Key_M);
        const TimeRange kernel = story.trace().range(story.event("gemm_kernel", 1));
        QCOMPARE(story.state.markers(), (Markers{kernel.begin, kernel.end}));
        story.select(story.event("gemm_kernel", 1));
        story.key(Qt::Key_M, Qt::ShiftModifier);
        auto *dialog = story.window.findChild<QInputDialog *>(QStringLiteral("noteEditor"));
        QTRY_VERIFY(dialog);
        dialog->setTextValue(QStringLiteral("why so long?"));
        dialog->accept();
        QCOMPARE(story.state.notes().size(), std::size_t{1});
        QCOMPARE(story.state.notes().front().text, QStringLiteral("why so long?"));
    }

    void allArrowsInViewAreCounted()
    {
        TimelineStory story;
        story.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(story.timeline.flowMode(), FlowMode::InView);
        QTRY_COMPARE(story.timeline.flowsDrawn(), std::size_t{8});
        story.state.setVisibleRange(story.trace().range(story.event("aten::mm", 0)));
        QTRY_COMPARE(story.timeline.flowsDrawn(), std::size_t{1});
        story.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(story.timeline.flowMode(), FlowMode::Off);
        QCOMPARE(story.timeline.flowsDrawn(), std::size_t{0});
    }

    void closingATraceTakesItsArrowsAlong()
    {
        TimelineStory story;
        story.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(story.timeline.flowsDrawn(), std::size_t{8});
        story.timeline.finder().search(QStringLiteral("gemm"));
        QTRY_COMPARE(story.timeline.finder().found().count, std::size_t{6});
        QVERIFY(story.open(samplePath("cpu_training.json"))); // another trace, with other events
        (void)story.timeline.viewport()->grab();
        story.window.closeTraces();
        (void)story.window.grab();
        QTRY_COMPARE(story.timeline.flowsDrawn(), std::size_t{0});
        QCOMPARE(story.timeline.finder().found().count, std::size_t{0});
    }

    void stepsAreWhatTheSettingSays()
    {
        TimelineStory story;
        QCOMPARE(story.window.steps().stepCount(), std::size_t{2});
        story.settings.setValue(Settings::stepPatternKey(), QStringLiteral("^aten::mm$"));
        QTRY_COMPARE(story.window.steps().stepCount(), std::size_t{6});
        story.settings.setValue(Settings::stepPatternKey(), QString());
        QTRY_COMPARE(story.window.steps().stepCount(), std::size_t{2});
    }

    void screenReadersHearWhatIsSelected()
    {
        TimelineStory story;
        story.select(story.event("gemm_kernel", 0));
        QVERIFY(story.timeline.viewport()->accessibleDescription().contains(QLatin1String("gemm_kernel")));
        story.key(Qt::Key_Escape);
        QVERIFY(!story.timeline.viewport()->accessibleDescription().contains(QLatin1String("gemm_kernel")));
    }
};

QTEST_MAIN(TstStoryTimeline)
#include "tst_story_timeline.moc"
