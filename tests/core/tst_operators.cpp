// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter.h"
#include "core/analysis/operators.h"
#include "core/analysis/torch_nesting.h"
#include "tests/support/random_run.h"
#include "tests/support/table_text.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <array>
#include <map>
#include <set>

using namespace ks;

namespace {

using Traces = std::vector<RankTrace>;

Table tableOf(const TraceMaker &maker, const Scope &scope = {}, const OperatorOptions &options = {})
{
    return operatorTable(Traces{{maker.build(), 0}}, scope, options);
}

QString cells(const Table &table, std::string_view name, std::initializer_list<std::string_view> columns)
{
    return rowText(table, rowWith(table, "name", name), columns);
}

const std::initializer_list<std::string_view> kCpu = {"kind", "calls", "cpu_total_ns", "cpu_self_ns", "cpu_mean_ns"};
const std::initializer_list<std::string_view> kDevice = {"device_total_ns", "device_self_ns", "device_total_union_ns",
                                                         "device_self_union_ns"};
const std::initializer_list<std::string_view> kMemory = {"cpu_memory_bytes", "cpu_memory_self_bytes",
                                                         "device_memory_bytes", "device_memory_self_bytes"};

// linear > mm > launches on two streams; a second mm of its own.
TraceMaker twoStreams()
{
    TraceMaker maker;
    maker.step(3, 0, 100)
        .op("aten::linear", 10, 50)
        .op("aten::mm", 20, 30)
        .launch("cudaLaunchKernel", 22, 4, 1)
        .launch("cudaLaunchKernel", 30, 4, 2)
        .op("aten::mm", 70, 10)
        .launch("cudaLaunchKernel", 72, 4, 3)
        .kernel("gemm", 40, 20, 7, 1)
        .kernel("reduce", 50, 20, 8, 2)
        .kernel("gemm", 90, 5, 7, 3);
    return maker;
}

} // namespace

class TstOperators : public QObject
{
    Q_OBJECT
private slots:
    void countsCallsTotalsAndSelfTimes()
    {
        const Table table = tableOf(twoStreams());
        QCOMPARE(cells(table, "aten::linear", kCpu), q("operator 1 50000 20000 50000"));
        QCOMPARE(cells(table, "aten::mm", kCpu), q("operator 2 40000 28000 20000"));
        QCOMPARE(cells(table, "cudaLaunchKernel", kCpu), q("launch 3 12000 12000 4000"));
        QCOMPARE(cells(table, "ProfilerStep*", kCpu), q("annotation 1 100000 40000 100000"));
        QCOMPARE(columnText(table, "name"), q("ProfilerStep* aten::mm aten::linear cudaLaunchKernel"));
    }

    void givesDeviceWorkToTheOperatorAroundItsLaunchAndToAllAboveIt()
    {
        const Table table = tableOf(twoStreams());
        QCOMPARE(cells(table, "aten::mm", kDevice), q("45000 45000 35000 35000"));
        QCOMPARE(cells(table, "aten::linear", kDevice), q("40000 0 30000 0"));
        QCOMPARE(cells(table, "ProfilerStep*", kDevice), q("45000 0 35000 0"));
        QCOMPARE(cells(table, "cudaLaunchKernel", kDevice), q("0 0 0 0"));
    }

    void givesWorkWithoutAnOperatorToTheInnermostAnnotation()
    {
        const Table table = tableOf(TraceMaker()
                                        .step(1, 0, 100)
                                        .annotation("forward", 10, 50)
                                        .launch("cudaLaunchKernel", 20, 4, 1)
                                        .kernel("gemm", 40, 20, 7, 1));
        QCOMPARE(cells(table, "forward", kDevice), q("20000 20000 20000 20000"));
        QCOMPARE(cells(table, "ProfilerStep*", kDevice), q("20000 0 20000 0"));
    }

    void keepsOperatorsAndAnnotationsOfOneNameApart()
    {
        const Table table = tableOf(TraceMaker().op("same", 0, 10).annotation("same", 20, 30));
        QCOMPARE(table.rowCount(), std::size_t{2});
        QCOMPARE(rowText(table, rowWith(table, "kind", "operator"), {"cpu_total_ns"}), q("10000"));
        QCOMPARE(rowText(table, rowWith(table, "kind", "annotation"), {"cpu_total_ns"}), q("30000"));
    }

    void countsMemoryOfEveryThreadWithBothEndsInclusive()
    {
        TraceMaker maker;
        maker.op("outer", 0, 100).op("inner", 20, 30);
        maker.memory(20, 64, 1).memory(50, -16, 2).memory(60, 1000, 3, -1, 0);
        maker.thread(200).op("elsewhere", 40, 20).memory(45, 8, 4);
        const Table table = tableOf(maker);
        QCOMPARE(cells(table, "inner", kMemory), q("56 56 0 0"));
        QCOMPARE(cells(table, "outer", kMemory), q("56 0 1000 1000"));
        QCOMPARE(cells(table, "elsewhere", kMemory), q("-8 -8 1000 1000"));
        QVERIFY(!rowWith(table, "name", "[memory]"));
    }

    void makesARowOfMemoryOutsideEveryCall()
    {
        const Table table = tableOf(
            TraceMaker().op("a", 10, 10).memory(5, 32, 1).memory(20, 4, 2).memory(21, -8, 3).outOfMemory(30, 99));
        QCOMPARE(
            cells(table, "[memory]", {"kind", "calls", "cpu_total_ns", "cpu_memory_bytes", "cpu_memory_self_bytes"}),
            q("memory 2 0 24 24"));
        QCOMPARE(cells(table, "a", {"cpu_memory_bytes"}), q("4"));
    }

    void saysNothingAboutMemoryThatWasNotRecorded()
    {
        QCOMPARE(cells(tableOf(TraceMaker().op("a", 0, 10)), "a", kMemory), q("null null null null"));
    }

    void countsFlopsOfSevenOperators_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("args");
        QTest::addColumn<QString>("flops");
        const auto row = [](const char *name, const char *args, const char *flops) {
            QTest::newRow(args) << name << args << flops;
        };
        row("aten::mm", R"("Input Dims":[[2,3],[3,5]])", "60");
        row("aten::addmm", R"("Input Dims":[[5],[2,3],[3,5],[],[]])", "60");
        row("aten::bmm", R"("Input Dims":[[4,2,3],[4,3,5]])", "240");
        row("aten::baddbmm", R"("Input Dims":[[4,2,5],[4,2,3],[4,3,5]])", "240");
        row("aten::add", R"("Input Dims":[[7,3],[3],[]])", "21");
        row("aten::mul", R"("Input Dims":[[],[3]],"Input type":["float","float"])", "1");
        row("aten::mul", R"("Input Dims":[[],[3]],"Input type":["Scalar","float"])", "0");
        row("aten::conv2d",
            R"("Input Dims":[[2,6,9,8],[4,3,3,3],[4],[],[],[],[]],"Concrete Inputs":["","","","[2, 1]","[1, 0]","[1, 1]","2"])",
            "12960");                                                          // 2·2·(5·6)·3·3·6·4/2
        row("aten::conv2d", R"("Input Dims":[[2,6,9,8],[4,3,3,3],[4]])", "0"); // stride not told
        row("aten::linear", R"("Input Dims":[[2,3],[5,3]])", "0");
        row("aten::mm", R"("Input Dims":[[4000000000,4000000000],[4000000000,4000000000]])", "0"); // does not fit
    }
    void countsFlopsOfSevenOperators()
    {
        QFETCH(QString, name);
        QFETCH(QString, args);
        const Table table = tableOf(TraceMaker().op(name.toStdString(), 0, 10, args.toStdString()));
        QTEST(cells(table, name.toStdString(), {"flops"}), "flops");
    }

    void tellsRowsApartByShape()
    {
        TraceMaker maker;
        maker.op("aten::mm", 0, 10, R"("Input Dims":[[2, 3], [3, 5]])")
            .op("aten::mm", 20, 10, R"("Input Dims":[[2,3],[3,5]])");
        maker.op("aten::mm", 40, 10, R"("Input Dims":[[2,4],[4,5]])").op("aten::mm", 60, 10);
        OperatorOptions options;
        options.byShape = true;
        const Table table = tableOf(maker, {}, options);
        QCOMPARE(table.rowCount(), std::size_t{3});
        QCOMPARE(rowText(table, rowWith(table, "input_shapes", "[[2,3],[3,5]]"), {"calls"}), q("2"));
        QCOMPARE(rowText(table, rowWith(table, "input_shapes", "[]"), {"calls"}), q("1"));
    }

    void tellsRowsApartByTheInnermostFrames()
    {
        TraceMaker maker;
        maker.op("a", 0, 10,
                 R"("Call stack":"f.py(1): f;torch/autograd/__init__.py(9): backward;g.py(2): g;h.py(3): h;")");
        maker.op("a", 20, 10, R"("Call stack":"f.py(1): f;g.py(2): g;x.py(4): x")");
        OperatorOptions options;
        options.frames = 2;
        const Table two = tableOf(maker, {}, options);
        QCOMPARE(cells(two, "a", {"stack", "calls"}), q(R"(["f.py(1): f","g.py(2): g"] 2)"));
        options.frames = 3;
        QCOMPARE(tableOf(maker, {}, options).rowCount(), std::size_t{2});
    }

    void givesBackwardCallsTheStackOfTheirForwardCall()
    {
        TraceMaker maker;
        maker.op("aten::mm", 0, 10, R"("Sequence number":7,"Fwd thread id":0,"Call stack":"model.py(3): forward")");
        maker.thread(200)
            .op("autograd::engine::evaluate_function: MmBackward0", 50, 40,
                R"("Sequence number":7,"Fwd thread id":1,"Call stack":"own.py(1): x")")
            .op("MmBackward0", 55, 30, R"("Sequence number":7,"Fwd thread id":1)")
            .op("aten::t", 60, 5, R"("Call stack":"own.py(1): x")")
            .op("torch::autograd::AccumulateGrad", 95, 3, R"("Call stack":"own.py(1): x")");
        OperatorOptions options;
        options.frames = 1;
        const Table table = tableOf(maker, {}, options);
        QCOMPARE(cells(table, "MmBackward0", {"stack"}), q(R"(["model.py(3): forward"])"));
        QCOMPARE(cells(table, "aten::t", {"stack"}), q(R"(["model.py(3): forward"])"));
        QCOMPARE(cells(table, "autograd::engine::evaluate_function: MmBackward0", {"stack"}), q(R"(["own.py(1): x"])"));
        QCOMPARE(cells(table, "torch::autograd::AccumulateGrad", {"stack"}), q("[]"));
    }

    void selectsAStepByWhatStartsInIt()
    {
        TraceMaker maker;
        maker.step(1, 0, 50).op("a", 40, 30).launch("cudaLaunchKernel", 55, 3, 1).step(2, 100, 50).op("a", 110, 20);
        maker.launch("cudaLaunchKernel", 115, 3, 2).kernel("k", 105, 5, 7, 1).kernel("k", 200, 8, 7, 2);
        Scope scope;
        scope.steps = Scope::StepRange{2, 2};
        const Table table = tableOf(maker, scope);
        QCOMPARE(cells(table, "a", {"calls", "cpu_total_ns", "cpu_self_ns", "device_total_ns"}),
                 q("1 20000 17000 8000"));
        QCOMPARE(cells(table, "ProfilerStep*", {"calls"}), q("1"));
    }

    void cutsTimesToARangeAndCountsWhatStartsInside()
    {
        Scope scope;
        scope.from = Scope::TimeBound{20'000, true};
        scope.to = Scope::TimeBound{60'000, true};
        TraceMaker maker;
        maker.op("a", 0, 30).op("b", 25, 4).op("a", 50, 30).op("c", 80, 5);
        const Table table = tableOf(maker, scope);
        QCOMPARE(cells(table, "a", {"calls", "cpu_total_ns", "cpu_self_ns"}), q("1 20000 16000"));
        QCOMPARE(columnText(table, "name"), q("a b"));
    }

    void keepsRowsThatLaunchedOnTheSelectedDevice()
    {
        TraceMaker maker;
        maker.op("a", 0, 10).launch("cudaLaunchKernel", 1, 2, 1).op("b", 20, 10).launch("cudaLaunchKernel", 21, 2, 2);
        maker.kernel("k", 40, 5, 7, 1, 0).kernel("k", 40, 6, 7, 2, 1);
        Scope scope;
        scope.devices = {1};
        const Table table = tableOf(maker, scope);
        QCOMPARE(columnText(table, "name"), q("b"));
        QCOMPARE(cells(table, "b", {"cpu_total_ns", "device_self_ns"}), q("10000 6000"));
    }

    void selectsLanesByName()
    {
        TraceMaker maker;
        maker.op("a", 0, 10).launch("cudaLaunchKernel", 1, 2, 1).kernel("k", 40, 5, 7, 1).thread(4711).op("b", 0, 10);
        Scope scope;
        scope.lanes = {"100"};
        const Table table = tableOf(maker, scope);
        QCOMPARE(cells(table, "a", {"device_self_ns"}), q("5000"));
        QVERIFY(!rowWith(table, "name", "b"));
    }

    void countsOnlyTheWorkAFilterOnWorkMatches()
    {
        const Traces traces{{twoStreams().build(), 0}};
        Scope scope;
        scope.events = matchingEvents(Filter::parse("name:reduce"), traces);
        const Table table = operatorTable(traces, scope);
        QCOMPARE(cells(table, "aten::mm", {"calls", "device_self_ns"}), q("2 20000"));
        QVERIFY(!rowWith(table, "name", "cudaLaunchKernel"));
    }

    void keepsOnlyTheCallsAFilterOnCallsMatches()
    {
        const Traces traces{{twoStreams().build(), 0}};
        Scope scope;
        scope.events = matchingEvents(Filter::parse("mm dur < 20us"), traces);
        const Table table = operatorTable(traces, scope);
        QCOMPARE(columnText(table, "name"), q("aten::mm"));
        QCOMPARE(cells(table, "aten::mm", {"calls", "cpu_self_ns", "device_self_ns"}), q("1 6000 5000"));
    }

    void givesBackwardWorkToWhatStandsAroundTheForwardCallToo()
    {
        TraceMaker maker;
        maker.annotation("step", 0, 300)
            .annotation("forward", 5, 50)
            .op("aten::mm", 10, 30, R"("Sequence number":3,"Fwd thread id":0)")
            .launch("cudaLaunchKernel", 15, 5, 1)
            .kernel("gemm", 20, 10, 7, 1)
            .op("autograd::engine::evaluate_function: MmBackward0", 100, 40, R"("Sequence number":3,"Fwd thread id":1)")
            .op("MmBackward0", 101, 38, R"("Sequence number":3,"Fwd thread id":1)")
            .launch("cudaLaunchKernel", 105, 5, 2)
            .kernel("gemm", 110, 20, 7, 2);
        const Table table = tableOf(maker);
        const auto both = [&](std::string_view name) {
            return cells(table, name, {"device_total_ns", "device_with_backward_ns"});
        };
        QCOMPARE(both("forward"), q("10000 30000"));
        QCOMPARE(both("aten::mm"), q("10000 30000"));
        QCOMPARE(both("step"), q("30000 30000")); // each piece once
        QCOMPARE(both("MmBackward0"), q("20000 20000"));
    }

    void agreesWithBruteForceOnTheDeviceTimesOfRandomRuns()
    {
        for (unsigned seed = 0; seed < 10; ++seed) {
            std::mt19937_64 random(seed);
            const auto trace = randomRun(random).build();
            const std::vector<TorchNesting::Call> calls(torchNesting(*trace).calls().begin(),
                                                        torchNesting(*trace).calls().end());
            const auto encloses = [&](const TorchNesting::Call &call, EventId launch) {
                return trace->kind(call.event) != EventKind::Launch && trace->lane(call.event) == trace->lane(launch)
                       && call.range.begin <= trace->begin(launch) && call.range.end >= trace->end(launch);
            };
            // Name and kind -> sum, self sum, union, self union
            std::map<std::pair<std::string, EventKind>, std::array<TimeNs, 4>> wanted;
            std::vector<std::vector<TimeRange>> total(calls.size()), self(calls.size());
            for (const EventId work : trace->links().ofWork.ids()) {
                const EventId launch = trace->launchLink(work).launch;
                if (launch == kNoEvent)
                    continue;
                std::size_t owner = calls.size();
                for (std::size_t i = 0; i < calls.size(); ++i) {
                    if (!encloses(calls[i], launch))
                        continue;
                    total[i].push_back(trace->range(work));
                    if (trace->kind(calls[i].event) == EventKind::Operator
                        && (owner == calls.size() || calls[i].range.duration() < calls[owner].range.duration()))
                        owner = i;
                }
                if (owner < calls.size())
                    self[owner].push_back(trace->range(work));
            }
            const auto lengths = [](const std::vector<TimeRange> &ranges) {
                std::pair<TimeNs, TimeNs> sumAndUnion;
                std::set<TimeNs> moments;
                for (const TimeRange range : ranges) {
                    sumAndUnion.first += range.duration();
                    moments.insert({range.begin, range.end});
                }
                for (auto at = moments.begin(); at != moments.end() && std::next(at) != moments.end(); ++at) {
                    if (std::any_of(ranges.begin(), ranges.end(), [&](TimeRange r) { return r.contains(*at); }))
                        sumAndUnion.second += *std::next(at) - *at;
                }
                return sumAndUnion;
            };
            for (std::size_t i = 0; i < calls.size(); ++i) {
                std::string name(trace->name(calls[i].event));
                if (name.starts_with(kStepPrefix))
                    name = kStepRow;
                auto &row = wanted[{name, trace->kind(calls[i].event)}];
                const auto [sum, united] = lengths(total[i]);
                const auto [selfSum, selfUnited] = lengths(self[i]);
                for (std::size_t k = 0; const TimeNs time : {sum, selfSum, united, selfUnited})
                    row[k++] += time;
            }
            const Table table = operatorTable(std::vector<RankTrace>{{trace, {}}}, {});
            std::size_t rows = 0;
            for (std::size_t row = 0; row < table.rowCount(); ++row) {
                const std::string name(table.findColumn("name")->text(row));
                for (const auto &[key, times] : wanted) {
                    if (key.first != name || eventKindId(key.second) != table.findColumn("kind")->text(row))
                        continue;
                    ++rows;
                    QCOMPARE(
                        rowText(table, row,
                                {"device_total_ns", "device_self_ns", "device_total_union_ns", "device_self_union_ns"}),
                        QStringLiteral("%1 %2 %3 %4").arg(times[0]).arg(times[1]).arg(times[2]).arg(times[3]));
                }
            }
            QCOMPARE(rows, wanted.size());
        }
    }

    void addsUpTheRowsOfRanks()
    {
        const Traces traces{{TraceMaker().op("a", 0, 10).build(), 0},
                            {TraceMaker().op("a", 5, 20).op("b", 50, 5).build(), 1}};
        QCOMPARE(cells(operatorTable(traces, {}), "a", {"calls", "cpu_total_ns"}), q("2 30000"));
        Scope second;
        second.ranks = {1};
        QCOMPARE(cells(operatorTable(traces, second), "a", {"calls", "cpu_total_ns"}), q("1 20000"));
    }
};

QTEST_APPLESS_MAIN(TstOperators)
#include "tst_operators.moc"
