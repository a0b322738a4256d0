// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and the timeline together: one selection, a step that narrows all panes, what is taken out of the window.
#include "app/actions.h"
#include "app/filter_line.h"
#include "app/pane_docks.h"
#include "app/step_picker.h"
#include "app/tool_bar.h"
#include "core/analysis/filter.h"
#include "core/import/import.h"
#include "tests/app/story.h"
#include "tests/support/qt_text.h"
#include "tests/support/table_text.h"
#include "tests/widgets/busy_pool.h"
#include "widgets/charts/flame_chart.h"
#include "widgets/charts/flame_view.h"
#include "widgets/charts/picture_menu.h"
#include "widgets/panes/analysis_pane.h"
#include "widgets/panes/call_charts.h"
#include "widgets/panes/events_pane.h"
#include "widgets/tables/table_model.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTimer>
#include <QXmlStreamReader>

using namespace ks;

namespace {

QString sample()
{
    return samplePath("synthetic_gpu_training.json.gz");
}

// Shows a pane and waits until it answers what the window shows now.
template<typename Pane>
bool answers(Story &story, Pane &pane)
{
    story.window.panes().show(pane.id());
    return QTest::qWaitFor([&] { return pane.isVisible() && pane.isUpToDate() && !pane.words().isEmpty(); }, 20'000);
}

// What the command line's analysis says of that scope.
std::string expected(const Analysis &analysis, std::shared_ptr<const Trace> trace, const Scope &scope)
{
    const std::vector<RankTrace> ranks = {{trace, trace->metadata().rank}};
    return csvOf(analysis.run({ranks, scope, AnalysisOptions(analysis)}));
}

// Answers the dialog of that name as soon as it is there.
bool chooseFile(MainWindow &window, const QString &dialogName, const QString &path)
{
    QFileDialog *dialog = nullptr;
    const bool isThere = QTest::qWaitFor([&] {
        dialog = window.findChild<QFileDialog *>(dialogName);
        return dialog && dialog->isVisible();
    });
    if (!isThere)
        return false;
    auto *name = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
    if (!name)
        return false;
    name->setText(path);
    QTest::keyClick(name, Qt::Key_Return);
    return true;
}

} // namespace

class TstStoryTables : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        useOwnSettings(QStringLiteral("tst_story_tables"));
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }

    // Somebody zooms while the analyses are slow.
    void anOldAnswerIsVeiledAndSaysSoUntilTheNewOneIsThere()
    {
        Story story;
        QVERIFY(story.open(sample()));
        AnalysisPane &pane = *story.window.panes().pane(u"kernels");
        QVERIFY(answers(story, pane));
        story.timeline.setFocus(); // who goes through the rows keeps them
        story.key(Qt::Key_0);
        QTRY_VERIFY2(pane.isUpToDate() && pane.words() == QStringLiteral("Counted: the whole trace"),
                     qPrintable(pane.words()));
        auto &veil = *pane.findChild<QWidget *>(QStringLiteral("veil.kernels"));
        QVERIFY(!veil.isVisible());
        const std::string whole = csvOf(pane.answer());
        const auto grabRows = [&pane] {
            return pane.grab(QRect(pane.view().mapTo(&pane, QPoint()), pane.view().size())).toImage();
        };
        const QImage clear = grabRows();
        {
            const BusyPool busy;
            for (int press = 0; press < 3; ++press)
                story.key(Qt::Key_W);
            QTRY_VERIFY(story.state.visibleRange().duration() < story.trace().range().duration());
            QTRY_VERIFY(veil.isVisible());
            QCOMPARE(pane.words(), QStringLiteral("Counting… Still shown: the whole trace"));
            QCOMPARE(q(csvOf(pane.answer())), q(whole));
            QVERIFY(grabRows() != clear);
            QVERIFY(veil.geometry().contains(QRect(pane.view().mapTo(&pane, QPoint()), pane.view().size())));
            // The old rows can still be used.
            const QModelIndex row = pane.model().index(0, 0);
            QTest::mouseClick(pane.view().viewport(), Qt::LeftButton, {}, pane.view().visualRect(row).center());
            const NameId *name = selectedName(story.state.selection());
            QVERIFY(name);
            QCOMPARE(q(nameText(*name)), row.data().toString());
            story.timeline.setFocus();
        }
        QTRY_VERIFY(!veil.isVisible() && pane.isUpToDate());
        QVERIFY2(pane.words().startsWith(QStringLiteral("Counted: the visible")), qPrintable(pane.words()));
        Scope scope;
        scope.parts = {{&story.trace(), story.state.visibleRange(), {}}};
        QCOMPARE(q(csvOf(pane.answer())), q(expected(pane.analysis(), story.state.traces().share(0), scope)));
        QVERIFY(csvOf(pane.answer()) != whole);
    }

    void aRowOfTheEventsIsTheEventOnTheTimelineAndBack()
    {
        Story story;
        QVERIFY(story.open(sample()));
        EventsPane &pane = story.window.panes().events();
        QVERIFY(answers(story, pane));
        story.state.setFilter(QStringLiteral("kind:kernel"));
        QTRY_VERIFY(pane.words().contains(QStringLiteral("kind:kernel")));
        QVERIFY(pane.model().rowCount() > 3);
        const QModelIndex row = pane.model().index(2, 0);
        QTest::mouseClick(pane.view().viewport(), Qt::LeftButton, {}, pane.view().visualRect(row).center());
        QVERIFY(story.selected() != kNoEvent);
        QCOMPARE(q(story.trace().name(story.selected())), row.data().toString());
        QTRY_VERIFY(story.isInView(story.ref(story.selected())));
        // A click on the timeline marks the row.
        const EventId other = pane.model().events().events[pane.model().position(3)];
        const QPoint place = story.reach(story.ref(other));
        QVERIFY(!place.isNull());
        story.timeline.setFocus();
        story.click(place);
        QCOMPARE(story.selected(), other);
        const auto rowOfOther = [&] {
            const QModelIndex current = pane.view().currentIndex();
            return current.isValid() && pane.model().events().events[pane.model().position(current.row())] == other;
        };
        QTRY_VERIFY(rowOfOther());
    }

    void aStepNarrowsEveryPane()
    {
        Story story;
        QVERIFY(story.open(sample()));
        const auto steps = story.trace().steps();
        QVERIFY(steps.size() >= 2);
        StepPicker &picker = story.window.steps();
        picker.setFocus();
        for (int i = 0; i < 10 && picker.currentIndex() != 2; ++i) // the second step
            QTest::keyClick(&picker, picker.currentIndex() > 2 ? Qt::Key_Up : Qt::Key_Down);
        QTRY_COMPARE(story.state.visibleRange(), steps[1].range);
        Scope scope;
        scope.steps = Scope::StepRange{steps[1].number, steps[1].number}; // device work by its launch
        for (const Analysis &analysis : analyses()) {
            if (analysis.isComparison)
                continue;
            AnalysisPane *pane = story.window.panes().pane(q(analysis.id));
            QVERIFY(pane);
            QVERIFY2(answers(story, *pane), analysis.title);
            QCOMPARE(q(csvOf(pane->model().table())), q(expected(analysis, story.state.traces().share(0), scope)));
            QVERIFY2(pane->words().contains(q(story.trace().name(steps[1].event))), qPrintable(pane->words()));
        }
        QVERIFY(answers(story, story.window.panes().events()));
        const std::vector<RankTrace> ranks = {{story.state.traces().share(0), {}}};
        QCOMPARE(story.window.panes().events().model().events().events, listEvents(ranks, scope).events);
        // Shares are of the shown range.
        const Table &kernels = story.window.panes().pane(u"kernels")->model().table();
        double sum = 0;
        for (std::size_t row = 0; row < kernels.rowCount(); ++row)
            sum += kernels.findColumn("share")->real(row);
        QVERIFY(kernels.rowCount() > 0 && std::abs(sum - 1) < 1e-9);
        const FlameLayout &flame = story.window.panes().pane(u"calltree")->findChild<FlameChart *>()->layout();
        QVERIFY(flame.whole > 0 && flame.whole <= static_cast<double>(steps[1].range.duration()) * 64);
    }

    void aTypedFilterNarrowsThePanesAndHistoryBringsItBack()
    {
        Story story;
        QVERIFY(story.open(sample()));
        AnalysisPane &pane = *story.window.panes().pane(u"kernels");
        QVERIFY(answers(story, pane));
        const int before = pane.model().rowCount();
        QLineEdit *line = &story.window.toolBar().filter();
        QTest::keyClick(&story.window, Qt::Key_L, Qt::ControlModifier);
        QTest::keyClicks(line, QStringLiteral("gemm"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(story.state.filter(), QStringLiteral("gemm"));
        QTRY_VERIFY(pane.words().contains(QStringLiteral("gemm")));
        QVERIFY(pane.model().rowCount() > 0 && pane.model().rowCount() < before);
        const std::vector<RankTrace> ranks = {{story.state.traces().share(0), {}}};
        Scope scope;
        const TimeRange view = story.state.visibleRange();
        if (view.begin > story.trace().range().begin || view.end < story.trace().range().end)
            scope.parts = {{&story.trace(), view, {}}};
        scope.events = matchingEvents(Filter::parse("gemm"), ranks);
        QCOMPARE(q(csvOf(pane.model().table())), q(expected(pane.analysis(), story.state.traces().share(0), scope)));
        // Another step of the history, then back over both.
        QTest::qWait(600);
        story.state.setFilter({});
        QVERIFY(story.state.filter().isEmpty());
        QTest::keyClick(&story.window, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(story.state.filter(), QStringLiteral("gemm"));
        QTRY_VERIFY(pane.words().contains(QStringLiteral("gemm")));
        QTest::keyClick(&story.window, Qt::Key_Right, Qt::AltModifier);
        QVERIFY(story.state.filter().isEmpty());
    }

    void theSelectedStepIsSavedAsATraceWithTheSameNumbers()
    {
        Story story;
        QVERIFY(story.open(sample()));
        const Step step = story.trace().steps()[1];
        story.window.steps().goTo(1);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("part.json.gz"));
        QSignalSpy saved(&story.window.saver(), &PartSaver::saved);
        QSignalSpy failed(&story.window.saver(), &PartSaver::failed);
        story.window.actions().action(QStringLiteral("file.savePart"))->trigger();
        QVERIFY(chooseFile(story.window, QStringLiteral("savePart"), path));
        QTRY_VERIFY_WITH_TIMEOUT(saved.count() + failed.count() > 0, 20'000);
        QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed.first().at(1).toString()));
        QVERIFY(story.messages.text().contains(QStringLiteral("part.json.gz")));
        const std::shared_ptr<const Trace> part = importTrace(path.toStdString());
        QVERIFY(part->eventCount() > 0 && part->eventCount() < story.trace().eventCount());
        QCOMPARE(saved.first().at(1).toULongLong(), quint64{part->eventCount()});
        Scope scope;
        scope.steps = Scope::StepRange{step.number, step.number};
        for (const std::string_view id : {"operators", "kernels", "breakdown", "steps"}) {
            const Analysis &analysis = *findAnalysis(id);
            QCOMPARE(q(expected(analysis, part, scope)), q(expected(analysis, story.state.traces().share(0), scope)));
        }
    }

    void aFilterOrAnAreaIsSavedAndFailuresAreOneSentence()
    {
        Story story;
        QVERIFY(story.open(sample()));
        const TimeRange whole = story.trace().range();
        story.state.select(Area{{whole.begin + whole.duration() / 3, whole.begin + whole.duration() / 2}, {}});
        story.state.setFilter(QStringLiteral("kind:kernel"));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("part.json"));
        PartSaver &saver = story.window.saver();
        QSignalSpy saved(&saver, &PartSaver::saved);
        QSignalSpy failed(&saver, &PartSaver::failed);
        saver.save(selectedPart(story.state), path);
        QVERIFY(saver.isSaving());
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 20'000);
        const std::shared_ptr<const Trace> part = importTrace(path.toStdString());
        const Area area = story.state.area();
        const auto kernelsOf = [&](std::shared_ptr<const Trace> trace) {
            const std::vector<RankTrace> ranks = {{trace, {}}};
            Scope scope;
            // The same time of the file.
            const FileTimeNs from = story.trace().fileTime(area.range.begin);
            const FileTimeNs to = story.trace().fileTime(area.range.end);
            scope.parts = {{trace.get(), TimeRange{trace->traceTime(from), trace->traceTime(to)}, {}}};
            scope.events = matchingEvents(Filter::parse("kind:kernel"), ranks);
            return expected(*findAnalysis("kernels"), trace, scope);
        };
        QCOMPARE(q(kernelsOf(part)), q(kernelsOf(story.state.traces().share(0))));

        const auto whyNot = [&](const QString &target) {
            failed.clear();
            saver.save(selectedPart(story.state), target);
            if (failed.isEmpty())
                failed.wait(20'000);
            return failed.isEmpty() ? QString() : failed.first().at(1).toString();
        };
        QVERIFY(whyNot(folder.filePath(QStringLiteral("none/part.json")))
                    .startsWith(QStringLiteral("The file cannot be written")));
        QVERIFY(story.messages.text().contains(QStringLiteral("was not saved")));
        QVERIFY(whyNot(sample()).contains(QStringLiteral("open trace itself")));
        story.state.select(std::monostate());
        story.state.setFollowsView(false);
        story.state.setFilter(QStringLiteral("name == nothing_is_called_so"));
        QCOMPARE(whyNot(path), QStringLiteral("Nothing of the trace is selected."));
        story.state.setFilter(QStringLiteral("dur >"));
        QVERIFY(whyNot(path).contains(QStringLiteral("column")));
    }

    void anOperatorIsCopiedAsABenchmarkFromEverywhere()
    {
        Story story;
        QVERIFY(story.open(sample()));
        EventId op = kNoEvent;
        EventId kernel = kNoEvent;
        for (std::uint32_t i = 0; i < story.trace().eventCount() && op == kNoEvent; ++i) {
            const EventId event{i};
            const EventId by = story.trace().launchLink(event).op;
            if (story.trace().kind(event) == EventKind::Kernel && by != kNoEvent
                && story.trace().name(by).starts_with("aten::")) {
                op = by;
                kernel = event;
            }
        }
        QVERIFY(op != kNoEvent);
        const QString first = QStringLiteral("# %1, recorded by the PyTorch profiler").arg(q(story.trace().name(op)));
        QAction *action = story.window.actions().action(QStringLiteral("edit.copyBenchmark"));
        QVERIFY(action && !action->isEnabled());
        for (const EventId selected : {op, kernel}) {
            QApplication::clipboard()->clear();
            story.state.select(story.ref(selected));
            QVERIFY(action->isEnabled());
            action->trigger();
            QVERIFY2(QApplication::clipboard()->text().startsWith(first),
                     qPrintable(QApplication::clipboard()->text().left(200)));
        }
        QTRY_VERIFY(story.window.details().plainText().contains(QStringLiteral("as a PyTorch script")));

        // The menu of a row of operators.
        AnalysisPane &pane = *story.window.panes().pane(u"operators");
        QVERIFY(answers(story, pane));
        const Table &table = pane.model().table();
        std::uint32_t row = 0;
        while (table.findColumn("name")->text(row) != story.trace().name(op))
            QVERIFY(++row < table.rowCount());
        const QModelIndex index = pane.model().indexOf(row);
        pane.view().scrollTo(index);
        QSignalSpy shown(pane.findChild<CallCharts *>(), &CallCharts::shown);
        QTest::mouseClick(pane.view().viewport(), Qt::LeftButton, {}, pane.view().visualRect(index).center());
        if (pane.findChild<CallCharts *>()->words().contains(QStringLiteral("all rows")))
            QVERIFY(shown.count() > 0 || shown.wait());
        QTRY_VERIFY(pane.findChild<CallCharts *>()->longestOperatorCall());
        QApplication::clipboard()->clear();
        bool found = false;
        QTimer::singleShot(0, this, [&] {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            if (!menu)
                return;
            const auto actions = menu->actions();
            for (QAction *one : actions) {
                if (one->text().contains(QStringLiteral("benchmark"))) {
                    found = true;
                    one->trigger();
                }
            }
            menu->close();
        });
        emit pane.view().customContextMenuRequested(pane.view().visualRect(index).center());
        QVERIFY(found);
        QVERIFY(QApplication::clipboard()->text().startsWith(first));
    }

    void chartsAreExportedAsPictures()
    {
        Story story;
        QVERIFY(story.open(sample()));
        AnalysisPane &pane = *story.window.panes().pane(u"calltree");
        QVERIFY(answers(story, pane));
        FlameChart &chart = *pane.findChild<FlameChart *>();
        const QTemporaryDir folder;
        QString error;
        const QString png = folder.filePath(QStringLiteral("flame.png"));
        QVERIFY2(exportPicture(chart, png, error), qPrintable(error));
        const QImage image(png);
        QCOMPARE(image.size(), chart.size() * 2);
        QSet<QRgb> colours;
        for (int x = 0; x < image.width(); x += 7)
            colours.insert(image.pixel(x, 10));
        QVERIFY(colours.size() > 1); // something is drawn
        for (QWidget *widget :
             {static_cast<QWidget *>(&chart), pane.findChild<FlameView *>()->findChild<QWidget *>()}) {
            const QString svg = folder.filePath(QStringLiteral("picture.svg"));
            QVERIFY2(exportPicture(*widget, svg, error), qPrintable(error));
            QFile file(svg);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QXmlStreamReader reader(&file);
            int elements = 0;
            while (!reader.atEnd())
                elements += reader.readNext() == QXmlStreamReader::StartElement ? 1 : 0;
            QVERIFY(!reader.hasError() && elements > 3);
        }
        QVERIFY(!exportPicture(chart, folder.filePath(QStringLiteral("none/a.png")), error));
        QVERIFY(error.contains(QStringLiteral("could not be written")));

        // The timeline, by its command.
        for (const char *name : {"timeline.png", "timeline.svg"}) {
            const QString path = folder.filePath(QLatin1String(name));
            story.window.actions().action(QStringLiteral("file.exportTimeline"))->trigger();
            QVERIFY(chooseFile(story.window, QStringLiteral("exportPicture"), path));
            QTRY_VERIFY(QFile::exists(path));
            QTRY_VERIFY(!story.window.findChild<QFileDialog *>());
        }
        QCOMPARE(QImage(folder.filePath(QStringLiteral("timeline.png"))).size(), story.timeline.size() * 2);

        // By its menu.
        QSignalSpy exported(&pane, &Pane::exported);
        QTimer::singleShot(0, this, [] {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            if (!menu)
                return;
            menu->actions().last()->trigger();
            menu->close();
        });
        emit chart.customContextMenuRequested({5, 5});
        const QString again = folder.filePath(QStringLiteral("again.png"));
        QVERIFY(chooseFile(story.window, QStringLiteral("exportPicture"), again));
        QTRY_COMPARE(exported.count(), 1);
        QVERIFY(!QImage(again).isNull());
    }
};

QTEST_MAIN(TstStoryTables)
#include "tst_story_tables.moc"
