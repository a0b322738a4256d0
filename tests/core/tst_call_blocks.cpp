// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/call_sums.h"
#include "core/analysis/operators.h"
#include "core/analysis/torch_nesting.h"
#include "tests/support/random_run.h"
#include "tests/support/table_text.h"

#include <QTest>

using namespace ks;

namespace {

// Rows in an order that ties do not change.
QStringList rowsOf(const std::shared_ptr<const Trace> &trace, TimeRange range, bool byBlocks)
{
    Scope scope;
    scope.parts.push_back({trace.get(), range, {}});
    OperatorOptions options;
    options.withFlops = byBlocks; // whoever leaves them out gets every call looked at
    const Table table = operatorTable(std::vector<RankTrace>{{trace, {}}}, scope, options);
    QStringList rows;
    for (std::size_t row = 0; row < table.rowCount(); ++row)
        rows << rowText(table, row,
                        {"name", "kind", "calls", "cpu_total_ns", "cpu_self_ns", "device_total_ns", "device_self_ns",
                         "device_total_union_ns", "device_self_union_ns", "cpu_memory_bytes", "cpu_memory_self_bytes",
                         "device_memory_bytes", "device_memory_self_bytes", "device_with_backward_ns"});
    rows.sort();
    return rows;
}

} // namespace

class TstCallBlocks : public QObject
{
    Q_OBJECT

private slots:
    void addUpToTheSameAsCallByCall()
    {
        for (unsigned seed = 0; seed < 4; ++seed) {
            std::mt19937_64 random(seed);
            RandomRun run;
            run.steps = 40;
            run.operatorsPerStep = 100;
            const std::shared_ptr<const Trace> trace = randomRun(random, run).build();
            QVERIFY(torchNesting(*trace).calls().size() > 3 * CallSums::kBlock);
            const TimeRange all = trace->range();
            std::uniform_int_distribution<TimeNs> moment(all.begin, all.end);
            QCOMPARE(rowsOf(trace, all, true), rowsOf(trace, all, false));
            for (int i = 0; i < 25; ++i) {
                TimeRange range{moment(random), moment(random)};
                if (range.begin > range.end)
                    std::swap(range.begin, range.end);
                if (i % 2 == 0) { // borders where something begins or ends
                    const auto calls = torchNesting(*trace).calls();
                    std::uniform_int_distribution<std::size_t> call(0, calls.size() - 1);
                    const TimeRange first = calls[call(random)].range;
                    const TimeRange second = calls[call(random)].range;
                    range = {std::min(first.begin, second.begin), std::max(first.end, second.end)};
                }
                QCOMPARE(rowsOf(trace, range, true), rowsOf(trace, range, false));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TstCallBlocks)
#include "tst_call_blocks.moc"
