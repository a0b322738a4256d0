// SPDX-License-Identifier: GPL-3.0-or-later
// Getting about the timeline by keys, menus of the right button and gestures.
#include "app/shortcut_sheet.h"
#include "tests/app/timeline_story.h"
#include "widgets/timeline/lane_headers.h"

#include <QApplication>
#include <QClipboard>
#include <QGestureEvent>
#include <QMenu>
#include <QTimer>

using namespace ks;

namespace {

// Opens a menu with the right button at `place`, notes what it offers and takes `choice`.
QStringList rightClick(QWidget *widget, QPoint place, const QString &choice)
{
    QStringList offered;
    QTimer::singleShot(0, widget, [&offered, choice] {
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        if (!menu)
            return;
        QAction *chosen = nullptr;
        for (QAction *action : menu->actions()) {
            QString text = action->text().remove(QLatin1Char('&'));
            if (!text.isEmpty())
                offered.append(text);
            if (text == choice)
                chosen = action;
        }
        if (chosen)
            chosen->trigger();
        menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, widget->mapToGlobal(place));
    QCoreApplication::sendEvent(widget, &event);
    return offered;
}

} // namespace

class TstStoryKeys : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { useOwnSettings(QStringLiteral("tst_story_keys")); }

    void controlAndANumberGoToAStep()
    {
        TimelineStory story;
        const auto &steps = story.trace().steps();
        QCOMPARE(steps.size(), std::size_t{2});
        for (const auto &[key, step] : {std::pair(Qt::Key_2, 1), std::pair(Qt::Key_1, 0)}) {
            story.key(key, Qt::ControlModifier);
            const TimeRange range = steps[static_cast<std::size_t>(step)].range;
            QVERIFY(story.state.visibleRange().contains(range));
            QVERIFY(story.state.visibleRange().duration() < range.duration() * 3 / 2);
        }
        const TimeRange before = story.state.visibleRange();
        story.key(Qt::Key_3, Qt::ControlModifier); // there is none
        QCOMPARE(story.state.visibleRange(), before);
    }

    void aQuestionMarkShowsAllKeys()
    {
        TimelineStory story;
        story.key(Qt::Key_Question);
        QTRY_VERIFY(story.window.findChild<ShortcutSheet *>());
        auto *sheet = story.window.findChild<ShortcutSheet *>();
        QTRY_VERIFY(sheet->isVisible());
        QTest::keyClick(sheet, Qt::Key_Escape);
        QTRY_VERIFY(!story.window.findChild<ShortcutSheet *>() || !sheet->isVisible());
    }

    void theRightButtonOffersWhatFitsTheEvent()
    {
        TimelineStory story;
        const EventId kernel = story.event("gemm_kernel", 1);
        const QPoint place = story.reach(story.ref(kernel));
        QVERIFY(!place.isNull());
        const QStringList ofKernel =
            rightClick(story.timeline.viewport(), place, QStringLiteral("Filter to this name"));
        QVERIFY2(ofKernel.size() > 8, qPrintable(ofKernel.join(QStringLiteral(" | "))));
        QCOMPARE(story.selected(), kernel);
        QVERIFY2(story.state.filter().contains(QStringLiteral("gemm_kernel")),
                 qPrintable(ofKernel.join(QStringLiteral(" | "))));
        rightClick(story.timeline.viewport(), place, QStringLiteral("Copy name"));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("gemm_kernel"));
    }

    void theRightButtonOnANamePinsItsLane()
    {
        TimelineStory story;
        const LaneId copies = story.laneOf(story.event("Memcpy DtoH"));
        const LaneRef lane = story.state.traces().ref(0, copies);
        rightClick(story.headers(), story.headerOf(copies), QStringLiteral("Pin lane to the top"));
        QVERIFY(story.timeline.isPinned(lane));
        rightClick(story.headers(), story.headerOf(copies), QStringLiteral("Unpin lane"));
        QVERIFY(!story.timeline.isPinned(lane));
        rightClick(story.headers(), story.headerOf(copies), QStringLiteral("Hide lane"));
        QVERIFY(story.timeline.hasHiddenLanes());
    }

    void pinchingZoomsAroundTheFingers()
    {
        TimelineStory story;
        QWidget *lanes = story.timeline.viewport();
        const TimeRange before = story.state.visibleRange();
        const QPointF place(lanes->width() / 3.0, 80);
        const TimeNs under = story.timeline.view().timeAt(place.x());
        QPinchGesture pinch;
        pinch.setCenterPoint(QPointF(lanes->mapToGlobal(place.toPoint())));
        pinch.setScaleFactor(2);
        pinch.setChangeFlags(QPinchGesture::ScaleFactorChanged);
        QGestureEvent event({&pinch});
        QCoreApplication::sendEvent(lanes, &event);
        QVERIFY(std::abs(static_cast<double>(before.duration()) / 2
                         - static_cast<double>(story.state.visibleRange().duration()))
                < 3);
        QVERIFY(std::abs(story.timeline.view().xOf(under) - place.x()) < 2);
    }

    void theSameAgainByNameShapeAndStep()
    {
        TimelineStory story;
        story.select(story.event("aten::mm", 0));
        story.key(Qt::Key_N);
        QCOMPARE(story.selected(), story.event("aten::mm", 1));
        story.key(Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(story.selected(), story.event("aten::mm", 0));
        story.key(Qt::Key_N, Qt::AltModifier); // 8x8: the second is 2x2
        QCOMPARE(story.selected(), story.event("aten::mm", 2));
        story.key(Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(story.selected(), story.event("aten::mm", 5));
        story.key(Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(story.selected(), story.event("aten::mm", 5)); // there is no further step
        story.key(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(story.selected(), story.event("aten::mm", 2));
        story.select(story.event("gemm_kernel", 1));
        story.key(Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(story.selected(), story.event("gemm_kernel", 4));
    }

    void bracketsWalkAlongTheArrows()
    {
        TimelineStory story;
        const EventId launch = story.event("cudaLaunchKernel", 1);
        story.select(launch);
        story.key(Qt::Key_BracketRight);
        QCOMPARE(story.selected(), story.event("gemm_kernel", 1));
        story.key(Qt::Key_BracketLeft);
        QCOMPARE(story.selected(), launch);
    }

    void perfettosKeysCanBeHad()
    {
        TimelineStory story;
        story.settings.setValue(Settings::keysKey(), QStringLiteral("perfetto"));
        story.select(story.event("gemm_kernel", 0));
        story.key(Qt::Key_Period);
        QCOMPARE(story.selected(), story.event("gemm_kernel", 1));
        story.key(Qt::Key_Comma);
        QCOMPARE(story.selected(), story.event("gemm_kernel", 0));
        story.key(Qt::Key_M);
        const TimeRange kernel = story.trace().range(story.event("gemm_kernel", 0));
        QCOMPARE(story.state.markers(), (Markers{kernel.begin, kernel.end}));
        story.settings.setValue(Settings::keysKey(), QStringLiteral("kinetoscope"));
        story.key(Qt::Key_Period);
        QCOMPARE(story.selected(), story.event("gemm_kernel", 0));
    }
};

QTEST_MAIN(TstStoryKeys)
#include "tst_story_keys.moc"
