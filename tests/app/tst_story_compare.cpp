// SPDX-License-Identifier: GPL-3.0-or-later
// "It got slower: what changed?" The second file is dropped on the first.
#include "app/pane_docks.h"
#include "tests/app/story.h"
#include "tests/support/planted_run.h"
#include "tests/support/table_text.h"
#include "widgets/charts/histogram_chart.h"
#include "widgets/charts/waterfall_chart.h"
#include "widgets/panes/analysis_pane.h"
#include "widgets/panes/run_histograms.h"
#include "widgets/state/question.h"
#include "widgets/tables/option_bar.h"
#include "widgets/tables/table_model.h"
#include "widgets/tables/table_view.h"

#include <QAbstractBarSeries>
#include <QBarSet>
#include <QChart>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>

using namespace ks;

class TstStoryCompare : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

    QString file(const char *name, const TraceMaker &maker)
    {
        const QString path = m_dir.filePath(QLatin1String(name));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray::fromStdString(maker.json()));
        return path;
    }

    static bool drop(Story &story, const QString &path)
    {
        const std::uint32_t before = story.state.traces().size();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&story.window, &enter);
        QDropEvent drop({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&story.window, &drop);
        return QTest::qWaitFor([&] { return story.state.traces().size() == before + 1; }, 30'000);
    }

    static void press(Story &story, const char *text)
    {
        const auto buttons = story.messages.findChildren<QPushButton *>();
        for (QPushButton *button : buttons) {
            if (button->isVisible() && button->text() == QLatin1String(text)) {
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        }
        QFAIL(text);
    }

    static AnalysisPane &pane(Story &story) { return *story.window.panes().pane(u"compare"); }

    static bool waitForRows(Story &story)
    {
        return QTest::qWaitFor([&] { return pane(story).model().rowCount() > 0; }, 30'000);
    }

    // Two runs: in the second the host is late in each step.
    bool openLateRun(Story &story)
    {
        PlantedRun late;
        late.hostUs = 250;
        return story.open(file("before.json", plantedRun())) && drop(story, file("after.json", plantedRun(late)))
               && waitForRows(story);
    }

private slots:
    void init() { useOwnSettings(QStringLiteral("tst_story_compare")); }

    void aDroppedRunIsComparedAndLiesOverTheOther()
    {
        Story story;
        QVERIFY(openLateRun(story));
        QVERIFY2(story.messages.text().contains(QLatin1String("compared with before.json")),
                 qPrintable(story.messages.text()));
        QVERIFY(pane(story).isVisible());
        const TraceSet &traces = story.state.traces();
        const auto begin = [&](std::uint32_t trace, std::size_t step) {
            return traces.toViewTime(trace, story.state.steps(trace)[step].range).begin;
        };
        // All steps of a run take as long, so the first of them is the median.
        QCOMPARE(begin(0, 0), begin(1, 0));
        QVERIFY(begin(0, 1) != begin(1, 1));
    }

    void theWaterfallNamesTheCauseAndLeadsToIt()
    {
        Story story;
        QVERIFY(openLateRun(story));
        TableModel &model = pane(story).model();
        const Table &table = model.table();
        const auto row = rowWith(table, "item", "host");
        QCOMPARE(rowText(table, row, {"part", "delta_ns", "share"}), QStringLiteral("idle 250000 1"));
        const QModelIndex index = model.indexOf(static_cast<std::uint32_t>(*row));
        TableView &view = pane(story).view();
        view.scrollTo(index);
        const QPoint place = view.visualRect(index).center();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, place);
        // The gap of the second run fills the view.
        const TimeRange gap = story.state.visibleRange();
        QTRY_VERIFY2(gap.duration() > 250'000 && gap.duration() < 450'000, qPrintable(QString::number(gap.duration())));
    }

    // The data loader of the first run waits, that of the second does not: the bar that says so leads to the first.
    void aBarOfTheWaterfallLeadsToTheRunThatHasIt()
    {
        PlantedRun loading;
        loading.loadingUs = 400;
        Story story;
        QVERIFY(story.open(file("before.json", plantedRun(loading))) && drop(story, file("after.json", plantedRun()))
                && waitForRows(story));
        auto *chart = story.window.findChild<WaterfallChart *>();
        QVERIFY(chart && chart->isVisible());
        const auto *series = qobject_cast<QAbstractBarSeries *>(chart->chart()->series().first());
        const QBarSet *less = series->barSets().last(); // what became less
        int longest = 0;
        for (int i = 1; i < less->count(); ++i)
            longest = less->at(i) > less->at(longest) ? i : longest;
        const double left = series->barSets().first()->at(longest);
        const QPointF middle = chart->chart()->mapToPosition(QPointF(left + less->at(longest) / 2, longest),
                                                             chart->chart()->series().first());
        QTest::mouseClick(chart->viewport(), Qt::LeftButton, {},
                          chart->mapFromScene(chart->chart()->mapToScene(middle)));
        const TimeRange view = story.state.visibleRange();
        QVERIFY2(view.duration() > 400'000 && view.duration() < 700'000, qPrintable(QString::number(view.duration())));
        // It shows the loader of the run before.
        const Trace &before = story.state.traces().at(story.state.traces().baseline());
        const TimeRange seen = story.state.traces().toTraceTime(story.state.traces().baseline(), view);
        bool isThere = false;
        for (std::uint32_t i = 0; i < before.eventCount(); ++i) {
            const auto id = static_cast<EventId>(i);
            isThere =
                isThere || (before.name(id).starts_with("enumerate(DataLoader)") && seen.intersects(before.range(id)));
        }
        QVERIFY(isThere);
    }

    void aRowOfTheTableMarksBothRuns()
    {
        Story story;
        QVERIFY(openLateRun(story));
        pane(story).options().choose("show", "rows");
        QTRY_VERIFY(pane(story).model().table().findColumn("verdict"));
        const auto row = rowWith(pane(story).model().table(), "name", "aten::mm");
        QVERIFY(row);
        QVERIFY(story.window.findChild<RunHistograms *>()->words().startsWith(QLatin1String("Click a row")));
        const QModelIndex index = pane(story).model().indexOf(static_cast<std::uint32_t>(*row));
        QTest::mouseClick(pane(story).view().viewport(), Qt::LeftButton, {},
                          pane(story).view().visualRect(index).center());
        std::set<std::uint32_t> traces;
        for (const EventRef &event : story.state.marked())
            traces.insert(event.trace);
        QCOMPARE(traces, (std::set<std::uint32_t>{0, 1}));
        // And shows how its calls spread in both.
        auto *const histograms = story.window.findChild<RunHistograms *>();
        QTRY_COMPARE(histograms->words(), QStringLiteral("aten::mm: median 20.0 µs before, 20.0 µs after"));
        QCOMPARE(histograms->histogram().chart()->series().size(), 1);
        QVERIFY(histograms->isVisible());
        pane(story).options().choose("show", "waterfall");
        QTRY_VERIFY(!histograms->isVisible());
    }

    void theOtherWaysAreOffered()
    {
        Story story;
        QVERIFY(openLateRun(story));
        press(story, "Swap");
        QCOMPARE(story.state.traces().baseline(), std::uint32_t{1});
        QTRY_COMPARE(
            rowText(pane(story).model().table(), rowWith(pane(story).model().table(), "item", "host"), {"delta_ns"}),
            QStringLiteral("-250000"));
    }

    void twoFilesOfOneRankCanBeCountedTogether()
    {
        Story story;
        QVERIFY(openLateRun(story));
        press(story, "Count as a rank instead");
        QVERIFY(isOneRun(story.state.traces()));
        const Question question = questionOf(story.state);
        QCOMPARE(question.traces.size(), std::size_t{2});
        QVERIFY(question.traces[0].rank != question.traces[1].rank);
        story.window.actions().action(QStringLiteral("runs.compare"))->trigger();
        QVERIFY(!isOneRun(story.state.traces()));
    }

    void ranksOfOneRunAreNotCompared()
    {
        Story story;
        TraceMaker first = plantedRun();
        first.rank(0, 2);
        TraceMaker second = plantedRun();
        second.rank(1, 2);
        QVERIFY(story.open(file("rank0.json", first)) && drop(story, file("rank1.json", second)));
        QTRY_VERIFY2(story.messages.text().contains(QLatin1String("another rank")), qPrintable(story.messages.text()));
        press(story, "Compare instead");
        QVERIFY(!isOneRun(story.state.traces()));
        QVERIFY(pane(story).isVisible());
    }

    void theDroppedOneCanReplaceTheOther()
    {
        Story story;
        QVERIFY(openLateRun(story));
        press(story, "Show it alone");
        QCOMPARE(story.state.traces().size(), std::uint32_t{1});
        QVERIFY(QString::fromStdString(story.trace().metadata().path).endsWith(QLatin1String("after.json")));
        QCOMPARE(story.state.traces().relation(), TraceSet::Relation::Guessed);
    }

    void runsAreAlignedAsAsked()
    {
        Story story;
        QVERIFY(openLateRun(story));
        const auto offset = [&] { return story.state.traces().offset(1); };
        const auto trigger = [&](const char *id) { story.window.actions().action(QLatin1String(id))->trigger(); };
        QCOMPARE(offset(), TimeNs{0}); // both first steps begin at once
        trigger("runs.alignKernel");
        QCOMPARE(offset(), TimeNs{-250'000});
        trigger("runs.alignRecording");
        QCOMPARE(offset(), TimeNs{0});
        // Step 3 in view: laid over step 3.
        const TimeRange third = story.state.steps(0)[3].range;
        story.state.setVisibleRange(third);
        trigger("runs.alignStep");
        const TraceSet &traces = story.state.traces();
        QCOMPARE(traces.toViewTime(1, story.state.steps(1)[3].range).begin, third.begin);
    }
};

QTEST_MAIN(TstStoryCompare)
#include "tst_story_compare.moc"
