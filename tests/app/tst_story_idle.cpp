// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing ticks while nothing moves: after whatever a person did the window comes to rest and stays there.
#include "app/status_line.h"
#include "tests/app/story.h"

#include <QApplication>
#include <QEvent>
#include <QLineEdit>
#include <QProgressBar>

using namespace ks;

namespace {

constexpr int kQuietMs = 600; // a timer that repeats comes within it

// Counts what wakes the window up: timers of any object in it, and pictures drawn anew.
class Wakings : public QObject
{
public:
    Wakings() { qApp->installEventFilter(this); }
    bool eventFilter(QObject *object, QEvent *event) override
    {
        if (event->type() == QEvent::Timer || event->type() == QEvent::Paint
            || event->type() == QEvent::UpdateRequest) {
            ++count;
            last = QStringLiteral("%1 of %2 %3")
                       .arg(int(event->type()))
                       .arg(QString::fromLatin1(object->metaObject()->className()), object->objectName());
        }
        return false;
    }
    int count = 0;
    QString last;
};

// "" once nothing woke it up for a while; what does so if that does not come.
QString unrest(int rounds = 30)
{
    Wakings wakings;
    for (int round = 0; round < rounds; ++round) {
        wakings.count = 0;
        QTest::qWait(kQuietMs);
        if (wakings.count == 0)
            return {};
    }
    return wakings.last;
}

} // namespace

class TstStoryIdle : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { useOwnSettings(QStringLiteral("tst_story_idle")); }

    void nothingTicksWhileNothingMoves()
    {
        Story story;
        QVERIFY(story.open(samplePath("cpu_mlp_train.json.gz")));
        story.timeline.setFocus();
        QCOMPARE(unrest(), QString());

        // Pointed at.
        EventId pointed = kNoEvent;
        for (std::size_t i = 0; i < story.trace().eventCount() && pointed == kNoEvent; ++i) {
            if (story.trace().name(static_cast<EventId>(i)) == "aten::addmm")
                pointed = static_cast<EventId>(i);
        }
        QVERIFY(pointed != kNoEvent);
        story.state.reveal(story.ref(pointed));
        const QPoint place = story.reach(story.ref(pointed));
        QVERIFY(!place.isNull());
        QTest::mouseMove(story.timeline.viewport(), place);
        QTRY_COMPARE(story.state.hovered(), std::optional(story.ref(pointed)));
        QCOMPARE(unrest(), QString());

        // Moved by keys.
        const TimeRange before = story.state.visibleRange();
        QTest::keyPress(&story.timeline, Qt::Key_W);
        QTRY_VERIFY(story.state.visibleRange().duration() < before.duration() / 2);
        QTest::keyRelease(&story.timeline, Qt::Key_W);
        QCOMPARE(unrest(), QString());

        // A key that is held when the window loses the focus.
        QTest::keyPress(&story.timeline, Qt::Key_D);
        story.window.findChild<QLineEdit *>(QStringLiteral("find"))->setFocus();
        QTest::keyRelease(story.window.findChild<QLineEdit *>(QStringLiteral("find")), Qt::Key_D);
        story.timeline.setFocus();
        QCOMPARE(unrest(), QString());

        // Found, selected, an area.
        auto *edit = story.window.findChild<QLineEdit *>(QStringLiteral("find"));
        edit->setFocus();
        edit->clear();
        QTest::keyClicks(edit, QStringLiteral("addmm"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY(story.selected() != kNoEvent);
        story.timeline.setFocus();
        QCOMPARE(unrest(), QString());
        story.key(Qt::Key_Home);
        QWidget *lanes = story.timeline.viewport();
        QTest::mousePress(lanes, Qt::LeftButton, {}, {100, 60});
        for (int x = 110; x < 500; x += 30) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, 90), lanes->mapToGlobal(QPointF(x, 90)), Qt::NoButton,
                             Qt::LeftButton, {});
            QCoreApplication::sendEvent(lanes, &move);
        }
        QTest::mouseRelease(lanes, Qt::LeftButton, {}, {500, 90});
        QVERIFY(selectedArea(story.state.selection()));
        QCOMPARE(unrest(), QString());
    }

    // What animates itself is an invitation to tick on: only where the size is never known.
    void theBarOfLoadingMovesOnlyWithTheFile()
    {
        Story story;
        auto &line = *story.window.findChild<StatusLine *>();
        QProgressBar *bar = nullptr;
        for (QProgressBar *one : story.window.findChildren<QProgressBar *>()) {
            if (one->accessibleName() == QLatin1String("Part of the file that is read"))
                bar = one;
        }
        QVERIFY(bar);
        ProgressReport progress;
        line.showLoading(QStringLiteral("a.json"), progress); // nothing is known yet
        QVERIFY(bar->maximum() > 0);
        QCOMPARE(bar->value(), 0);
        progress.bytesDone = 50;
        progress.bytesTotal = 200;
        line.showLoading(QStringLiteral("a.json"), progress);
        QCOMPARE(bar->value() * 4, bar->maximum());
        progress.bytesTotal = 0; // standard input
        line.showLoading(QStringLiteral("-"), progress);
        QCOMPARE(bar->maximum(), 0);
        line.hideLoading();
        QVERIFY(!bar->isVisible());
    }

    void whatTicksIsNoticed()
    {
        QObject ticking;
        ticking.startTimer(100);
        QVERIFY(!unrest(2).isEmpty());
    }
};

QTEST_MAIN(TstStoryIdle)
#include "tst_story_idle.moc"
