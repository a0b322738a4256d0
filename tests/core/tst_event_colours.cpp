// SPDX-License-Identifier: GPL-3.0-or-later
// Colours that need links: module, phase, step, launch delay, occupancy; and what a device works for.
#include "core/view/event_colours.h"
#include "core/view/view_index.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <set>

using namespace ks;

namespace {

EventId named(const Trace &trace, std::string_view name, int nth = 0)
{
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.name(static_cast<EventId>(i)) == name && nth-- == 0)
            return static_cast<EventId>(i);
    }
    return kNoEvent;
}

std::shared_ptr<const Trace> trainingTrace()
{
    return TraceMaker()
        .step(1, 0, 100)
        .python("nn.Module: Linear_0", 5, 40)
        .op("aten::linear", 10, 30)
        .launch("cudaLaunchKernel", 15, 5, 7)
        .annotation("Optimizer.step#AdamW.step", 60, 30)
        .launch("cudaLaunchKernel", 65, 5, 8)
        .step(2, 100, 100)
        .python("nn.Module: Conv_1", 105, 40)
        .op("aten::conv2d", 110, 30)
        .launch("cudaLaunchKernel", 115, 5, 9)
        .op("autograd::engine::evaluate_function: ConvBackward0", 150, 40)
        .launch("cudaLaunchKernel", 155, 5, 10)
        .kernel("gemm", 25, 10, 7, 7, 0, R"("est. achieved occupancy %":0)")
        .kernel("adam", 80, 10, 7, 8, 0, R"("est. achieved occupancy %":50)")
        .kernel("conv", 130, 10, 7, 9, 0, R"("est. achieved occupancy %":100)")
        .kernel("dgrad", 25000, 10, 7, 10)
        .kernel("orphan", 26000, 10, 7, 0)
        .build();
}

} // namespace

class TstEventColours : public QObject
{
    Q_OBJECT
private slots:
    void deviceWorkHasTheModuleOfItsLaunch();
    void phasesAreToldByNames();
    void neighbouringStepsDiffer();
    void delaysAreARamp();
    void occupancyIsARamp();
    void simpleModesNeedNoColumn();
    void aDeviceWorksForStepsModulesAndOperators();
    void theQueueGrowsWithLaunchesAndShrinksWithWork();
};

void TstEventColours::deviceWorkHasTheModuleOfItsLaunch()
{
    const auto trace = trainingTrace();
    const EventColours colours = eventColours(*trace, ColourMode::Module);
    const auto of = [&](std::string_view name) { return colours.of(*trace, named(*trace, name)); };
    QCOMPARE(of("aten::linear"), of("nn.Module: Linear_0"));
    QCOMPARE(of("gemm"), of("nn.Module: Linear_0"));
    QCOMPARE(of("conv"), of("nn.Module: Conv_1"));
    QCOMPARE(of("adam"), plainKey());
    QCOMPARE(of("orphan"), plainKey());
    QCOMPARE(of("ProfilerStep#1"), plainKey());
}

void TstEventColours::phasesAreToldByNames()
{
    const auto trace = trainingTrace();
    const EventColours colours = eventColours(*trace, ColourMode::Phase);
    const auto of = [&](std::string_view name) { return colours.of(*trace, named(*trace, name)); };
    QCOMPARE(of("gemm"), phaseKey(Phase::Forward));
    QCOMPARE(of("adam"), phaseKey(Phase::Optimizer));
    QCOMPARE(of("dgrad"), phaseKey(Phase::Backward));
    QCOMPARE(of("orphan"), plainKey());
}

void TstEventColours::neighbouringStepsDiffer()
{
    const auto trace = trainingTrace();
    const EventColours colours = eventColours(*trace, ColourMode::Step);
    const auto of = [&](std::string_view name) { return colours.of(*trace, named(*trace, name)); };
    QCOMPARE(of("gemm"), of("ProfilerStep#1"));
    QCOMPARE(of("conv"), of("ProfilerStep#2"));
    QVERIFY(of("conv") != of("gemm"));
    QCOMPARE(of("dgrad"), of("ProfilerStep#2")); // by its launch, not by when it ran
    QCOMPARE(of("orphan"), plainKey());
}

void TstEventColours::delaysAreARamp()
{
    const auto trace = trainingTrace();
    const EventColours colours = eventColours(*trace, ColourMode::Delay);
    const auto of = [&](std::string_view name) { return colours.of(*trace, named(*trace, name)); };
    QCOMPARE(of("gemm"), rampKey(2));               // 5 us
    QCOMPARE(of("dgrad"), rampKey(kRampSteps - 1)); // 25 ms
    QCOMPARE(of("orphan"), plainKey());
    QCOMPARE(colours.of(*trace, trace->launchLink(named(*trace, "dgrad")).launch), rampKey(kRampSteps - 1));
    QCOMPARE(of("aten::linear"), plainKey());
}

void TstEventColours::occupancyIsARamp()
{
    const auto trace = trainingTrace();
    const EventColours colours = eventColours(*trace, ColourMode::Occupancy);
    const auto of = [&](std::string_view name) { return colours.of(*trace, named(*trace, name)); };
    QCOMPARE(of("gemm"), rampKey(0));
    QCOMPARE(of("adam"), rampKey(kRampSteps / 2));
    QCOMPARE(of("conv"), rampKey(kRampSteps - 1));
    QCOMPARE(of("dgrad"), plainKey()); // not told
}

void TstEventColours::simpleModesNeedNoColumn()
{
    const auto trace = trainingTrace();
    for (const ColourMode mode : {ColourMode::Family, ColourMode::Name, ColourMode::Category}) {
        QVERIFY(!needsColumn(mode));
        const EventColours colours = eventColours(*trace, mode);
        for (std::size_t i = 0; i < trace->eventCount(); ++i)
            QCOMPARE(colours.of(*trace, static_cast<EventId>(i)), keyOf(*trace, static_cast<EventId>(i), mode));
    }
}

void TstEventColours::aDeviceWorksForStepsModulesAndOperators()
{
    const auto trace = trainingTrace();
    const ViewIndex viewIndex(*trace);
    const LaneGroup *device = nullptr;
    for (const LaneGroup &group : viewIndex.groups()) {
        if (group.isDevice)
            device = &group;
        else
            QVERIFY(group.causes.empty());
    }
    QVERIFY(device);
    QCOMPARE(device->causes.size(), std::size_t{4});
    const auto names = [&](std::size_t level) {
        std::vector<std::string> found;
        TimeNs end = kMinTime;
        for (const ProjectedRange &range : device->causes[level].ranges) {
            if (range.range.begin < end)
                return std::vector<std::string>{"they overlap"};
            end = range.range.end;
            found.emplace_back(trace->name(range.cause));
        }
        return found;
    };
    using Names = std::vector<std::string>;
    QCOMPARE(names(0), (Names{"ProfilerStep#1", "ProfilerStep#2"}));
    QCOMPARE(names(1), (Names{"Optimizer.step#AdamW.step"}));
    QCOMPARE(names(2), (Names{"nn.Module: Linear_0", "nn.Module: Conv_1"}));
    QCOMPARE(names(3), (Names{"aten::linear", "aten::conv2d", "autograd::engine::evaluate_function: ConvBackward0"}));
    // A stretch runs over all neighbouring work of its cause.
    QCOMPARE(device->causes[0].ranges[0].range,
             trace->range(named(*trace, "gemm")).united(trace->range(named(*trace, "adam"))));
}

void TstEventColours::theQueueGrowsWithLaunchesAndShrinksWithWork()
{
    const auto trace = trainingTrace();
    const ViewIndex viewIndex(*trace);
    const auto &lanes = viewIndex.curveLanes();
    const auto queue =
        std::find_if(lanes.begin(), lanes.end(), [](const CurveLane &l) { return l.name == "launch queue"; });
    QVERIFY(queue != lanes.end());
    const Curve &curve = queue->curves.front();
    // By definition: launched at or before t, not begun at t.
    for (TimeNs t = 0; t < 30'000'000; t += 1'777) {
        double expected = 0;
        for (const EventId work : trace->links().ofWork.ids()) {
            const EventId launch = trace->launchLink(work).launch;
            if (launch != kNoEvent && trace->begin(launch) <= t && trace->begin(work) > t)
                ++expected;
        }
        const double *value = curve.valueAt(t);
        QCOMPARE(value ? *value : 0, expected);
    }
}

QTEST_APPLESS_MAIN(TstEventColours)
#include "tst_event_colours.moc"
