// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/import.h"
#include "core/index/extent.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace ks;

namespace {

constexpr TimeNs kSecond = 1'000'000'000;

std::string stepsOf(const Trace &trace)
{
    std::string text;
    for (const Step &step : trace.steps())
        text += std::to_string(step.number) + "@" + std::to_string(step.range.begin / 1000) + " ";
    return text;
}

std::string mainOf(std::vector<LaneOrder::Island> islands)
{
    const MainRange main = findMainRange(std::move(islands));
    return std::to_string(main.range.begin / kSecond) + ".." + std::to_string(main.range.end / kSecond) + " without " + std::to_string(main.outliers);
}

} // namespace

class TstStepsAndExtent : public QObject
{
    Q_OBJECT
private slots:
    void stepsAreNamedRangesOnTheHost()
    {
        const auto trace = TraceMaker().step(7, 100, 50).step(5, 0, 50).step(6, 50, 50).gpuAnnotation("ProfilerStep#5", 10, 90, 7).python("ProfilerStep#9", 0, 5)
                               .op("ProfilerStep#8", 150, 5).op("ProfilerStep#", 160, 1).op("ProfilerStep#-1", 161, 1).op("ProfilerStep#1x", 162, 1)
                               .op("my ProfilerStep#3", 163, 1).op("ProfilerStep#99999999999999999999", 164, 1).build();
        QCOMPARE(q(stepsOf(*trace)), QStringLiteral("5@0 6@50 7@100 8@150 "));
    }

    void timesAreRelativeToTheFirstEvent()
    {
        const auto trace = TraceMaker().op("a", 1'795'990'004'658.5, 10).instant("i", 1'795'990'004'600).build();
        QCOMPARE(trace->range().begin, TimeNs{0});
        QCOMPARE(trace->range().end, TimeNs{68'500});
        QCOMPARE(static_cast<std::int64_t>(trace->fileTime(0)), std::int64_t{1'795'990'004'600'000});
        QCOMPARE(trace->begin(EventId{0}), TimeNs{58'500});
        QCOMPARE(trace->traceTime(trace->fileTime(123)), TimeNs{123});
    }

    void metadataRowsAndCountersDoNotStretchTheTrace()
    {
        const auto trace = TraceMaker().process(5, "python", "CPU").thread(5, "main").op("a", 1000, 10).counter("c", 0, "\"x\":1").build(); // M rows stand at 0
        QCOMPARE(trace->range().end, TimeNs{10'000});
        const auto onlyCounters = TraceMaker().counter("c", 5, "\"x\":1").counter("c", 9, "\"x\":2").build();
        QCOMPARE(onlyCounters->range().end, TimeNs{4000});
        QCOMPARE(importText("[]")->range().end, TimeNs{0});
    }

    void farPiecesAreOutliers()
    {
        QCOMPARE(q(mainOf({{0, kSecond, 5}})), QStringLiteral("0..1 without 0"));
        QCOMPARE(q(mainOf({{0, 0, 1}, {1000 * kSecond, 1005 * kSecond, 90}})), QStringLiteral("1000..1005 without 1"));
        QCOMPARE(q(mainOf({{1000 * kSecond, 1005 * kSecond, 90}, {0, 0, 1}})), QStringLiteral("1000..1005 without 1")); // in any order
        QCOMPARE(q(mainOf({{0, 0, 1}, {59 * kSecond, 60 * kSecond, 90}})), QStringLiteral("0..60 without 0")); // less than a minute
        QCOMPARE(q(mainOf({{0, 100 * kSecond, 5}, {500 * kSecond, 600 * kSecond, 5}})), QStringLiteral("0..600 without 0")); // a long trace with a pause
        QCOMPARE(q(mainOf({{0, kSecond, 5}, {1000 * kSecond, 1001 * kSecond, 4}, {9000 * kSecond, 9001 * kSecond, 3}})), QStringLiteral("0..1 without 7"));
        QCOMPARE(q(mainOf({{kMinTime, kMinTime, 1}, {0, kSecond, 5}, {kMaxTime, kMaxTime, 1}})), QStringLiteral("0..1 without 2"));
    }

    void anOutlierIsToldAndLeftOutOfTheMainRange()
    {
        const auto trace = TraceMaker().op("zero", 0, 1).op("a", 1e9, 100).op("b", 1e9 + 200, 100).instant("late", 9e9).build();
        QCOMPARE(trace->mainRange().begin, TimeNs{1'000 * kSecond});
        QCOMPARE(trace->mainRange().end, TimeNs{1'000 * kSecond + 300'000});
        const auto note = std::find_if(trace->diagnostics().begin(), trace->diagnostics().end(), [](const Diagnostic &n) { return n.kind == DiagnosticKind::OutlierTime; });
        QVERIFY(note != trace->diagnostics().end());
        QCOMPARE(note->count, std::uint64_t{2});
    }
};

QTEST_APPLESS_MAIN(TstStepsAndExtent)
#include "tst_steps_and_extent.moc"
