// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recent_files.h"
#include "app/pane_docks.h"
#include "tests/app/story.h"
#include "widgets/jobs/job_pool.h"
#include "widgets/panes/analysis_pane.h"
#include "widgets/tables/table_model.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QToolButton>

using namespace ks;

namespace {

const char *const kOneEvent = R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":2}]})";

} // namespace

class TstStoryOpen : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

    QString file(const char *name, const QByteArray &content)
    {
        QFile file(m_dir.filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write");
        file.write(content);
        return file.fileName();
    }
    static QPushButton *button(Story &story, const char *text)
    {
        const auto buttons = story.messages.findChildren<QPushButton *>();
        for (QPushButton *button : buttons) {
            if (button->isVisible() && button->text().contains(QLatin1String(text)))
                return button;
        }
        return nullptr;
    }

private slots:
    void init() { useOwnSettings(QStringLiteral("tst_story_open")); }

    void theWindowStartsWithAWelcome()
    {
        Story story;
        QVERIFY(story.window.findChild<QWidget *>(QStringLiteral("welcome"))->isVisible());
        QVERIFY(!story.timeline.isVisible());
        QCOMPARE(story.messages.text(), QString());
    }

    void openingShowsTheTraceAndTheFirstView()
    {
        Story story;
        QVERIFY(story.open(samplePath("synthetic_gpu_training.json.gz")));
        QVERIFY(story.timeline.isVisible());
        QVERIFY(story.timeline.hasFocus());
        QVERIFY(story.window.windowTitle().startsWith(QLatin1String("synthetic_gpu_training.json.gz")));
        // The first active step fills the width; some device work of it is on the screen.
        const TimeRange view = story.state.visibleRange();
        QVERIFY(!view.isEmpty());
        QVERIFY(story.trace().range().contains(view) || view.contains(story.trace().steps().front().range));
        bool isWorkSeen = false;
        for (std::uint32_t i = 0; i < story.trace().eventCount() && !isWorkSeen; ++i)
            isWorkSeen = isDeviceWork(story.trace().kind(EventId{i})) && story.isInView(story.ref(EventId{i}));
        QVERIFY(isWorkSeen);
        QVERIFY(!story.state.canGoBack());
        QVERIFY(recentFiles().first().endsWith(QLatin1String("synthetic_gpu_training.json.gz")));
    }

    void aBadFileIsToldAndTheOpenTraceStays()
    {
        Story story;
        QVERIFY(story.open(samplePath("cpu_mlp_train.json.gz")));
        const std::uint32_t generation = story.state.traces().generation(0);
        const TimeRange view = story.state.visibleRange();
        story.window.open({file("notes.json", "this is not a trace")});
        QTRY_VERIFY(!story.messages.text().isEmpty());
        QVERIFY2(story.messages.text().startsWith(QLatin1String("notes.json cannot be opened: ")), qPrintable(story.messages.text()));
        QVERIFY(story.messages.text().endsWith(QLatin1String("What was open still is.")));
        QCOMPARE(story.state.traces().generation(0), generation);
        QCOMPARE(story.state.visibleRange(), view);
        QVERIFY(button(story, "Open another"));
        QTest::mouseClick(button(story, "Copy"), Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().contains(QLatin1String("notes.json")));
        QCOMPARE(story.messages.text(), QString());
    }

    void aFileThatDoesNotExistIsToldToo()
    {
        Story story;
        story.window.open({m_dir.filePath(QStringLiteral("nowhere.json"))});
        QTRY_VERIFY2(story.messages.text().startsWith(QLatin1String("nowhere.json cannot be opened: ")), qPrintable(story.messages.text()));
        QVERIFY(story.window.findChild<QWidget *>(QStringLiteral("welcome"))->isVisible());
        QTest::keyClick(&story.messages, Qt::Key_Escape);
        QCOMPARE(story.messages.text(), QString());
    }

    void ofSeveralFilesTheFirstIsTheTraceAndTheOthersAreAdded()
    {
        Story story;
        story.window.open({samplePath("synthetic_gpu_training.json.gz"), samplePath("cpu_mlp_train.json.gz")});
        QTRY_COMPARE_WITH_TIMEOUT(story.state.traces().size(), std::uint32_t{2}, 30'000);
        QTRY_VERIFY2(story.messages.text().contains(QLatin1String("compared with synthetic_gpu_training.json.gz")), qPrintable(story.messages.text()));
        AnalysisPane *const compare = story.window.panes().pane(u"compare");
        QVERIFY(compare->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(compare->model().rowCount() > 0, 30'000);
        QVERIFY(compare->model().table().findColumn("delta_ns"));
        QVERIFY(QString::fromStdString(story.trace().metadata().path).endsWith(QLatin1String("synthetic_gpu_training.json.gz")));
        QVERIFY(story.window.windowTitle().contains(QLatin1String("cpu_mlp_train.json.gz")));
    }

    void ifTheFirstIsBadTheNextTakesItsPlace()
    {
        Story story;
        story.window.open({file("bad.json", "nothing"), samplePath("cpu_mlp_train.json.gz")});
        QTRY_COMPARE_WITH_TIMEOUT(story.state.traces().size(), std::uint32_t{1}, 30'000);
    }

    void aDroppedFileOpens()
    {
        Story story;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(samplePath("cpu_mlp_train.json.gz"))});
        QDragEnterEvent enter({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&story.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&story.window, &drop);
        QTRY_COMPARE_WITH_TIMEOUT(story.state.traces().size(), std::uint32_t{1}, 30'000);
    }

    void cancellingLeavesWhatWasOpen()
    {
        Story story;
        QVERIFY(story.open(samplePath("cpu_mlp_train.json.gz")));
        const std::uint32_t generation = story.state.traces().generation(0);
        story.window.open({samplePath("synthetic_gpu_training.json.gz")});
        auto *cancel = story.window.findChild<QToolButton *>(QStringLiteral("status.cancel"));
        QVERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(!story.window.loader().isLoading());
        QVERIFY(!cancel->isVisible());
        jobPool().waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(story.state.traces().generation(0), generation);
        QCOMPARE(story.messages.text(), QString());
    }

    void reloadingKeepsViewAndSelection()
    {
        QFile sample(samplePath("cpu_mlp_train.json.gz"));
        QVERIFY(sample.open(QIODevice::ReadOnly));
        const QString path = file("again.json.gz", sample.readAll());
        Story story;
        QVERIFY(story.open(path));
        story.state.select(story.ref(EventId{5}));
        story.state.setVisibleRange({1000, 5'000'000});
        const std::uint32_t generation = story.state.traces().generation(0);
        QTest::keyClick(&story.timeline, Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(story.state.traces().generation(0) != generation, 30'000);
        QCOMPARE(story.selected(), EventId{5});
        QCOMPARE(story.state.visibleRange(), (TimeRange{1000, 5'000'000}));
    }

    void aTraceRecordedAgainIsOfferedForReloading()
    {
        const QString path = file("growing.json", kOneEvent);
        Story story;
        QVERIFY(story.open(path));
        const std::uint32_t generation = story.state.traces().generation(0);
        file("growing.json", QByteArray(kOneEvent).replace("]}", ",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":9,\"dur\":2}]}"));
        QEvent back(QEvent::WindowActivate);
        QCoreApplication::sendEvent(&story.window, &back);
        QCOMPARE(story.messages.text(), QStringLiteral("growing.json changed on disk."));
        QTest::mouseClick(button(story, "Reload"), Qt::LeftButton);
        QTRY_VERIFY(story.state.traces().generation(0) != generation);
        QCOMPARE(story.trace().eventCount(), std::size_t{2});
        QCoreApplication::sendEvent(&story.window, &back);
        QCOMPARE(story.messages.text(), QString());
    }

    void theWelcomeListsWhatWasOpenedBefore()
    {
        const QString path = file("recent.json", kOneEvent);
        {
            Story story;
            QVERIFY(story.open(path));
        }
        Story story;
        auto *list = story.window.findChild<QListWidget *>(QStringLiteral("welcome.recent"));
        QVERIFY(list->isVisible());
        QCOMPARE(list->count(), 1);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
        QTRY_COMPARE_WITH_TIMEOUT(story.state.traces().size(), std::uint32_t{1}, 30'000);
    }

    void diagnosticsAreCountedInTheStatusBarAndShownOnClick()
    {
        Story story;
        QByteArray cut = kOneEvent;
        cut.replace("]}", ",{\"ph\":\"X\",\"ca");
        QVERIFY(story.open(file("cut.json", cut)));
        auto *problems = story.window.findChild<QToolButton *>(QStringLiteral("status.problems"));
        QVERIFY(problems->isVisible());
        QTest::mouseClick(problems, Qt::LeftButton);
        QVERIFY(story.window.findChild<QWidget *>(QStringLiteral("diagnostics"))->isVisible());
    }

    void aTraceWithoutEventsSaysSo()
    {
        Story story;
        QVERIFY(story.open(file("empty.json", "{\"traceEvents\":[]}")));
        QVERIFY(story.messages.text().contains(QLatin1String("has no events")));
    }

    void closingGoesBackToTheWelcome()
    {
        Story story;
        QVERIFY(story.open(samplePath("cpu_mlp_train.json.gz")));
        story.state.select(story.ref(EventId{5}));
        QTest::keyClick(&story.window, Qt::Key_W, Qt::ControlModifier);
        QVERIFY(story.state.traces().isEmpty());
        QVERIFY(isNone(story.state.selection()));
        QVERIFY(story.window.findChild<QWidget *>(QStringLiteral("welcome"))->isVisible());
    }
};

QTEST_MAIN(TstStoryOpen)
#include "tst_story_open.moc"
