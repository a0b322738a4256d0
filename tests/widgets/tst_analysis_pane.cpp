// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device_work.h"
#include "core/analysis/filter.h"
#include "core/analysis/row_target.h"
#include "tests/support/qt_text.h"
#include "tests/support/trace_maker.h"
#include "tests/widgets/pane_fixture.h"
#include "widgets/charts/table_chart.h"
#include "widgets/panes/call_charts.h"
#include "widgets/tables/option_bar.h"
#include "widgets/tables/table_export.h"
#include "widgets/tables/table_model.h"
#include "widgets/tables/table_view.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QTemporaryDir>

using namespace ks;

class TstAnalysisPane : public QObject
{
    Q_OBJECT
private slots:
    void everyPaneShowsWhatTheAnalysisSays_data()
    {
        QTest::addColumn<QString>("id");
        for (const Analysis &analysis : analyses()) {
            if (!analysis.isComparison)
                QTest::newRow(std::string(analysis.id).c_str()) << q(analysis.id);
        }
    }
    void everyPaneShowsWhatTheAnalysisSays()
    {
        QFETCH(const QString, id);
        PaneFixture fixture(id.toStdString());
        QAbstractItemModelTester tester(&fixture.pane.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(fixture.wait());
        QCOMPARE(q(shown(fixture.pane)), q(fixture.expected()));
        QVERIFY(fixture.pane.words().contains(QStringLiteral("whole trace")));

        // Half of the time, then an area on one lane, then a filter.
        const TimeRange whole = fixture.trace().range();
        const TimeRange half{whole.begin + whole.duration() / 4, whole.begin + whole.duration() * 3 / 4};
        QVERIFY(fixture.after([&] { fixture.state.setVisibleRange(half); }));
        Scope scope;
        scope.parts = {{&fixture.trace(), half, {}}};
        QCOMPARE(q(shown(fixture.pane)), q(fixture.expected(scope)));
        QVERIFY(fixture.pane.words().contains(QStringLiteral("visible")));

        QVERIFY(fixture.after([&] { fixture.state.select(Area{half, {fixture.state.traces().ref(0, LaneId{0})}}); }));
        scope.parts = {{&fixture.trace(), half, {LaneId{0}}}};
        QCOMPARE(q(shown(fixture.pane)), q(fixture.expected(scope)));
        QVERIFY(fixture.pane.words().contains(QStringLiteral("selected")));

        QVERIFY(fixture.after([&] { fixture.state.setFilter(QStringLiteral("dur > 2us")); }));
        const std::vector<RankTrace> ranks = {{fixture.state.traces().share(0), {}}};
        scope.events = matchingEvents(Filter::parse("dur > 2us"), ranks);
        QCOMPARE(q(shown(fixture.pane)), q(fixture.expected(scope)));
        QVERIFY(fixture.pane.words().contains(QStringLiteral("dur > 2us")));
    }

    void aHiddenPaneComputesNothing()
    {
        PaneFixture fixture("operators");
        QVERIFY(fixture.wait());
        fixture.pane.hide();
        QSignalSpy computed(&fixture.pane, &AnalysisPane::computed);
        fixture.state.setFilter(QStringLiteral("kind:kernel"));
        fixture.state.setVisibleRange({0, 1000});
        QTest::qWait(400);
        QCOMPARE(computed.count(), 0);
        QVERIFY(fixture.after([&] { fixture.pane.show(); }));
        QVERIFY(fixture.pane.words().contains(QStringLiteral("kind:kernel")));
    }

    void optionsChangeTheTable()
    {
        PaneFixture fixture("operators");
        QVERIFY(fixture.wait());
        auto *byShape = fixture.pane.findChild<QCheckBox *>(QStringLiteral("option.by-shape"));
        QVERIFY(byShape);
        QVERIFY(
            fixture.after([&] { QTest::mouseClick(byShape, Qt::LeftButton, {}, QPoint(8, byShape->height() / 2)); }));
        QVERIFY(byShape->isChecked());
        QCOMPARE(q(shown(fixture.pane)), q(fixture.expected({}, "by-shape", "true")));
    }

    void aClickedRowSelectsItsNameAndASelectedEventItsRow()
    {
        PaneFixture fixture("operators");
        QVERIFY(fixture.wait());
        TableView &view = fixture.pane.view();
        const QModelIndex second = fixture.pane.model().index(1, 0);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(second).center());
        const NameId *name = selectedName(fixture.state.selection());
        QVERIFY(name);
        QCOMPARE(q(nameText(*name)), second.data().toString());

        // Down with the keyboard, then an event elsewhere.
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(q(nameText(*selectedName(fixture.state.selection()))),
                 fixture.pane.model().index(2, 0).data().toString());
        EventId first = kNoEvent;
        const QString wanted = fixture.pane.model().index(0, 0).data().toString();
        for (std::uint32_t i = 0; i < fixture.trace().eventCount() && first == kNoEvent; ++i) {
            if (q(fixture.trace().name(EventId{i})) == wanted)
                first = EventId{i};
        }
        QVERIFY(first != kNoEvent);
        fixture.state.select(fixture.state.traces().ref(0, first));
        QCOMPARE(view.currentIndex().row(), 0);
        QVERIFY(selectedEvent(fixture.state.selection())); // the table did not select anything of its own
    }

    void aSelectionIsFoundOnceTheRowsAreSeen()
    {
        PaneFixture fixture("launches");
        QVERIFY(fixture.wait());
        QVERIFY(fixture.after([&] { fixture.pane.options().choose("show", "list"); }));
        const Table &table = fixture.pane.model().table();
        QVERIFY(table.rowCount() > 2);
        const std::vector<RankTrace> ranks = {{fixture.state.traces().share(0), {}}};
        fixture.pane.hide();
        for (std::uint32_t row = 0; row < table.rowCount(); ++row) {
            const EventId event = rowTarget(fixture.pane.analysis(), table, row, ranks).event;
            QVERIFY(event != kNoEvent);
            std::uint32_t first = 0; // that is about it
            while (rowTarget(fixture.pane.analysis(), table, first, ranks).event != event)
                ++first;
            QCOMPARE(rowOfEvent(fixture.pane.analysis(), table, event, fixture.trace()), std::optional(first));
            const QModelIndex before = fixture.pane.view().currentIndex();
            fixture.state.select(fixture.state.traces().ref(0, event));
            QCOMPARE(fixture.pane.view().currentIndex(), before);
            fixture.pane.show();
            QCOMPARE(fixture.pane.model().tableRow(fixture.pane.view().currentIndex()), first);
            fixture.pane.hide();
        }
    }

    void aGapIsZoomedToAndTheTableStays()
    {
        PaneFixture fixture("idle");
        QVERIFY(fixture.wait());
        auto *views = fixture.pane.findChild<QComboBox *>(QStringLiteral("option.show"));
        QVERIFY(views);
        QVERIFY(fixture.after([&] { views->setCurrentIndex(views->findData(QStringLiteral("gaps"))); }));
        const std::string before = shown(fixture.pane);
        const Column *start = fixture.pane.model().table().findColumn("start_ns");
        const Column *length = fixture.pane.model().table().findColumn("dur_ns");
        QVERIFY(start && length && fixture.pane.model().rowCount() > 2);
        TableView &view = fixture.pane.view();
        view.setFocus();
        const QModelIndex row = fixture.pane.model().index(2, 0);
        view.setCurrentIndex(row);
        QTest::keyClick(&view, Qt::Key_Return);
        const std::uint32_t gap = fixture.pane.model().tableRow(row);
        const TimeNs begin = fixture.trace().traceTime(FileTimeNs{start->integer(gap)});
        QVERIFY(fixture.state.visibleRange().begin <= begin);
        QVERIFY(fixture.state.visibleRange().end >= begin + length->integer(gap));
        QVERIFY(fixture.state.visibleRange().duration() < fixture.trace().range().duration());
        QTest::qWait(400);
        QCOMPARE(q(shown(fixture.pane)), q(before));
    }

    void aClickOnAHeaderSortsByIt()
    {
        PaneFixture fixture("operators");
        QVERIFY(fixture.wait());
        QHeaderView *header = fixture.pane.view().horizontalHeader();
        const auto column = static_cast<int>(*fixture.pane.model().table().find("calls"));
        const QPoint place(header->sectionViewportPosition(column) + 5, header->height() / 2);
        const auto calls = [&](int row) {
            const Column &cells = fixture.pane.model().table().column(static_cast<std::size_t>(column));
            return cells.integer(fixture.pane.model().tableRow(fixture.pane.model().index(row, 0)));
        };
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        for (int row = 1; row < fixture.pane.model().rowCount(); ++row)
            QVERIFY(calls(row - 1) >= calls(row));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        for (int row = 1; row < fixture.pane.model().rowCount(); ++row)
            QVERIFY(calls(row - 1) <= calls(row));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        for (int row = 0; row < fixture.pane.model().rowCount(); ++row)
            QCOMPARE(fixture.pane.model().tableRow(fixture.pane.model().index(row, 0)),
                     static_cast<std::uint32_t>(row));
    }

    void aLongTableIsSortedTooAndStaysSo()
    {
        TraceMaker maker;
        std::mt19937_64 random(3);
        double at = 0;
        for (std::size_t i = 0; i < TableModel::kMostAtOnce + 10; ++i) {
            maker.kernel("gemm", at, 1, 7, i + 1);
            at += 2 + static_cast<double>(random() % 100);
        }
        ViewState state;
        AnalysisPane pane(*findAnalysis("idle"), state);
        state.traces().add(maker.build());
        state.setVisibleRange(state.traces().range());
        pane.resize(900, 400);
        pane.show();
        pane.options().choose("show", "gaps");
        QTRY_VERIFY_WITH_TIMEOUT(pane.model().rowCount() > static_cast<int>(TableModel::kMostAtOnce), 20'000);
        const auto isSorted = [&pane] {
            const Column &lengths = *pane.model().table().findColumn("dur_ns");
            for (int row = 1; row < pane.model().rowCount(); ++row) {
                const auto length = [&](int of) {
                    return lengths.integer(pane.model().tableRow(pane.model().index(of, 0)));
                };
                if (length(row - 1) > length(row))
                    return false;
            }
            return true;
        };
        QVERIFY(!isSorted());
        QHeaderView *header = pane.view().horizontalHeader();
        const auto column = static_cast<int>(*pane.model().table().find("dur_ns"));
        const QPoint place(header->sectionViewportPosition(column) + 5, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place); // the longest first
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        QVERIFY(pane.isSorting());
        QTRY_VERIFY(!pane.isSorting());
        QVERIFY(isSorted());
        // Another answer is sorted in the same way.
        const TimeRange whole = state.traces().range();
        pane.clearFocus();
        QSignalSpy computed(&pane, &AnalysisPane::computed);
        state.setVisibleRange({whole.begin, whole.end - whole.duration() / 10'000});
        QVERIFY(computed.wait(20'000));
        QTRY_VERIFY(!pane.isSorting());
        QVERIFY(isSorted());
    }

    void anOperatorOpensToItsKernelsAndAKernelToItsOperators_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("sum");
        QTest::newRow("operators") << QStringLiteral("operators") << QStringLiteral("device_self_ns");
        QTest::newRow("kernels") << QStringLiteral("kernels") << QStringLiteral("total_ns");
    }
    void anOperatorOpensToItsKernelsAndAKernelToItsOperators()
    {
        QFETCH(const QString, id);
        QFETCH(const QString, sum);
        PaneFixture fixture(id.toStdString());
        QVERIFY(fixture.wait());
        TableModel &model = fixture.pane.model();
        TableView &view = fixture.pane.view();
        QVERIFY(view.hasArrows());
        const std::string before = csvOf(model.table());
        const auto rows = static_cast<std::uint32_t>(model.table().rowCount());
        int opened = 0;
        for (std::uint32_t row = 0; row < rows && opened < 4; ++row) {
            if (!model.opens(row))
                continue;
            model.setOpen(row, true);
            QTRY_VERIFY(!model.inside(row).empty());
            ++opened;
            std::int64_t inside = 0;
            std::int64_t calls = 0;
            const Column &sums = *model.table().findColumn(sum.toStdString());
            for (const std::uint32_t child : model.inside(row)) {
                QCOMPARE(model.table().parent(child), row);
                inside += sums.integer(child);
                calls += model.table().findColumn("calls")->integer(child);
            }
            QCOMPARE(inside, sums.integer(row));
            if (id == QStringLiteral("kernels"))
                QCOMPARE(calls, model.table().findColumn("calls")->integer(row));
        }
        QVERIFY(opened > 1);
        // Going through what is inside a row, the charts stay with the row.
        auto &charts = *fixture.pane.findChild<CallCharts *>();
        for (std::uint32_t row = 0; row < rows; ++row) {
            for (const std::uint32_t child : model.inside(row)) {
                view.goTo(child);
                const std::string_view name = model.table().findColumn("name")->text(row);
                QTRY_VERIFY2(charts.words().endsWith(q(name)), qPrintable(charts.words()));
                QVERIFY(!charts.calls().empty());
            }
        }
        QCOMPARE(q(shown(fixture.pane)), q(before)); // the answer itself, which is what is exported
        // What was open is open in the next answer, too, and filled anew.
        const auto openRows = [&] {
            int count = 0;
            for (const std::uint32_t row : model.openRows())
                count += model.inside(row).empty() ? 0 : 1;
            return count;
        };
        QCOMPARE(openRows(), opened);
        QVERIFY(fixture.after([&] { fixture.state.setFilter(QStringLiteral("dur > 0ns")); }));
        QTRY_COMPARE(openRows(), opened);
    }

    void tablesAreExportedWhole()
    {
        PaneFixture fixture("kernels");
        QVERIFY(fixture.wait());
        const QTemporaryDir folder;
        QString error;
        const QString csv = folder.filePath(QStringLiteral("t.csv"));
        QVERIFY2(exportTable(fixture.pane.model().table(), csv, error), qPrintable(error));
        QFile file(csv);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray::fromStdString(fixture.expected()));
        QVERIFY(exportTable(fixture.pane.model().table(), folder.filePath(QStringLiteral("t.json")), error));
        QVERIFY(!exportTable(fixture.pane.model().table(), folder.filePath(QStringLiteral("none/t.csv")), error));
        QVERIFY(!error.isEmpty());
        QCOMPARE(fixture.pane.view().selectedText().count(QLatin1Char('\n')), fixture.pane.model().rowCount() + 1);
    }

    void shownColumnsAreKept()
    {
        PaneFixture fixture("operators");
        QVERIFY(fixture.wait());
        fixture.pane.view().showOnly({QStringLiteral("name"), QStringLiteral("calls")});
        QCOMPARE(fixture.pane.view().shownColumns(), (QStringList{QStringLiteral("name"), QStringLiteral("calls")}));
        QVERIFY(fixture.after([&] { fixture.state.setFilter(QStringLiteral("aten")); }));
        QCOMPARE(fixture.pane.view().shownColumns(), (QStringList{QStringLiteral("name"), QStringLiteral("calls")}));
    }

    void hoveringGoesBothWays()
    {
        PaneFixture collectives("communication");
        QVERIFY(collectives.wait());
        QVERIFY(collectives.pane.model().rowCount() > 1);
        QWidget *rows = collectives.pane.view().viewport();
        const auto middleOf = [&](int row) {
            return collectives.pane.view().visualRect(collectives.pane.model().index(row, 0)).center();
        };
        QTest::mouseMove(rows, middleOf(0));
        QTest::mouseMove(rows, middleOf(1));
        QTRY_VERIFY(collectives.state.hovered());
        const EventRef under = *collectives.state.hovered();
        QVERIFY(isDeviceWork(collectives.state.traces().at(under.trace).kind(under.event)));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(rows, &leave);
        QVERIFY(!collectives.state.hovered());

        PaneFixture kernels("kernels");
        QVERIFY(kernels.wait());
        const Trace &trace = kernels.state.traces().at(0);
        const auto standsOut = [&](int row) {
            return kernels.pane.model().index(row, 0).data(Qt::BackgroundRole).isValid();
        };
        kernels.state.setHovered(kernels.state.traces().ref(0, workIndex(trace).byBegin().front().event));
        const QString name = q(trace.name(kernels.state.hovered()->event));
        int found = 0;
        for (int row = 0; row < kernels.pane.model().rowCount(); ++row) {
            found += standsOut(row) ? 1 : 0;
            if (standsOut(row))
                QCOMPARE(kernels.pane.model().index(row, 0).data().toString(), name);
        }
        QCOMPARE(found, 1);
    }

    void aBadFilterIsSaidAndTheTableIsNotLost()
    {
        PaneFixture fixture("operators");
        QVERIFY(fixture.wait());
        QSignalSpy failed(&fixture.pane, &AnalysisPane::failed);
        fixture.state.setFilter(QStringLiteral("dur >"));
        QVERIFY(failed.wait(20'000));
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("column")));
        QVERIFY(fixture.pane.model().rowCount() > 0);
    }

    void comparingNeedsASecondTrace()
    {
        PaneFixture one("compare");
        QTest::qWait(300);
        QCOMPARE(one.pane.model().rowCount(), 0);
        PaneFixture two("compare", 2);
        QVERIFY(two.wait());
        QVERIFY(two.pane.model().rowCount() > 0);
    }

    void closingTheTracesEmptiesThePane()
    {
        PaneFixture fixture("kernels");
        QVERIFY(fixture.wait());
        fixture.state.traces().clear();
        QCOMPARE(fixture.pane.model().rowCount(), 0);
        QTest::qWait(300);
        QCOMPARE(fixture.pane.model().rowCount(), 0);
    }
};

QTEST_MAIN(TstAnalysisPane)
#include "tst_analysis_pane.moc"
