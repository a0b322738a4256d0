// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/first_view.h"
#include "tests/support/row_trace.h"
#include "tests/support/trace_maker.h"

#include <QTest>

using namespace ks;

class TstFirstView : public QObject
{
    Q_OBJECT
private slots:
    void opensOnTheFirstStepWithDeviceWork();
    void opensOnTheFirstStepWithoutDevices();
    void opensOnTheBusiestStretchWithoutSteps();
    void showsEverythingIfItIsBusyEverywhere();
    void outliersDoNotCount();
    void anEmptyTraceHasARangeToo();
    void scrollsToDevicesAndMainThread();
};

void TstFirstView::opensOnTheFirstStepWithDeviceWork()
{
    const auto trace = TraceMaker()
                           .step(1, 0, 1000)
                           .step(2, 1000, 1000)
                           .launch("cudaLaunchKernel", 1100, 10, 1)
                           .kernel("k", 1200, 100, 7, 1)
                           .step(3, 2000, 1000)
                           .build();
    const TimeRange range = firstRange(*trace, ViewIndex(*trace));
    QVERIFY(range.contains(TimeRange{1'000'000, 2'000'000}));
    QVERIFY(range.duration() < 1'100'000);
}

void TstFirstView::opensOnTheFirstStepWithoutDevices()
{
    const auto trace = TraceMaker().op("x", 0, 1).step(1, 500, 1000).step(2, 1500, 1000).build();
    const TimeRange range = firstRange(*trace, ViewIndex(*trace));
    QVERIFY(range.contains(TimeRange{500'000, 1'500'000}));
    QVERIFY(range.duration() < 1'100'000);
}

void TstFirstView::opensOnTheBusiestStretchWithoutSteps()
{
    TraceMaker maker;
    maker.op("begin", 0, 1);
    for (int i = 0; i < 500; ++i)
        maker.op("work", 700'000 + i * 100, 80);
    maker.op("end", 1'000'000, 1);
    const auto trace = maker.build();
    const TimeRange range = firstRange(*trace, ViewIndex(*trace));
    QVERIFY(range.contains(TimeRange{705'000'000, 745'000'000}));
    QVERIFY(range.duration() < 80'000'000);
}

void TstFirstView::showsEverythingIfItIsBusyEverywhere()
{
    TraceMaker maker;
    for (int i = 0; i < 500; ++i)
        maker.op("work", i * 100, 80);
    const auto trace = maker.build();
    QVERIFY(firstRange(*trace, ViewIndex(*trace)).contains(trace->range()));
}

void TstFirstView::outliersDoNotCount()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    rows.event("outlier", EventKind::Operator, 0, 10);
    const TimeNs day = 86'400'000'000'000;
    for (int i = 0; i < 100; ++i)
        rows.event("work", EventKind::Operator, day + i * 1000, 900);
    // As the importer would tell; set after the events, which move the range.
    const auto trace = rows.build();
    TimeRange range = firstRange(*trace, ViewIndex(*trace));
    QVERIFY(range.contains(day + 50'000));
    QVERIFY(range.duration() < trace->range().duration());
}

void TstFirstView::anEmptyTraceHasARangeToo()
{
    const auto trace = RowTrace().build();
    QVERIFY(!firstRange(*trace, ViewIndex(*trace)).isEmpty());
    const LaneLayout layout(*trace, std::make_shared<const ViewIndex>(*trace), {});
    QCOMPARE(firstScroll(*trace, layout, 500), 0);
}

void TstFirstView::scrollsToDevicesAndMainThread()
{
    RowTrace rows;
    rows.process("1");
    rows.lane(LaneKind::Cpu, LaneRole::MainThread, "1");
    for (int r = 0; r < 50; ++r) {
        rows.row();
        rows.event("x", EventKind::Operator, r, 1000);
    }
    rows.process("0").lane(LaneKind::Gpu, LaneRole::ComputeStream, "7").row();
    rows.event("k", EventKind::Kernel, 0, 1000);
    const auto trace = rows.build();
    const LaneLayout layout(*trace, std::make_shared<const ViewIndex>(*trace), {});
    QCOMPARE(firstScroll(*trace, layout, layout.height()), 0);
    const int scroll = firstScroll(*trace, layout, 300);
    const Block &stream = layout.blocks().back();
    QVERIFY(stream.y >= scroll && stream.y + stream.height <= scroll + 300);
}

QTEST_APPLESS_MAIN(TstFirstView)
#include "tst_first_view.moc"
