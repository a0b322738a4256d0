// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/analysis/row_target.h"
#include "core/analysis/waterfall.h"
#include "tests/support/planted_run.h"
#include "tests/support/random_run.h"
#include "tests/support/table_text.h"

#include <QTest>

#include <cmath>

using namespace ks;

namespace {

using Run = std::vector<RankTrace>;

Run runOf(const TraceMaker &maker)
{
    return {{maker.build(), 0}};
}

Table waterfall(const Run &a, const Run &b, std::string_view pair = {})
{
    return waterfallTable(Baseline{a}, Candidate{b}, {}, *parseStepPair(pair));
}

double number(const Table &table, std::string_view column, std::size_t row)
{
    return table.findColumn(column)->number(row).value();
}

// "part name delta" of the parts, and of the names in them, that changed by more than `limit`.
QStringList changes(const Table &table, double limit = 0)
{
    QStringList texts;
    for (std::size_t row = 1; row < table.rowCount(); ++row) {
        if (table.depth(row) == 2 && std::abs(number(table, "delta_ns", row)) > limit)
            texts << rowText(table, row, {"part", "item", "delta_ns"});
    }
    return texts;
}

void addsUp(const Table &table)
{
    for (const char *column : {"baseline_ns", "candidate_ns", "delta_ns"}) {
        std::vector<double> ofChildren(table.rowCount(), 0);
        std::vector<bool> hasChildren(table.rowCount(), false);
        for (std::size_t row = 0; row < table.rowCount(); ++row) {
            const std::uint32_t parent = table.parent(row);
            if (parent == Table::kNoParent)
                continue;
            ofChildren[parent] += number(table, column, row);
            hasChildren[parent] = true;
        }
        for (std::size_t row = 0; row < table.rowCount(); ++row) {
            if (hasChildren[row])
                QVERIFY2(std::abs(ofChildren[row] - number(table, column, row)) < 1e-3,
                         qPrintable(rowText(table, row, {"part", "item", column})));
        }
    }
}

} // namespace

class TstWaterfall : public QObject
{
    Q_OBJECT

private slots:
    void namesSlowerKernels()
    {
        PlantedRun slow;
        slow.productUs = 130;
        const Table table = waterfall(runOf(plantedRun()), runOf(plantedRun(slow)));
        addsUp(table);
        QCOMPARE(changes(table), QStringList{q("kernels gemm 120000")});
        QCOMPARE(rowText(table, rowWith(table, "part", "step"), {"delta_ns"}), q("120000"));
        const auto op = rowWith(table, "item", "aten::mm");
        QVERIFY(op);
        QCOMPARE(rowText(table, op, {"part", "delta_ns", "share"}), q("kernels 120000 1"));
    }

    void namesExtraCopies()
    {
        PlantedRun more;
        more.copies = 3;
        const Table table = waterfall(runOf(plantedRun()), runOf(plantedRun(more)));
        addsUp(table);
        QCOMPARE(changes(table), QStringList{q("copies Memcpy HtoD (Pinned -> Device) 150000")});
    }

    void namesTheHostAsTheCauseOfIdleTime()
    {
        PlantedRun late;
        late.hostUs = 250;
        const Table table = waterfall(runOf(plantedRun()), runOf(plantedRun(late)));
        addsUp(table);
        QCOMPARE(changes(table), QStringList{q("idle host 250000")});
    }

    void namesTheDataLoader()
    {
        PlantedRun loading;
        loading.loadingUs = 400;
        const Table table = waterfall(runOf(plantedRun()), runOf(plantedRun(loading)));
        addsUp(table);
        const QStringList found = changes(table, 3'000); // the host takes two microseconds around it
        QCOMPARE(found, QStringList{q("idle loading data 400000")});
    }

    // What there is no more is seen in the run before, what both have in both.
    void leadsToTheLongestPieceInEachRun()
    {
        PlantedRun loading;
        loading.loadingUs = 400;
        const std::vector<RankTrace> with = runOf(plantedRun(loading));
        const Table table = waterfall(with, runOf(plantedRun()));
        const auto gone = rowWith(table, "item", "loading data");
        QCOMPARE(rowText(table, gone, {"start_ns", "length_ns", "event"}), q("null null null"));
        const Trace &before = *with.front().trace;
        const std::vector<RankTrace> ofBaseline = {with.front()};
        const RowTarget target = baselineTarget(table, *gone, ofBaseline);
        QVERIFY(target.trace && target.range);
        QVERIFY(target.range->duration() >= 400'000);
        QVERIFY(before.range().contains(target.range->begin));
        const auto kernels = rowWith(table, "item", "gemm");
        QVERIFY(kernels);
        const RowTarget kernel = baselineTarget(table, *kernels, ofBaseline);
        QCOMPARE(before.name(kernel.event), std::string_view("sgemm_128x64"));
        QCOMPARE(*kernel.range, before.range(kernel.event));
        QVERIFY(rowText(table, kernels, {"event"}) != q("null"));
    }

    void showsFusionAsOneFamilyForAnother()
    {
        PlantedRun fused;
        fused.isFused = true;
        const Table table = waterfall(runOf(plantedRun()), runOf(plantedRun(fused)));
        addsUp(table);
        QCOMPARE(changes(table), (QStringList{q("kernels elementwise -120000"), q("kernels gemm 8000")}));
        QCOMPARE(rowText(table, rowWith(table, "item", "aten::addmm"), {"baseline_ns", "candidate_ns"}), q("0 408000"));
        QCOMPARE(rowText(table, rowWith(table, "item", "aten::mm"), {"baseline_ns", "candidate_ns"}), q("400000 0"));
    }

    void namesNothingWhereThereIsOnlyNoise()
    {
        PlantedRun a, b;
        a.noiseUs = b.noiseUs = 3;
        b.seed = 2;
        const Table table = waterfall(runOf(plantedRun(a)), runOf(plantedRun(b)));
        addsUp(table);
        QCOMPARE(changes(table, 20'000), QStringList());
    }

    void theSameRunTwiceHasNoDifference()
    {
        const Run run = runOf(plantedRun());
        for (const char *pair : {"", "all", "1:1"}) {
            const Table table = waterfall(run, run, pair);
            addsUp(table);
            for (std::size_t row = 0; row < table.rowCount(); ++row)
                QCOMPARE(rowText(table, row, {"delta_ns", "share"}), q("0 null"));
        }
    }

    void takesTheStepsThatAreAskedFor()
    {
        TraceMaker maker;
        maker.step(1, 0, 100).op("a", 0, 100).step(2, 100, 300).op("a", 100, 300);
        const Run run = runOf(maker);
        QCOMPARE(rowText(waterfall(run, run, "1:2"), 0, {"item", "baseline_ns", "candidate_ns"}),
                 q("ProfilerStep#1 → ProfilerStep#2 100000 300000"));
        QCOMPARE(rowText(waterfall(run, run, "all"), 0, {"baseline_ns"}), q("200000"));
        QVERIFY(!parseStepPair("3"));
        QVERIFY_THROWS_EXCEPTION(AnalysisError, waterfall(run, run, "1:7"));
    }

    void seesTheHostWhereARunHasNoDevice()
    {
        TraceMaker a, b;
        a.step(1, 0, 100).op("aten::linear", 10, 50).op("aten::mm", 20, 30);
        b.step(1, 0, 120).op("aten::linear", 10, 70).op("aten::mm", 20, 50);
        const Table table = waterfall(runOf(a), runOf(b));
        addsUp(table);
        QCOMPARE(changes(table), QStringList{q("host aten::mm 20000")});
        QCOMPARE(rowText(table, rowWith(table, "item", "outside operators"), {"baseline_ns"}), q("50000"));
    }

    void addsUpOnRandomRuns()
    {
        for (unsigned seed = 0; seed < 30; ++seed) {
            std::mt19937_64 random(seed);
            RandomRun options;
            options.devices = static_cast<int>(seed % 3);
            const Run a = runOf(randomRun(random, options));
            const Run b = runOf(randomRun(random, options));
            for (const char *pair : {"", "all"})
                addsUp(waterfall(a, b, pair));
        }
    }
};

QTEST_APPLESS_MAIN(TstWaterfall)
#include "tst_waterfall.moc"
