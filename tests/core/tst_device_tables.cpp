// SPDX-License-Identifier: GPL-3.0-or-later
// The tables about device time against brute force: every nanosecond of random traces is asked what runs in it.
#include "core/analysis/breakdown.h"
#include "core/analysis/compare.h"
#include "core/analysis/idle.h"
#include "core/analysis/kernels.h"
#include "core/analysis/launches.h"
#include "core/analysis/step_table.h"
#include "tests/support/table_text.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <array>
#include <random>

using namespace ks;

namespace {

struct Work
{
    std::int64_t begin = 0; // ns
    std::int64_t duration = 0;
    std::int64_t stream = 0;
    std::int64_t launchBegin = 0;
    std::size_t workClass = 0; // 0 compute, 1 communication, 2 memory
};

double us(std::int64_t ns)
{
    return static_cast<double>(ns) / 1000;
}

// Launches are a microsecond long; work may overlap within and between streams.
std::vector<Work> randomWork(std::mt19937_64 &random)
{
    const auto upTo = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
    };
    std::vector<Work> all;
    const std::int64_t count = 1 + upTo(12);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t launch = 2000 * i;
        all.push_back({launch + upTo(6000) - 500, upTo(3000), 7 + upTo(2), launch, static_cast<std::size_t>(upTo(3))});
    }
    return all;
}

std::shared_ptr<const Trace> traceOf(const std::vector<Work> &all)
{
    TraceMaker maker;
    std::uint64_t correlation = 1;
    for (const Work &work : all) {
        maker.launch("cudaLaunchKernel", us(work.launchBegin), 1, correlation);
        if (work.workClass == 2)
            maker.memcpy("Memcpy HtoD", us(work.begin), us(work.duration), work.stream, correlation);
        else
            maker.kernel(work.workClass == 1 ? "ncclDevKernel" : "gemm", us(work.begin), us(work.duration), work.stream,
                         correlation);
        ++correlation;
    }
    return maker.build();
}

std::vector<RankTrace> ranks(const std::shared_ptr<const Trace> &trace)
{
    return {{trace, std::nullopt}};
}

std::int64_t numberIn(const Table &table, std::string_view column, std::size_t row = 0)
{
    return table.findColumn(column)->integer(row);
}

} // namespace

class TstDeviceTables : public QObject
{
    Q_OBJECT

private slots:
    void everyNanosecondOfTheWindowIsCountedOnce()
    {
        for (unsigned seed = 0; seed < 40; ++seed) {
            std::mt19937_64 random(seed);
            const std::vector<Work> all = randomWork(random);
            const Table table = breakdownTable(ranks(traceOf(all)), {});
            std::int64_t first = std::numeric_limits<std::int64_t>::max();
            std::int64_t last = std::numeric_limits<std::int64_t>::min();
            std::int64_t sum = 0;
            for (const Work &work : all) {
                first = std::min(first, work.begin);
                last = std::max(last, work.begin + work.duration);
                sum += work.duration;
            }
            std::array<std::int64_t, 3> of{};
            std::int64_t idle = 0, exposedCommunication = 0, exposedMemory = 0, overlap = 0;
            for (std::int64_t ns = first; ns < last; ++ns) {
                std::array<bool, 3> runs{};
                for (const Work &work : all)
                    runs[work.workClass] =
                        runs[work.workClass] || (work.begin <= ns && ns < work.begin + work.duration);
                for (std::size_t i = 0; i < 3; ++i)
                    of[i] += runs[i] ? 1 : 0;
                idle += !runs[0] && !runs[1] && !runs[2] ? 1 : 0;
                overlap += runs[0] && runs[1] ? 1 : 0;
                exposedCommunication += runs[1] && !runs[0] ? 1 : 0;
                exposedMemory += runs[2] && !runs[0] && !runs[1] ? 1 : 0;
            }
            const QByteArray where = "seed " + QByteArray::number(seed);
            const auto holds = [&](std::string_view column, std::int64_t wanted) {
                const bool same = numberIn(table, column) == wanted;
                if (!same)
                    qWarning("%s: %.*s is %lld, not %lld", where.constData(), static_cast<int>(column.size()),
                             column.data(), static_cast<long long>(numberIn(table, column)),
                             static_cast<long long>(wanted));
                return same;
            };
            QVERIFY(holds("window_ns", last - first));
            QVERIFY(holds("compute_ns", of[0]));
            QVERIFY(holds("communication_ns", of[1]));
            QVERIFY(holds("memory_ns", of[2]));
            QVERIFY(holds("idle_ns", idle));
            QVERIFY(holds("overlap_ns", overlap));
            QVERIFY(holds("exposed_communication_ns", exposedCommunication));
            QVERIFY(holds("exposed_memory_ns", exposedMemory));
            QVERIFY(holds("sum_ns", sum));
            QVERIFY(holds("events", static_cast<std::int64_t>(all.size())));
            QCOMPARE(of[0] + exposedCommunication + exposedMemory + idle, last - first);
        }
    }

    void aRangeCutsWhatLiesAcrossItsEnds()
    {
        const auto trace = TraceMaker().kernel("gemm", 0, 10, 7, 0).kernel("gemm", 20, 10, 7, 0).build();
        Scope scope;
        scope.from = Scope::TimeBound{5000, true};
        scope.to = Scope::TimeBound{22000, true};
        const Table table = breakdownTable(ranks(trace), scope);
        QCOMPARE(rowText(table, 0, {"window_ns", "busy_ns", "idle_ns", "events"}),
                 QStringLiteral("17000 7000 10000 2"));
        const Table kernels = kernelTable(ranks(trace), scope);
        QCOMPARE(rowText(kernels, 0, {"calls", "total_ns"}), QStringLiteral("1 7000"));
    }

    void gapsOfAStreamAddUpToItsIdleTime()
    {
        for (unsigned seed = 0; seed < 40; ++seed) {
            std::mt19937_64 random(seed);
            const std::vector<Work> all = randomWork(random);
            const auto trace = traceOf(all);
            const Table streams = idleTable(ranks(trace), {});
            const Table gaps = idleGapTable(ranks(trace), {});
            std::int64_t inGaps = 0;
            for (std::size_t row = 0; row < gaps.rowCount(); ++row)
                inGaps += numberIn(gaps, "dur_ns", row);
            std::int64_t idle = 0;
            for (std::size_t row = 0; row < streams.rowCount(); ++row) {
                const std::int64_t stream = numberIn(streams, "stream", row);
                std::int64_t wanted = 0;
                std::int64_t first = std::numeric_limits<std::int64_t>::max();
                std::int64_t last = std::numeric_limits<std::int64_t>::min();
                for (const Work &work : all) {
                    if (work.stream == stream) {
                        first = std::min(first, work.begin);
                        last = std::max(last, work.begin); // behind the last begin there is no next work
                    }
                }
                for (std::int64_t ns = first; ns < last; ++ns) {
                    bool busy = false;
                    for (const Work &work : all)
                        busy = busy || (work.stream == stream && work.begin <= ns && ns < work.begin + work.duration);
                    wanted += busy ? 0 : 1;
                }
                QCOMPARE(numberIn(streams, "idle_ns", row), wanted);
                QCOMPARE(numberIn(streams, "host_wait_ns", row) + numberIn(streams, "kernel_wait_ns", row)
                             + numberIn(streams, "other_ns", row),
                         wanted);
                idle += wanted;
            }
            QCOMPARE(inGaps, idle);
        }
    }

    void aGapWhoseNextCallCameLateIsTheHostsFault()
    {
        const auto trace = TraceMaker()
                               .launch("cudaLaunchKernel", 0, 1, 1)
                               .kernel("first", 5, 10, 7, 1)
                               .launch("cudaLaunchKernel", 40, 1, 2)
                               .kernel("late call", 50, 10, 7, 2)
                               .launch("cudaLaunchKernel", 42, 1, 3)
                               .kernel("usual delay", 65, 10, 7, 3)
                               .launch("cudaLaunchKernel", 44, 1, 4)
                               .kernel("waits for something", 200, 10, 7, 4)
                               .build();
        const Table table = idleTable(ranks(trace), {});
        QCOMPARE(rowText(table, 0, {"gaps", "host_wait_ns", "kernel_wait_ns", "other_ns"}),
                 QStringLiteral("3 35000 5000 125000"));
    }

    void theQueueIsNeverNegativeWithoutSkewAndEndsEmpty()
    {
        for (unsigned seed = 0; seed < 40; ++seed) {
            std::mt19937_64 random(seed);
            std::vector<Work> all = randomWork(random);
            for (Work &work : all)
                work.begin = std::max(work.begin, work.launchBegin);
            const auto trace = traceOf(all);
            const Scope everything;
            for (const std::int64_t stream : {7, 8}) {
                std::vector<DeviceWork> work = selectedWork(TraceScope(*trace, everything));
                std::erase_if(work, [&](const DeviceWork &entry) { return streamOf(*trace, entry).stream != stream; });
                const std::vector<QueuePoint> points = launchQueue(*trace, work);
                QCOMPARE(points.size(), work.size() * 2);
                for (const QueuePoint &point : points)
                    QVERIFY(point.length >= 0);
                QVERIFY(points.empty() || points.back().length == 0);
            }
        }
    }

    void latencyCountsFromTheBeginOfTheCallAndDelayFromItsEnd()
    {
        const auto trace = TraceMaker().launch("cudaLaunchKernel", 0, 10, 1).kernel("gemm", 200, 5, 7, 1).build();
        const Table table = launchTable(ranks(trace), {}, LaunchGrouping::Launch);
        QCOMPARE(
            rowText(table, 0,
                    {"pairs", "latency_total_ns", "delay_total_ns", "short_kernels", "slow_launches", "late_kernels"}),
            QStringLiteral("1 200000 190000 1 0 1"));
    }

    void workBelongsToTheStepThatLaunchedIt()
    {
        const auto trace = TraceMaker()
                               .step(1, 0, 100)
                               .launch("cudaLaunchKernel", 90, 2, 1)
                               .kernel("runs in the next step", 120, 30, 7, 1)
                               .step(2, 100, 100)
                               .launch("cudaLaunchKernel", 150, 2, 2)
                               .kernel("gemm", 160, 10, 7, 2)
                               .build();
        const Table table = stepTable(ranks(trace), {});
        QCOMPARE(rowText(table, 0, {"step", "device_work", "device_busy_ns"}), QStringLiteral("1 1 30000"));
        QCOMPARE(rowText(table, 1, {"step", "device_work", "device_busy_ns"}), QStringLiteral("2 1 10000"));
        Scope second;
        second.steps = Scope::StepRange{2, 2};
        QCOMPARE(rowText(breakdownTable(ranks(trace), second), 0, {"events", "busy_ns"}), QStringLiteral("1 10000"));
    }

    void anotherPatternMakesOtherSteps()
    {
        const auto trace =
            TraceMaker().annotation("step[3]", 0, 10).annotation("step[4]", 20, 10).annotation("other", 40, 10).build();
        QCOMPARE(stepsOf(*trace, "").size(), std::size_t{0});
        const std::vector<Step> steps = stepsOf(*trace, "^step\\[");
        QCOMPARE(steps.size(), std::size_t{2});
        QCOMPARE(steps[1].number, std::int64_t{4});
        QCOMPARE(stepsOf(*trace, "auto").size(), std::size_t{2});
    }

    void whatRepeatsInsideASingleStepIsNoStep()
    {
        TraceMaker maker;
        for (int i = 0; i < 3; ++i)
            maker.annotation("nccl:all_to_all", 100 + i * 100, 50);
        QCOMPARE(stepsOf(*TraceMaker(maker).build(), "auto").size(), std::size_t{0}); // collectives are none either
        maker.annotation("batch", 0, 40).annotation("batch", 500, 40);
        const auto batches = TraceMaker(maker).build();
        QCOMPARE(stepsOf(*batches, "auto").size(), std::size_t{2});
        QCOMPARE(batches->name(stepsOf(*batches, "auto").front().event), std::string_view("batch"));
        const auto one = maker.step(2, 0, 1000).build();
        const std::vector<Step> steps = stepsOf(*one, "auto");
        QCOMPARE(steps.size(), std::size_t{1});
        QCOMPARE(one->name(steps.front().event), std::string_view("ProfilerStep#2"));
    }

    void theSameRunTwiceHasNoDifference()
    {
        std::mt19937_64 random(5);
        const auto trace = traceOf(randomWork(random));
        const std::vector<RankTrace> run = ranks(trace);
        CompareOptions options;
        options.by = CompareBy::Kernels;
        const std::optional<Table> table = compareTable(Baseline{run}, Candidate{run}, {}, options);
        QVERIFY(table && table->rowCount() > 0);
        for (std::size_t row = 0; row < table->rowCount(); ++row)
            QCOMPARE(numberIn(*table, "delta", row), std::int64_t{0});
    }

    void aGateFailsBeyondItsLimitOnly()
    {
        const auto slow = TraceMaker().step(1, 0, 110).op("aten::mm", 5, 100).build();
        const auto fast = TraceMaker().step(1, 0, 100).op("aten::mm", 5, 90).build();
        const std::vector<RankTrace> a = ranks(fast);
        const std::vector<RankTrace> b = ranks(slow);
        const auto failed = [&](std::string_view expression, bool &result) {
            std::optional<Gate> gate = parseGate(expression);
            if (!gate || evaluateGate(*gate, Baseline{a}, Candidate{b}, {}, {}))
                return false;
            result = gate->failed;
            return true;
        };
        bool result = false;
        QVERIFY(failed("step_mean > 5%", result) && result);
        QVERIFY(failed("step_mean > 15%", result) && !result);
        QVERIFY(failed("step_mean > 9us", result) && result);
        QVERIFY(failed("operator:aten::mm > 10us", result) && !result);
        QVERIFY(!parseGate("nonsense"));
        std::optional<Gate> unknown = parseGate("nonsense > 5%");
        QVERIFY(unknown && evaluateGate(*unknown, Baseline{a}, Candidate{b}, {}, {}));
    }
};

QTEST_APPLESS_MAIN(TstDeviceTables)
#include "tst_device_tables.moc"
