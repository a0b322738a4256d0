// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/call_tree.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_run.h"
#include "widgets/charts/flame_chart.h"
#include "widgets/charts/flame_view.h"
#include "widgets/panes/analysis_pane.h"
#include "widgets/tables/table_model.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace ks;

namespace {

std::shared_ptr<const Table> randomTree(std::mt19937_64 &random)
{
    const std::vector<RankTrace> traces = {{randomRun(random).build(), {}}};
    return std::make_shared<const Table>(callTreeTable(traces, {}));
}

struct Chart
{
    explicit Chart(std::shared_ptr<const Table> shown)
        : table(std::move(shown))
    {
        chart.resize(900, 400);
        chart.setTable(table, "cpu_total_ns");
        chart.show();
        (void)QTest::qWaitForWindowExposed(&chart);
    }
    // The first row that is drawn wide enough, of that depth.
    std::optional<std::uint32_t> rowOfDepth(std::uint32_t depth) const
    {
        for (std::uint32_t row = 0; row < chart.layout().boxes.size(); ++row) {
            if (chart.layout().boxes[row].depth == depth && chart.rectOf(row).width() > 8)
                return row;
        }
        return {};
    }

    std::shared_ptr<const Table> table;
    FlameChart chart;
};

} // namespace

class TstFlameChart : public QObject
{
    Q_OBJECT
private slots:
    void boxesAreAsWideAsTheirRowsCost()
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 20; ++i) {
            const std::shared_ptr<const Table> table = randomTree(random);
            const FlameLayout layout = flameLayout(*table, "cpu_total_ns");
            const Column &cost = *table->findColumn("cpu_total_ns");
            QCOMPARE(layout.boxes.size(), table->rowCount());
            for (std::uint32_t row = 0; row < table->rowCount(); ++row) {
                const FlameBox &box = layout.boxes[row];
                QCOMPARE(std::size_t{box.depth}, table->depth(row));
                const std::uint32_t parent = table->parent(row);
                TimeNs below = 0;
                double lastEnd = box.begin;
                std::uint32_t end = row + 1;
                for (std::uint32_t other = row + 1; other < table->rowCount(); ++other) {
                    if (table->parent(other) != row)
                        continue;
                    below += cost.integer(other);
                    QVERIFY(std::abs(layout.boxes[other].begin - lastEnd) < 1e-9); // side by side
                    lastEnd = layout.boxes[other].end;
                    end = layout.boxes[other].endRow;
                }
                QVERIFY(lastEnd <= box.end + 1e-9);
                QCOMPARE(box.endRow, end);
                if (below > 0 && below <= cost.integer(row))
                    QVERIFY(std::abs((lastEnd - box.begin) / (box.end - box.begin)
                                     - static_cast<double>(below) / static_cast<double>(cost.integer(row)))
                            < 1e-6);
                if (parent == Table::kNoParent)
                    QVERIFY(std::abs((box.end - box.begin) * layout.whole - static_cast<double>(cost.integer(row)))
                            < 1e-3);
            }
        }
    }

    void theBoxAtAPlaceIsTheOneThatHoldsIt()
    {
        std::mt19937_64 random(2);
        const FlameLayout layout = flameLayout(*randomTree(random), "cpu_total_ns");
        for (int i = 0; i < 3000; ++i) {
            const double place = static_cast<double>(random() % 100'000) / 100'000;
            const auto depth = static_cast<std::uint32_t>(random() % (layout.depth + 1));
            std::optional<std::uint32_t> expected;
            for (std::uint32_t row = 0; row < layout.boxes.size(); ++row) {
                const FlameBox &box = layout.boxes[row];
                if (box.depth == depth && place >= box.begin && place < box.end)
                    expected = row;
            }
            QCOMPARE(boxAt(layout, place, depth), expected);
        }
        QVERIFY(flameLayout(Table(), "cpu_total_ns").boxes.empty());
    }

    void aClickChoosesABoxADoubleClickZoomsToIt()
    {
        std::mt19937_64 random(3);
        Chart flame(randomTree(random));
        FlameChart &chart = flame.chart;
        QSignalSpy clicked(&chart, &FlameChart::rowClicked);
        const std::optional<std::uint32_t> row = flame.rowOfDepth(1);
        QVERIFY(row);
        const double before = chart.rectOf(*row).width();
        QVERIFY(before < chart.viewport()->width() - 2);
        const QPoint middle = chart.rectOf(*row).center().toPoint();
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, middle);
        QCOMPARE(chart.current(), row);
        QCOMPARE(clicked.count(), 1);
        QTest::mouseDClick(chart.viewport(), Qt::LeftButton, {}, middle);
        QCOMPARE(chart.zoomed(), row);
        QVERIFY(std::abs(chart.rectOf(*row).width() - chart.viewport()->width()) < 1);
        // What it stands in fills the width, too, and can be clicked to go back.
        const std::uint32_t parent = flame.table->parent(*row);
        QVERIFY(std::abs(chart.rectOf(parent).width() - chart.viewport()->width()) < 1);
        QTest::mouseDClick(chart.viewport(), Qt::LeftButton, {}, chart.rectOf(parent).center().toPoint());
        QCOMPARE(chart.zoomed(), std::optional<std::uint32_t>(parent));
        QTest::keyClick(&chart, Qt::Key_Escape);
        QVERIFY(!chart.zoomed());
    }

    void theArrowKeysGoAlongTheCalls()
    {
        std::mt19937_64 random(4);
        Chart flame(randomTree(random));
        FlameChart &chart = flame.chart;
        const auto callsOf = [&](std::uint32_t row) {
            std::vector<std::uint32_t> calls;
            for (std::uint32_t other = 0; other < flame.table->rowCount(); ++other) {
                if (flame.table->parent(other) == row)
                    calls.push_back(other);
            }
            return calls;
        };
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_Down);
        QCOMPARE(chart.current(), std::optional<std::uint32_t>(0));
        std::uint32_t row = 0;
        while (callsOf(row).size() < 2)
            QVERIFY(++row < flame.table->rowCount());
        const std::vector<std::uint32_t> calls = callsOf(row);
        chart.setCurrent(row);
        QTest::keyClick(&chart, Qt::Key_Down);
        QCOMPARE(chart.current(), std::optional(calls[0])); // the costliest
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.current(), std::optional(calls[1]));
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.current(), std::optional(calls[0]));
        QTest::keyClick(&chart, Qt::Key_Left); // none before it
        QCOMPARE(chart.current(), std::optional(calls[0]));
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(chart.zoomed(), std::optional(calls[0]));
        QTest::keyClick(&chart, Qt::Key_Up);
        QCOMPARE(chart.current(), std::optional(row));
        QVERIFY(!chart.zoomed()); // it lies outside
    }

    void whatIsSearchedForIsCountedOnce()
    {
        std::mt19937_64 random(5);
        const std::shared_ptr<const Table> table = randomTree(random);
        FlameView view;
        view.resize(900, 400);
        view.chart().setTable(table, "cpu_total_ns");
        view.show();
        auto *field = view.findChild<QLineEdit *>(QStringLiteral("flameSearch"));
        QVERIFY(field);
        QTest::keyClicks(field, QStringLiteral("ATEN"));
        std::size_t boxes = 0;
        double share = 0;
        const FlameLayout layout = flameLayout(*table, "cpu_total_ns");
        for (std::uint32_t row = 0; row < table->rowCount(); ++row) {
            if (!q(table->findColumn("name")->text(row)).contains(QStringLiteral("aten")))
                continue;
            ++boxes;
            bool isOutermost = true;
            for (std::uint32_t at = table->parent(row); at != Table::kNoParent; at = table->parent(at))
                isOutermost = isOutermost && !q(table->findColumn("name")->text(at)).contains(QStringLiteral("aten"));
            if (isOutermost)
                share += layout.boxes[row].end - layout.boxes[row].begin;
        }
        QVERIFY(boxes > 2);
        QCOMPARE(view.chart().matches(), boxes);
        QVERIFY(std::abs(view.chart().matchedShare() - share) < 1e-9);
        QVERIFY2(view.found().startsWith(QStringLiteral("%1 boxes, ").arg(boxes)), qPrintable(view.found()));
        // The rest is dimmed: the picture changes, and comes back.
        const QImage found = view.chart().grab().toImage();
        field->clear();
        QVERIFY(view.found().isEmpty());
        QVERIFY(view.chart().grab().toImage() != found);
    }

    void theZoomIsKeptWhenTheTableChanges()
    {
        std::mt19937_64 random(6);
        Chart flame(randomTree(random));
        const std::optional<std::uint32_t> row = flame.rowOfDepth(1);
        QVERIFY(row);
        flame.chart.zoomTo(row);
        const std::string name(flame.table->findColumn("name")->text(*row));
        flame.chart.setTable(std::make_shared<const Table>(*flame.table), "cpu_total_ns");
        QVERIFY(flame.chart.zoomed());
        QCOMPARE(q(flame.table->findColumn("name")->text(*flame.chart.zoomed())), q(name));
        flame.chart.setTable(std::make_shared<const Table>(), "cpu_total_ns");
        QVERIFY(!flame.chart.zoomed());
        (void)flame.chart.grab();
        QTest::keyClick(&flame.chart, Qt::Key_Down);
    }

    void theTableAndTheFlameChooseTogether()
    {
        ViewState state;
        AnalysisPane pane(*findAnalysis("calltree"), state);
        std::mt19937_64 random(7);
        state.traces().add(randomRun(random).build());
        state.setVisibleRange(state.traces().range());
        pane.resize(1200, 500);
        QSignalSpy computed(&pane, &AnalysisPane::computed);
        pane.show();
        QVERIFY(computed.count() > 0 || computed.wait(20'000));
        QAbstractItemModelTester tester(&pane.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        FlameChart &chart = *pane.findChild<FlameChart *>();
        QVERIFY(chart.isVisible() && chart.viewport()->width() > 300);
        QCOMPARE(chart.layout().boxes.size(), pane.model().table().rowCount());
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.rectOf(0).center().toPoint());
        QCOMPARE(pane.model().tableRow(pane.view().currentIndex()), 0U);
        const NameId *name = selectedName(state.selection());
        QVERIFY(name);
        QCOMPARE(q(nameText(*name)), q(pane.model().table().findColumn("name")->text(0)));
        QVERIFY(!state.marked().empty());
        const QModelIndex other = pane.model().reveal(1);
        QTest::mouseClick(pane.view().viewport(), Qt::LeftButton, {}, pane.view().visualRect(other).center());
        QCOMPARE(chart.current(), std::optional<std::uint32_t>(1));
        // By device time the boxes are others.
        auto *by = pane.findChild<QComboBox *>(QStringLiteral("option.by"));
        QVERIFY(by);
        const std::size_t before = chart.layout().boxes.size();
        computed.clear();
        by->setCurrentIndex(by->findData(QStringLiteral("device")));
        QVERIFY(computed.count() > 0 || computed.wait(20'000));
        QVERIFY(chart.layout().boxes.size() < before);
        state.traces().clear();
        QVERIFY(chart.layout().boxes.empty());
    }
};

QTEST_MAIN(TstFlameChart)
#include "tst_flame_chart.moc"
