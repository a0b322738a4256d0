// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/analysis/compare.h"
#include "core/analysis/compare_notes.h"
#include "core/analysis/compare_tree.h"
#include "core/analysis/step_values.h"
#include "tests/support/planted_run.h"
#include "tests/support/random_run.h"
#include "tests/support/table_text.h"

#include <QTest>

using namespace ks;

namespace {

using Run = std::vector<RankTrace>;

Run runOf(const TraceMaker &maker)
{
    return {{maker.build(), 0}};
}

Table compared(const Run &a, const Run &b, CompareBy by, bool findRenamed = false)
{
    CompareOptions options;
    options.by = by;
    options.findRenamed = findRenamed;
    return compareTable(Baseline{a}, Candidate{b}, {}, options).value();
}

} // namespace

class TstCompare : public QObject
{
    Q_OBJECT

private slots:
    void tellsADifferenceFromNoise()
    {
        PlantedRun before, slow, other;
        before.noiseUs = slow.noiseUs = other.noiseUs = 3;
        slow.seed = 2;
        slow.productUs = 120;
        other.seed = 3;
        const Run a = runOf(plantedRun(before));
        const Table changed = compared(a, runOf(plantedRun(slow)), CompareBy::Operators);
        QCOMPARE(rowText(changed, rowWith(changed, "name", "aten::mm"), {"verdict"}), q("significant"));
        QCOMPARE(rowText(changed, rowWith(changed, "name", "aten::add"), {"verdict"}), q("not significant"));
        const Table noise = compared(a, runOf(plantedRun(other)), CompareBy::Kernels);
        for (std::size_t row = 0; row < noise.rowCount(); ++row)
            QCOMPARE(rowText(noise, row, {"verdict"}), q("not significant"));
        QVERIFY(noise.findColumn("baseline_spread")->number(0).value() > 0);
    }

    // Steps outside an area, and those it cuts, are none of its spread.
    void anAreaHasTheSpreadOfTheStepsInIt()
    {
        PlantedRun noisy;
        noisy.noiseUs = 20;
        noisy.steps = 9;
        const Run whole = runOf(plantedRun(noisy));
        const Trace &trace = *whole.front().trace;
        std::vector<TimeRange> steps;
        for (const Step &step : trace.steps())
            steps.push_back(step.range);
        QCOMPARE(steps.size(), std::size_t{9});
        // From the middle of the second step to the middle of the eighth.
        Scope area;
        const auto middle = [](TimeRange step) { return step.begin + step.duration() / 2; };
        area.parts = {{&trace, TimeRange{middle(steps[1]), middle(steps[7])}, {}}};
        Scope same; // the steps three to seven
        same.steps = Scope::StepRange{trace.steps()[2].number, trace.steps()[6].number};
        for (const CompareBy by : {CompareBy::Operators, CompareBy::Kernels}) {
            CompareOptions options;
            options.by = by;
            options.metric = by == CompareBy::Kernels ? "total_ns" : "cpu_total_ns";
            const Table cut = compareTable(Baseline{whole}, Candidate{whole}, area, options).value();
            const Table picked = compareTable(Baseline{whole}, Candidate{whole}, same, options).value();
            int checked = 0;
            for (std::size_t row = 0; row < picked.rowCount(); ++row) {
                const std::string name(picked.column(0).text(row));
                if (name.starts_with("ProfilerStep")) // itself cut where there are parts
                    continue;
                const auto other = rowWith(cut, "name", name);
                QVERIFY(other);
                QCOMPARE(rowText(cut, other, {"name", "baseline_spread", "candidate_spread", "p_value"}),
                         rowText(picked, row, {"name", "baseline_spread", "candidate_spread", "p_value"}));
                ++checked;
            }
            QVERIFY(checked > 1);
            // An area inside one step has none.
            Scope inside;
            inside.parts = {{&trace, TimeRange{steps[3].begin + 1, middle(steps[3])}, {}}};
            const Table part = compareTable(Baseline{whole}, Candidate{whole}, inside, options).value();
            QVERIFY(part.rowCount() > 0);
            QCOMPARE(part.findColumn("baseline_spread")->nullCount(), part.rowCount());
        }
    }

    void itsColumnsKnowWhatTheyCompare()
    {
        const Run run = runOf(plantedRun());
        const auto measure = [&](CompareBy by, const char *metric = "") {
            CompareOptions options;
            options.by = by;
            options.metric = metric;
            const Table table = compareTable(Baseline{run}, Candidate{run}, {}, options).value();
            if (table.findColumn("candidate")->measure() != table.findColumn("baseline")->measure())
                return std::string();
            return table.findColumn("baseline")->measure();
        };
        QCOMPARE(measure(CompareBy::Operators), std::string("device_self_ns"));
        QCOMPARE(measure(CompareBy::Kernels), std::string("total_ns"));
        QCOMPARE(measure(CompareBy::Operators, "cpu_total_ns"), std::string("cpu_total_ns"));
        QCOMPARE(compareTreeTable(Baseline{run}, Candidate{run}, {}, {}).findColumn("candidate")->measure(),
                 std::string("device_total_ns"));
    }

    void asksForEnoughSteps()
    {
        PlantedRun few;
        few.steps = 3;
        const Run run = runOf(plantedRun(few));
        const Table table = compared(run, runOf(plantedRun()), CompareBy::Operators);
        QCOMPARE(rowText(table, rowWith(table, "name", "aten::mm"), {"p_value", "verdict"}), q("null too few steps"));
        const Run without = runOf(TraceMaker().op("aten::mm", 0, 10));
        QCOMPARE(rowText(compared(without, without, CompareBy::Operators), 0, {"baseline_spread", "verdict"}),
                 q("null null"));
    }

    void theSameRunTwiceHasNoDifference()
    {
        const Run run = runOf(plantedRun());
        for (const CompareBy by : {CompareBy::Operators, CompareBy::Kernels, CompareBy::Steps, CompareBy::Names,
                                   CompareBy::Modules, CompareBy::Shapes, CompareBy::Families}) {
            const Table table = compared(run, run, by);
            for (std::size_t row = 0; row < table.rowCount(); ++row) {
                QCOMPARE(rowText(table, row, {"status", "delta"}), q("both 0"));
                if (by == CompareBy::Operators)
                    QCOMPARE(rowText(table, row, {"p_value", "verdict"}), q("1 not significant"));
            }
        }
    }

    void addsUpFamiliesAndTellsShapesApart()
    {
        PlantedRun slow;
        slow.productUs = 110;
        const Run a = runOf(plantedRun());
        const Run b = runOf(plantedRun(slow));
        const Table families = compared(a, b, CompareBy::Families);
        QCOMPARE(rowText(families, rowWith(families, "family", "gemm"), {"baseline", "candidate", "delta"}),
                 q("2400000 2640000 240000"));
        TraceMaker first, second;
        first.op("aten::mm", 0, 10, R"("Input Dims":[[2,3],[3,4]])")
            .op("aten::mm", 20, 10, R"("Input Dims":[[5,6],[6,7]])");
        second.op("aten::mm", 0, 30, R"("Input Dims":[[2,3],[3,4]])")
            .op("aten::mm", 40, 10, R"("Input Dims":[[5,6],[6,7]])");
        const Table shapes = compared(runOf(first), runOf(second), CompareBy::Shapes);
        QCOMPARE(shapes.rowCount(), std::size_t{2});
        QCOMPARE(rowText(shapes, 0, {"name", "input_shapes", "delta"}), q("aten::mm [[2,3],[3,4]] 20000"));
    }

    void joinsAKernelThatWasRenamed()
    {
        PlantedRun other;
        other.productKernel = "sgemm_256x128";
        const Run a = runOf(plantedRun());
        const Run b = runOf(plantedRun(other));
        const Table plain = compared(a, b, CompareBy::Kernels);
        QCOMPARE(rowText(plain, rowWith(plain, "name", "sgemm_256x128"), {"status"}), q("candidate"));
        const Table table = compared(a, b, CompareBy::Kernels, true);
        QCOMPARE(rowText(table, rowWith(table, "name", "sgemm_128x64"),
                         {"status", "candidate_name", "baseline_calls", "candidate_calls", "delta", "verdict"}),
                 q("renamed sgemm_256x128 24 24 0 not significant"));
        QVERIFY(!rowWith(table, "name", "sgemm_256x128"));
    }

    void valuesOfStepsAddUpToTheTable()
    {
        for (unsigned seed = 0; seed < 5; ++seed) {
            std::mt19937_64 random(seed);
            RandomRun options;
            options.steps = 5;
            const Run run = runOf(randomRun(random, options));
            Scope steps;
            steps.steps = Scope::StepRange{0, 1'000'000};
            for (const char *metric : {"cpu_self_ns", "device_self_ns", "calls", "device_memory_self_bytes"}) {
                const StepValues values = operatorSteps(run, {}, metric);
                QCOMPARE(values.steps, std::size_t{5});
                CompareOptions how;
                how.metric = metric;
                const Table table = compareTable(Baseline{run}, Candidate{run}, steps, how).value();
                for (std::size_t row = 0; row < table.rowCount(); ++row) {
                    const std::vector<double> ofSteps = values.of(table.findColumn("name")->text(row));
                    if (table.findColumn("name")->text(row) == "[memory]")
                        continue;
                    QCOMPARE(mean(ofSteps) * static_cast<double>(ofSteps.size()),
                             table.findColumn("baseline")->number(row).value());
                }
            }
        }
    }

    void saysWhatCannotBeCompared()
    {
        const auto notes = [](const Run &a, const Run &b) {
            QStringList texts;
            for (const char *note : compareNotes(Baseline{a}, Candidate{b}, {}))
                texts << QString::fromUtf8(note).section(QLatin1Char(':'), 0, 0);
            return texts;
        };
        const Run run = runOf(plantedRun());
        PlantedRun slow;
        slow.productUs = 120;
        QCOMPARE(notes(run, runOf(plantedRun(slow))), QStringList());
        QCOMPARE(notes(run, runOf(TraceMaker().op("aten::mm", 0, 10).step(1, 0, 20))),
                 QStringList{q("only one run has device work")});
        QCOMPARE(
            notes(run, runOf(TraceMaker().op("b", 0, 10).launch("cudaLaunchKernel", 1, 2, 1).kernel("k", 5, 5, 7, 1))),
            (QStringList{q("the runs have no operator in common"), q("not both runs have steps")}));
        const Run two{run.front(), {plantedRun(slow).build(), 1}};
        QCOMPARE(notes(run, two), QStringList{q("the runs have different numbers of ranks")});
    }

    void laysCallTreesOverEachOther()
    {
        PlantedRun fused;
        fused.isFused = true;
        const Run a = runOf(plantedRun());
        const Run b = runOf(plantedRun(fused));
        const Table table = compareTreeTable(Baseline{a}, Candidate{b}, {}, {});
        // mm and add became addmm: one change, below the step.
        const auto replaced = rowWith(table, "status", "replaced");
        QCOMPARE(
            rowText(table, replaced, {"name", "baseline", "candidate", "delta", "baseline_calls", "candidate_calls"}),
            q("aten::mm, aten::add → aten::addmm 3120000 2448000 -672000 48 24"));
        QCOMPARE(rowText(table, table.parent(*replaced), {"name", "status", "delta"}), q("ProfilerStep* both -672000"));
        const auto gone = rowWith(table, "name", "aten::mm");
        QCOMPARE(rowText(table, gone, {"status", "candidate"}), q("baseline 0"));
        QCOMPARE(table.parent(*gone), static_cast<std::uint32_t>(*replaced));
        CompareOptions perStep;
        perStep.perStep = true;
        const Table ofStep = compareTreeTable(Baseline{a}, Candidate{b}, {}, perStep);
        QCOMPARE(rowText(ofStep, rowWith(ofStep, "status", "replaced"), {"delta"}), q("-112000"));
        QCOMPARE(compareTreeTable(Baseline{a}, Candidate{a}, {}, {}).rowCount(), std::size_t{0}); // nothing differs
    }

    void rowsOfATreeAddUpToItsParents()
    {
        for (unsigned seed = 0; seed < 10; ++seed) {
            std::mt19937_64 random(seed);
            const Run a = runOf(randomRun(random));
            const Run b = runOf(randomRun(random));
            const Table table = compareTreeTable(Baseline{a}, Candidate{b}, {}, {});
            for (std::size_t row = 0; row < table.rowCount(); ++row) {
                QCOMPARE(table.findColumn("delta")->integer(row),
                         table.findColumn("candidate")->integer(row) - table.findColumn("baseline")->integer(row));
                if (table.findColumn("status")->text(row) != "replaced")
                    continue;
                std::int64_t sum = 0;
                for (std::size_t child = row + 1; child < table.rowCount(); ++child)
                    sum += table.parent(child) == row ? table.findColumn("delta")->integer(child) : 0;
                QCOMPARE(sum, table.findColumn("delta")->integer(row));
            }
        }
    }

    void namesOfATreeLeaveOutWhatChangesByItself()
    {
        QCOMPARE(comparedName("train.py(12): step"), std::string("train.py: step"));
        QCOMPARE(comparedName("<built-in method mm of Tensor at 0x7fab12>"),
                 std::string("<built-in method mm of Tensor at 0x>"));
        QCOMPARE(comparedName("hipLaunchKernel"), comparedName("cudaLaunchKernel"));
        QCOMPARE(comparedName("f(.py(x)"), std::string("f(.py(x)"));
    }

    void runsWithNothingInCommonAreSaidToBeSo()
    {
        const Run a = runOf(TraceMaker().op("a", 0, 10));
        const Run b = runOf(TraceMaker().op("b", 0, 10));
        const Table table = compared(a, b, CompareBy::Operators);
        QCOMPARE(columnText(table, "status"), q("baseline candidate"));
        QCOMPARE(compared(a, b, CompareBy::Kernels).rowCount(), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TstCompare)
#include "tst_compare.moc"
