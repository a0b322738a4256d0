// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"
#include "tests/support/qt_text.h"
#include "tests/support/trace_check.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <string>

using namespace ks;

namespace {

EventId nth(const Trace &trace, std::uint32_t fileIndex)
{
    return trace.eventAtFileIndex(fileIndex);
}

std::uint64_t notes(const Trace &trace, DiagnosticKind kind)
{
    const auto note = std::find_if(trace.diagnostics().begin(), trace.diagnostics().end(),
                                   [&](const Diagnostic &n) { return n.kind == kind; });
    return note == trace.diagnostics().end() ? 0 : note->count;
}

} // namespace

class TstLaunchLinks : public QObject
{
    Q_OBJECT
private slots:
    void aKernelKnowsItsLaunchAndTheInnermostOperatorAroundIt()
    {
        const auto trace = TraceMaker()
                               .op("aten::linear", 0, 100)
                               .op("aten::addmm", 10, 50)
                               .launch("cudaLaunchKernel", 20, 5, 7)
                               .op("aten::t", 70, 10)
                               .kernel("gemm", 40, 20, 7, 7)
                               .build();
        const LaunchLink link = trace->launchLink(nth(*trace, 4));
        QVERIFY(link.launch == nth(*trace, 2));
        QVERIFY(link.op == nth(*trace, 1));
        QVERIFY(link.via == LinkVia::Correlation);
        QVERIFY(trace->workOfLaunch(link.launch).size() == 1 && trace->workOfLaunch(link.launch)[0] == nth(*trace, 4));
        QVERIFY((trace->links().launches == LargeArray<EventId>{nth(*trace, 2)}));
        QCOMPARE(trace->links().correlation.value(nth(*trace, 4), 0), std::uint64_t{7});
    }

    void aGraphLaunchOwnsAllItsKernelsInOrderOfTime()
    {
        TraceMaker maker;
        maker.op("replay", 0, 50).launch("cudaGraphLaunch", 5, 10, 9);
        for (int i = 0; i < 20; ++i)
            maker.kernel("k" + std::to_string(i), 200 - i * 5, 3, 7 + i % 3, 9);
        const auto trace = maker.build();
        const auto work = trace->workOfLaunch(nth(*trace, 1));
        QCOMPARE(work.size(), std::size_t{20});
        for (std::size_t i = 1; i < work.size(); ++i)
            QVERIFY(trace->begin(work[i - 1]) <= trace->begin(work[i]));
    }

    void anOperatorThatOnlyTouchesTheCallIsNotIt()
    {
        const auto trace =
            TraceMaker().op("crossing", 0, 22).launch("cudaLaunchKernel", 20, 5, 7).kernel("k", 40, 5, 7, 7).build();
        QVERIFY(trace->launchLink(nth(*trace, 2)).launch == nth(*trace, 1));
        QVERIFY(trace->launchLink(nth(*trace, 2)).op == kNoEvent);
    }

    void annotationsAndFramesAreNoOperators()
    {
        const auto trace = TraceMaker()
                               .op("aten::mm", 0, 100)
                               .annotation("mine", 10, 60)
                               .python("f", 12, 50)
                               .launch("cudaLaunchKernel", 20, 5, 7)
                               .kernel("k", 40, 5, 7, 7)
                               .build();
        QVERIFY(trace->launchLink(nth(*trace, 4)).op == nth(*trace, 0));
    }

    void withoutItsLaunchAKernelMayNameItsOperator()
    {
        const auto trace = TraceMaker()
                               .op("aten::mm", 0, 30, "\"External id\":12")
                               .op("aten::add", 40, 30, "\"External id\":13")
                               .kernel("gemm", 100, 5, 7, 55, 0, "\"External id\":12")
                               .kernel("lost", 200, 5, 7, 56, 0, "\"External id\":99")
                               .build();
        const LaunchLink link = trace->launchLink(nth(*trace, 2));
        QVERIFY(link.launch == kNoEvent && link.op == nth(*trace, 0) && link.via == LinkVia::ExternalId);
        QVERIFY(trace->links().workOfOperator.of(nth(*trace, 0)).size() == 1);
        const LaunchLink lost = trace->launchLink(nth(*trace, 3));
        QVERIFY(lost.op == kNoEvent && lost.via == LinkVia::None);
        QCOMPARE(notes(*trace, DiagnosticKind::OrphanKernel), std::uint64_t{1});
    }

    void anIdThatOnlyRepeatsTheCorrelationNamesNoOperator()
    {
        // What torch 1.12 to 2.3 wrote: the number also belongs to some operator, which has nothing to do with the kernel.
        TraceMaker maker;
        maker.op("aten::innocent", 0, 5, "\"External id\":100");
        for (int i = 0; i < 200; ++i)
            maker.kernel("k", 10 + i * 3, 2, 7, 100 + static_cast<std::uint64_t>(i), 0,
                         "\"External id\":" + std::to_string(100 + i));
        maker.kernel("another", 1000, 2, 7, 5000, 0, "\"External id\":100");
        const auto trace = maker.build();
        for (std::uint32_t i = 1; i < 202; ++i)
            QVERIFY(trace->launchLink(nth(*trace, i)).op == kNoEvent);
    }

    void aCallWithoutNumberLaunchesNothing()
    {
        const auto trace = TraceMaker()
                               .op("a", 0, 50)
                               .slice("cuda_runtime", "cudaLaunchKernel", 5, 5, 100, 100, "\"correlation\":0")
                               .kernel("k", 20, 5, 7, 0, 0, "\"correlation\":0")
                               .build();
        QVERIFY(trace->launchLink(nth(*trace, 2)).launch == kNoEvent);
        QCOMPARE(trace->links().correlation.size(), std::size_t{0});
    }

    void ofNestedCallsTheOutermostLaunched()
    {
        const auto trace = TraceMaker()
                               .op("a", 0, 50)
                               .slice("cuda_driver", "cuLaunchKernel", 12, 3, 100, 100, "\"correlation\":5")
                               .launch("cudaLaunchKernel", 10, 10, 5)
                               .kernel("k", 40, 5, 7, 5)
                               .build();
        QVERIFY(trace->launchLink(nth(*trace, 3)).launch == nth(*trace, 2));
    }

    void ofAnIdUsedAgainTheLastCallBeforeCounts_data()
    {
        QTest::addColumn<int>("calls");
        QTest::newRow("three times") << 3;
        QTest::newRow("a thousand times") << 1000;
    }
    void ofAnIdUsedAgainTheLastCallBeforeCounts()
    {
        QFETCH(const int, calls);
        TraceMaker maker;
        for (int i = 0; i < calls; ++i)
            maker.launch("cudaLaunchKernel", i * 10, 4, 5)
                .slice("cuda_driver", "inner", i * 10 + 1, 2, 100, 100, "\"correlation\":5");
        for (int i = 0; i < calls; ++i)
            maker.kernel("k", i * 10 + 6, 2, 7, 5);
        const auto trace = maker.build();
        for (int i = 0; i < calls; ++i) {
            const EventId kernel = nth(*trace, static_cast<std::uint32_t>(2 * calls + i));
            QVERIFY(trace->launchLink(kernel).launch == nth(*trace, static_cast<std::uint32_t>(2 * i)));
        }
        QVERIFY(traceFault(*trace).empty());
    }

    void clocksThatDisagreeAreTold()
    {
        const auto trace =
            TraceMaker().op("a", 0, 50).launch("cudaLaunchKernel", 10, 10, 5).kernel("k", 8, 5, 7, 5).build();
        QVERIFY(trace->launchLink(nth(*trace, 2)).launch == nth(*trace, 1));
        QCOMPARE(notes(*trace, DiagnosticKind::ClockSkew), std::uint64_t{1});
    }

    void numbersBeyond53BitsStayApart()
    {
        const std::uint64_t big = 9'007'199'254'740'993; // 2^53 + 1: as a double it is its neighbour
        const auto trace = TraceMaker()
                               .launch("a", 0, 5, big)
                               .launch("b", 10, 5, big - 1)
                               .kernel("ka", 20, 5, 7, big)
                               .kernel("kb", 30, 5, 7, big - 1)
                               .build();
        QVERIFY(trace->launchLink(nth(*trace, 2)).launch == nth(*trace, 0));
        QVERIFY(trace->launchLink(nth(*trace, 3)).launch == nth(*trace, 1));
        QCOMPARE(trace->links().correlation.value(nth(*trace, 2), 0), big);
    }

    void projectionsAndWaitsAreNoWork()
    {
        const auto trace = TraceMaker()
                               .launch("a", 0, 5, 3)
                               .gpuAnnotation("step", 10, 50, 7)
                               .slice("cuda_sync", "Stream Sync", 20, 5, 0, 7, "\"correlation\":3")
                               .build();
        QVERIFY(trace->links().ofWork.isEmpty());
    }
};

QTEST_APPLESS_MAIN(TstLaunchLinks)
#include "tst_launch_links.moc"
