// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory.h"
#include "core/analysis/memory_levels.h"
#include "core/trace/trace.h"
#include "tests/support/table_text.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

using namespace ks;

namespace {

std::vector<RankTrace> run(const TraceMaker &maker)
{
    return {{maker.build(), 0}};
}

// Device 0 begins at 4096 bytes; block 1 dies inside, block 2 stays, block 9 came before; then there is no more.
TraceMaker oneDevice()
{
    TraceMaker maker;
    maker.op("aten::empty", 0, 20).op("aten::mm", 30, 30);
    maker.memory(10, 1024, 1, 5120, 0, 8192).memory(35, 2048, 2, 7168, 0, 16384).memory(40, -1024, 1, 6144, 0, 16384);
    maker.memory(70, -512, 9, 5632, 0, 16384).outOfMemory(80, 99999, 0);
    return maker;
}

} // namespace

class TstMemoryAnalysis : public QObject
{
    Q_OBJECT
private slots:
    void tellsLevelsPeakAndBlocksOfADevice()
    {
        const Table table = memoryTable(run(oneDevice()), {});
        QCOMPARE(columnText(table, "device"), q("GPU 0"));
        QCOMPARE(rowText(table, 0, {"start_bytes", "peak_bytes", "peak_at_ns", "end_bytes", "reserved_peak_bytes"}),
                 q("4096 7168 35000 5632 16384"));
        QCOMPARE(
            rowText(table, 0,
                    {"allocations", "frees", "freed_inside", "freed_without_alloc", "still_alive", "out_of_memory"}),
            q("2 2 1 1 1 1"));
    }

    void putsTheCpuFirstAndNamesOtherDevices()
    {
        TraceMaker maker;
        maker.op("a", 0, 90).memory(10, 8, 1, 8, 1).memory(20, 8, 2, 8, 0).memory(30, 8, 3, 8);
        QCOMPARE(columnText(memoryTable(run(maker), {}), "device"), q("CPU GPU 0 GPU 1"));
        QCOMPARE(q(memoryDeviceName(12, 1)), q("XPU 1"));
        QCOMPARE(q(memoryDeviceName(6, 0)), q("GPU 0"));
        QCOMPARE(q(memoryDeviceName(77, 3)), q("TYPE 77 3"));
    }

    // In a file the records of a thread stand together.
    void theLogIsByTimeThenByEventIndexThenAsInTheFile()
    {
        std::mt19937_64 random(5);
        for (int round = 0; round < 200; ++round) {
            TraceMaker maker;
            maker.op("a", 0, 1000);
            using Written = std::tuple<TimeNs, std::int64_t, std::int64_t>; // time, `Ev Idx`, size
            std::vector<Written> written;
            for (std::uint64_t threads = random() % 5; threads != 0; --threads) {
                TimeNs time = 0;
                for (std::uint64_t left = random() % 12; left != 0; --left) {
                    time += static_cast<TimeNs>(random() % 3);
                    const auto order = static_cast<std::int64_t>(random() % 3);
                    const auto size = static_cast<std::int64_t>(written.size() + 1);
                    written.emplace_back(time * 1000, order, size);
                    maker.raw("{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"s\":\"t\",\"name\":\"[memory]\",\"pid\":1,"
                              "\"tid\":"
                              + std::to_string(threads) + ",\"ts\":" + std::to_string(time) + ",\"args\":{\"Bytes\":"
                              + std::to_string(size) + ",\"Ev Idx\":" + std::to_string(order) + "}}");
                }
            }
            std::stable_sort(written.begin(), written.end(), [](const Written &a, const Written &b) {
                return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
            });
            const auto trace = maker.build();
            QCOMPARE(trace->memory().size(), written.size());
            for (std::size_t i = 0; i < written.size(); ++i) {
                QCOMPARE(trace->memory()[i].bytes, std::get<2>(written[i]));
                QCOMPARE(static_cast<std::int64_t>(trace->fileTime(trace->memory()[i].time)), std::get<0>(written[i]));
            }
        }
    }

    void addsUpWhereNoTotalIsTold()
    {
        TraceMaker maker;
        maker.op("a", 0, 90).memory(10, 100, 0).memory(20, 50, 0).memory(30, -120, 0);
        const Table table = memoryTable(run(maker), {});
        QCOMPARE(rowText(table, 0, {"start_bytes", "peak_bytes", "end_bytes", "reserved_peak_bytes"}),
                 q("0 150 30 null"));
        // No addresses, no pairs.
        QCOMPARE(rowText(table, 0, {"allocations", "frees", "freed_inside", "still_alive"}), q("2 1 null null"));
    }

    void pairsTheLastAllocationOfAnAddressFirst()
    {
        TraceMaker maker;
        maker.op("a", 0, 90).memory(10, 100, 5).memory(20, 300, 5).memory(30, -300, 5);
        const Table live = memoryLive(run(maker), {}, Scope::TimeBound{50'000, true});
        QCOMPARE(columnText(live, "bytes"), q("100"));
    }

    void pairsAddressesMadeToCollideAsQuicklyAsOthers()
    {
        // Multiples of the number of buckets all fall into one, if a number is its own hash: some 10^10 comparisons.
        constexpr std::uint64_t kBlocks = 340'000;
        std::unordered_map<std::uint64_t, std::uint32_t> plain;
        for (std::uint64_t i = 0; i < kBlocks; ++i)
            plain[i] = 1;
        std::vector<MemoryRecord> records(2 * kBlocks);
        std::vector<MemoryLevel> levels(records.size());
        for (std::uint64_t i = 0; i < records.size(); ++i) {
            records[i].bytes = i < kBlocks ? 64 : -64;
            records[i].address = (i % kBlocks + 1) * plain.bucket_count();
            levels[i].record = &records[i];
        }
        const MemoryBlocks blocks = pairBlocks(levels, false);
        QCOMPARE(blocks.freed, kBlocks);
        QCOMPARE(blocks.unknownFrees, std::uint64_t{0});
        QVERIFY(blocks.alive.empty());
        QCOMPARE(pairBlocks(std::span(levels).first(kBlocks), false).alive.size(), std::size_t{kBlocks});
    }

    void drawsACurveByTime()
    {
        const Table table = memoryCurve(run(oneDevice()), {});
        QCOMPARE(columnText(table, "ts_ns"), q("10000 35000 40000 70000 80000"));
        QCOMPARE(columnText(table, "allocated_bytes"), q("5120 7168 6144 5632 5632"));
        QCOMPARE(columnText(table, "reserved_bytes"), q("8192 16384 16384 16384 null"));
    }

    void showsWhatIsAliveAtThePeakAndThen()
    {
        const auto traces = run(oneDevice());
        const Table peak = memoryLive(traces, {}, {});
        QCOMPARE(columnText(peak, "address"), q("2 1")); // largest first
        QCOMPARE(columnText(peak, "allocated_at_ns"), q("35000 10000"));
        QCOMPARE(columnText(peak, "operator"), q("1 0"));
        const Table later = memoryLive(traces, {}, Scope::TimeBound{40'000, true});
        QCOMPARE(columnText(later, "address"), q("2"));
        QCOMPARE(memoryLive(traces, {}, Scope::TimeBound{5'000, true}).rowCount(), std::size_t{0});
    }

    void countsMemoryForTheInnermostOperatorOfTheThreadAndThoseAround()
    {
        TraceMaker maker;
        maker.op("aten::zeros", 0, 50).annotation("inner", 5, 40).op("aten::empty", 10, 10).op("aten::empty", 60, 5);
        maker.memory(15, 64, 1).memory(30, -16, 2).memory(20, 8, 3).memory(99, 7, 4);
        maker.thread(200).memory(15, 1000, 5);
        const Table table = memoryByOperator(run(maker), {});
        const auto cells = [&](std::optional<std::size_t> row) {
            return rowText(table, row,
                           {"device", "calls", "size_bytes", "size_self_bytes", "allocations", "allocations_self",
                            "allocated_bytes", "allocated_self_bytes"});
        };
        QCOMPARE(cells(rowWith(table, "operator", "aten::empty")), q("CPU 2 72 72 2 2 72 72")); // the end belongs to it
        QCOMPARE(cells(rowWith(table, "operator", "aten::zeros")), q("CPU 1 56 -16 2 0 72 0"));
        QCOMPARE(rowText(table, 0, {"operator", "calls", "size_self_bytes"}), q("null null 1007"));
        QVERIFY(!rowWith(table, "operator", "inner"));
    }

    void countsMergedCallsOnce()
    {
        TraceMaker maker;
        maker.op("aten::to", 0, 50).op("aten::to", 5, 40).memory(15, 64, 1);
        const Table table = memoryByOperator(run(maker), {});
        QCOMPARE(rowText(table, 0, {"operator", "calls", "size_bytes", "size_self_bytes"}), q("aten::to 1 64 64"));
    }

    void keepsTheLevelBeforeASelection()
    {
        Scope late;
        late.from = Scope::TimeBound{38'000, true};
        late.to = Scope::TimeBound{75'000, true};
        const Table table = memoryTable(run(oneDevice()), late);
        QCOMPARE(rowText(table, 0, {"start_bytes", "peak_bytes", "end_bytes", "frees", "freed_without_alloc"}),
                 q("7168 6144 5632 2 2"));
        Scope thread;
        thread.lanes = {"100"};
        thread.devices = {0};
        QCOMPARE(rowText(memoryTable(run(oneDevice()), thread), 0, {"allocations"}), q("2"));
        thread.lanes = {"stream"};
        QCOMPARE(memoryTable(run(oneDevice()), thread).rowCount(), std::size_t{0});
        Scope other;
        other.devices = {3};
        QCOMPARE(memoryTable(run(oneDevice()), other).rowCount(), std::size_t{0});
    }

    void tellsRanksApart()
    {
        const std::vector<RankTrace> traces{{oneDevice().build(), 0}, {oneDevice().build(), 1}};
        QCOMPARE(columnText(memoryTable(traces, {}), "rank"), q("0 1"));
        QVERIFY(!memoryTable(run(oneDevice()), {}).findColumn("rank"));
    }
};

QTEST_APPLESS_MAIN(TstMemoryAnalysis)
#include "tst_memory_analysis.moc"
