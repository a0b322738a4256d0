// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"
#include "tests/support/trace_maker.h"

#include <QTest>

using namespace ks;

namespace {

// Of the lane on which the event of this name stands.
LaneRole roleOf(const Trace &trace, std::string_view name)
{
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.name(static_cast<EventId>(i)) == name)
            return trace.lane(trace.lane(static_cast<EventId>(i))).role;
    }
    return LaneRole::Scaffolding;
}

void addLaunches(TraceMaker &maker, int count, double from)
{
    for (int i = 0; i < count; ++i)
        maker.launch("cudaLaunchKernel", from + i * 10, 5, 0);
}

} // namespace

class TstLaneRoles : public QObject
{
    Q_OBJECT
private slots:
    void theMainThreadRunsTheSteps()
    {
        TraceMaker maker;
        maker.thread(1, "worker").op("busy", 0, 1000);
        addLaunches(maker, 9, 0);
        maker.thread(2, "trainer").step(1, 0, 900).op("calm", 10, 100);
        const auto trace = maker.build();
        QCOMPARE(roleOf(*trace, "calm"), LaneRole::MainThread);
        QCOMPARE(roleOf(*trace, "busy"), LaneRole::Thread);
    }

    void withoutStepsItLaunchesMost()
    {
        TraceMaker maker;
        maker.thread(1, "one").op("few", 0, 1000);
        addLaunches(maker, 2, 0);
        maker.thread(2, "two").op("many", 0, 1000);
        addLaunches(maker, 5, 0);
        const auto trace = maker.build();
        QCOMPARE(roleOf(*trace, "many"), LaneRole::MainThread);
        QCOMPARE(roleOf(*trace, "few"), LaneRole::Thread);
    }

    void aThreadNamedForAutogradIsNotMainThoughItLaunchesMost()
    {
        TraceMaker maker;
        maker.thread(1, "python3").op("forward", 0, 1000);
        addLaunches(maker, 3, 0);
        maker.thread(2, "pt_autograd_0").op("backward", 1000, 1000);
        addLaunches(maker, 20, 1000);
        const auto trace = maker.build();
        QCOMPARE(roleOf(*trace, "forward"), LaneRole::MainThread);
        QCOMPARE(roleOf(*trace, "backward"), LaneRole::AutogradThread);
    }

    void neitherIsAThreadToWhichTheArrowsLead()
    {
        TraceMaker maker;
        maker.thread(1).op("mm", 0, 10).op("add", 20, 10);
        addLaunches(maker, 3, 0);
        maker.thread(2).op("MmBackward", 100, 10).op("AddBackward", 120, 10);
        addLaunches(maker, 20, 100);
        maker.flow("fwdbwd", 1, 0, 1, 100, 2).flow("fwdbwd", 2, 20, 1, 120, 2);
        const auto trace = maker.build();
        QCOMPARE(roleOf(*trace, "mm"), LaneRole::MainThread);
        QCOMPARE(roleOf(*trace, "MmBackward"), LaneRole::AutogradThread);
    }

    void withoutNamesAndArrowsTheEngineTellsIt()
    {
        TraceMaker maker;
        maker.thread(1).op("forward", 0, 1000);
        addLaunches(maker, 3, 0);
        maker.thread(2);
        for (int i = 0; i < 10; ++i)
            maker.op("autograd::engine::evaluate_function: MmBackward0", 1000 + i * 20, 15).op("mm", 1001 + i * 20, 5);
        addLaunches(maker, 20, 1001);
        const auto trace = maker.build();
        QCOMPARE(roleOf(*trace, "forward"), LaneRole::MainThread);
        QCOMPARE(roleOf(*trace, "mm"), LaneRole::AutogradThread);
    }

    void whoeverRunsForwardAndBackwardIsMain()
    {
        TraceMaker maker;
        maker.thread(1).op("forward", 0, 100);
        maker.op("autograd::engine::evaluate_function: MmBackward0", 200, 15);
        maker.thread(2).op("other", 0, 10);
        const auto trace = maker.build();
        QCOMPARE(roleOf(*trace, "forward"), LaneRole::MainThread);
    }

    void aloneItIsMainWhateverItIsNamed()
    {
        const auto trace = TraceMaker().thread(2, "pt_autograd_0").op("backward", 0, 10).build();
        QCOMPARE(roleOf(*trace, "backward"), LaneRole::MainThread);
    }
};

QTEST_APPLESS_MAIN(TstLaneRoles)
#include "tst_lane_roles.moc"
