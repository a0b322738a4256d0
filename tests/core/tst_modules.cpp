// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter.h"
#include "core/analysis/modules.h"
#include "tests/support/table_text.h"
#include "tests/support/trace_maker.h"

#include <QTest>

using namespace ks;

namespace {

using Traces = std::vector<RankTrace>;

// Net calls Linear twice and an operator of its own.
TraceMaker net()
{
    TraceMaker maker;
    maker.python("train.py(3): main", 0, 200, 1)
        .python("nn.Module: Net_0", 10, 150, 2, 1)
        .python("net.py(7): forward", 11, 140, 3, 2)
        .op("aten::relu", 12, 10)
        .launch("cudaLaunchKernel", 14, 3, 1)
        .python("nn.Module: Linear_0", 30, 40, 4, 3)
        .op("aten::linear", 35, 20)
        .op("aten::mm", 36, 15)
        .launch("cudaLaunchKernel", 38, 5, 2)
        .python("nn.Module: Linear_0", 80, 30, 5, 3)
        .op("aten::linear", 85, 20)
        .launch("cudaLaunchKernel", 120, 4, 3)
        .kernel("relu", 50, 6, 7, 1)
        .kernel("gemm", 60, 20, 7, 2)
        .memcpy("Memcpy", 150, 9, 7, 3);
    return maker;
}

const std::initializer_list<std::string_view> kCells = {
    "depth", "calls", "operators", "host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns"};

} // namespace

class TstModules : public QObject
{
    Q_OBJECT
private slots:
    void addsUpHostAndDeviceTimesOfEachPath()
    {
        const Table table = moduleTable(Traces{{net().build(), 0}}, {});
        QCOMPARE(columnText(table, "path"), q(R"(["Net_0"] ["Net_0","Linear_0"])"));
        // 150 − relu 10 − Linear 40 and 30 − launch 4
        QCOMPARE(rowText(table, 0, kCells), q("0 1 1 150000 66000 35000 15000"));
        QCOMPARE(rowText(table, 1, kCells), q("1 2 2 70000 30000 20000 20000"));
        QCOMPARE(rowText(table, 1, {"name"}), q("Linear_0"));
        QCOMPARE(table.parent(1), std::uint32_t{0});
    }

    void followsTheCallerAndOnlyWithoutItTheGeometry()
    {
        TraceMaker maker;
        maker.python("nn.Module: A_0", 0, 100, 1)
            .python("nn.Module: B_0", 10, 50, 2, 1)
            .python("nn.Module: C_0", 20, 20, 3, 1);
        QCOMPARE(columnText(moduleTable(Traces{{maker.build(), 0}}, {}), "path"),
                 q(R"(["A_0"] ["A_0","B_0"] ["A_0","C_0"])"));
        TraceMaker untold;
        untold.python("nn.Module: A_0", 0, 100).python("nn.Module: B_0", 10, 50).python("nn.Module: C_0", 20, 20);
        QCOMPARE(columnText(moduleTable(Traces{{untold.build(), 0}}, {}), "path"),
                 q(R"(["A_0"] ["A_0","B_0"] ["A_0","B_0","C_0"])"));
    }

    void survivesCallersInACircle()
    {
        TraceMaker maker;
        maker.python("nn.Module: A_0", 0, 100, 1, 2).python("nn.Module: B_0", 10, 50, 2, 1);
        QCOMPARE(moduleTable(Traces{{maker.build(), 0}}, {}).rowCount(), std::size_t{2});
    }

    void ordersChildrenByFirstCall()
    {
        TraceMaker maker;
        maker.python("nn.Module: A_0", 0, 100, 1)
            .python("nn.Module: Z_0", 10, 5, 2, 1)
            .python("nn.Module: B_0", 30, 5, 3, 1);
        maker.python("nn.Module: Z_0", 50, 5, 4, 1);
        QCOMPARE(columnText(moduleTable(Traces{{maker.build(), 0}}, {}), "name"), q("A_0 Z_0 B_0"));
    }

    void hasNoRowsWithoutModules()
    {
        QCOMPARE(moduleTable(Traces{{TraceMaker().op("aten::mm", 0, 10).build(), 0}}, {}).rowCount(), std::size_t{0});
    }

    void keepsTheModulesAboveASelectedOne()
    {
        Scope scope;
        scope.from = Scope::TimeBound{75'000, true};
        scope.to = Scope::TimeBound{115'000, true};
        const Table table = moduleTable(Traces{{net().build(), 0}}, scope);
        QCOMPARE(rowText(table, 0, {"name", "calls", "host_total_ns"}), q("Net_0 0 40000"));
        QCOMPARE(rowText(table, 1, {"name", "calls", "operators", "host_total_ns", "host_self_ns"}),
                 q("Linear_0 1 1 30000 10000"));
    }

    void keepsTheModulesThatLaunchedWhatAFilterMatches()
    {
        const Traces traces{{net().build(), 0}};
        Scope scope;
        scope.events = matchingEvents(Filter::parse("kind:memcpy"), traces);
        const Table table = moduleTable(traces, scope);
        QCOMPARE(columnText(table, "name"), q("Net_0"));
        QCOMPARE(rowText(table, 0, {"calls", "device_total_ns", "device_self_ns"}), q("1 9000 9000"));
    }
};

QTEST_APPLESS_MAIN(TstModules)
#include "tst_modules.moc"
