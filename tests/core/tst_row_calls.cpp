// SPDX-License-Identifier: GPL-3.0-or-later
// The calls behind rows against the tables, histograms and strips against counting one by one.
#include "core/analysis/analysis.h"
#include "core/analysis/duration_histogram.h"
#include "core/analysis/filter.h"
#include "core/analysis/row_calls.h"
#include "core/view/duration_strip.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_run.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace ks;

namespace {

TimeNs sumOf(const std::vector<RowCall> &calls)
{
    TimeNs sum = 0;
    for (const RowCall &call : calls)
        sum += call.duration;
    return sum;
}

std::optional<EventKind> kindOf(std::string_view id)
{
    for (const EventKind kind : {EventKind::Operator, EventKind::Annotation, EventKind::Launch, EventKind::Kernel,
                                 EventKind::Memcpy, EventKind::Memset}) {
        if (eventKindId(kind) == id)
            return kind;
    }
    return {};
}

Scope randomScope(std::mt19937_64 &random, const std::vector<RankTrace> &traces)
{
    Scope scope;
    const Trace &trace = *traces[0].trace;
    const TimeRange whole = trace.range();
    const auto at = static_cast<TimeNs>(random() % static_cast<std::uint64_t>(whole.duration()));
    switch (random() % 4) {
    case 0: break;
    case 1: scope.parts = {{&trace, TimeRange{at, at + whole.duration() / 4}, {}}}; break;
    case 2: scope.steps = Scope::StepRange{6, 6}; break;
    default: scope.events = matchingEvents(Filter::parse("aten or gemm"), traces);
    }
    return scope;
}

std::vector<TimeNs> randomDurations(std::mt19937_64 &random)
{
    std::vector<TimeNs> durations(1 + random() % 200);
    const auto most = static_cast<std::uint64_t>(std::pow(10.0, static_cast<double>(random() % 15))) + 1;
    for (TimeNs &duration : durations)
        duration = static_cast<TimeNs>(random() % most) + (random() % 2 != 0 ? 1 : 0);
    return durations;
}

} // namespace

class TstRowCalls : public QObject
{
    Q_OBJECT
private slots:
    void theCallsOfARowAddUpToItsNumbers()
    {
        std::mt19937_64 random(1);
        int rowsSeen = 0;
        for (int i = 0; i < 40; ++i) {
            const std::vector<RankTrace> traces = {{randomRun(random).build(), {}}};
            const Scope scope = randomScope(random, traces);
            for (const std::string_view id : {"operators", "kernels"}) {
                const Analysis &analysis = *findAnalysis(id);
                const AnalysisOptions options(analysis);
                const Table table = analysis.run({traces, scope, options});
                const bool isKernels = id == "kernels";
                const Column &totals = *table.findColumn(isKernels ? "total_ns" : "cpu_total_ns");
                for (std::size_t row = 0; row < table.rowCount(); ++row) {
                    const std::string_view kind = table.findColumn("kind")->text(row);
                    if (kind == "memory")
                        continue;
                    const RowCallsOf of{internName(table.findColumn("name")->text(row)), kindOf(kind)};
                    QVERIFY(of.kind);
                    const std::vector<RowCall> calls =
                        isKernels ? kernelCalls(traces, scope, of) : operatorCalls(traces, scope, of);
                    QCOMPARE(sumOf(calls), totals.integer(row));
                    QVERIFY(static_cast<std::int64_t>(calls.size()) >= table.findColumn("calls")->integer(row));
                    QVERIFY(std::is_sorted(calls.begin(), calls.end(),
                                           [](const RowCall &a, const RowCall &b) { return a.begin < b.begin; }));
                    ++rowsSeen;
                }
                if (isKernels) {
                    TimeNs all = 0;
                    for (std::size_t row = 0; row < table.rowCount(); ++row)
                        all += totals.integer(row);
                    QCOMPARE(sumOf(kernelCalls(traces, scope)), all);
                }
            }
        }
        QVERIFY(rowsSeen > 200);
    }

    void everyDurationIsInTheBinThatHoldsIt()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 500; ++i) {
            const std::vector<TimeNs> durations = randomDurations(random);
            const std::size_t most = 1 + random() % 60;
            const DurationHistogram histogram = durationHistogram(durations, most);
            QCOMPARE(histogram.edges.size(), histogram.counts.size() + 1);
            QVERIFY(std::is_sorted(histogram.edges.begin(), histogram.edges.end(), std::less_equal<>())
                    || histogram.edges.size() == 2);
            QVERIFY(histogram.counts.front() != 0 && histogram.counts.back() != 0); // no empty margin
            const TimeNs longest = *std::max_element(durations.begin(), durations.end());
            QVERIFY(histogram.counts.size() <= std::max<std::size_t>(most, std::to_string(longest).size() + 1));
            for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
                const auto inside = std::count_if(durations.begin(), durations.end(), [&](TimeNs duration) {
                    return duration >= histogram.edges[bin] && duration < histogram.edges[bin + 1];
                });
                QCOMPARE(histogram.counts[bin], static_cast<std::uint64_t>(inside));
            }
        }
    }

    void binsHaveOneRatio()
    {
        std::vector<TimeNs> durations;
        for (TimeNs duration = 10'000; duration < 10'000'000; duration += 10'000)
            durations.push_back(duration);
        const DurationHistogram histogram = durationHistogram(durations, 40);
        QVERIFY(histogram.counts.size() > 20);
        const double ratio = static_cast<double>(histogram.edges[1]) / static_cast<double>(histogram.edges[0]);
        for (std::size_t i = 1; i < histogram.edges.size(); ++i) {
            const double own = static_cast<double>(histogram.edges[i]) / static_cast<double>(histogram.edges[i - 1]);
            QVERIFY(std::abs(own / ratio - 1) < 1e-3);
        }
    }

    void extremeDurationsHaveBins()
    {
        const std::vector<TimeNs> durations = {0, 1, kMaxTime, kMaxTime - 1, -5};
        const DurationHistogram histogram = durationHistogram(durations, 10);
        std::uint64_t sum = 0;
        for (const std::uint64_t count : histogram.counts)
            sum += count;
        QCOMPARE(sum, std::uint64_t{5});
        QCOMPARE(histogram.counts.front(), std::uint64_t{2});
        QVERIFY(durationHistogram({}, 10).counts.empty());
        QCOMPARE(durationHistogram(std::vector<TimeNs>(9, 84'500), 40).counts, std::vector<std::uint64_t>{9});
    }

    void columnsOfAStripHoldWhatBeginsInThem()
    {
        std::mt19937_64 random(3);
        for (int i = 0; i < 300; ++i) {
            std::vector<TimeNs> begins(random() % 200);
            for (TimeNs &begin : begins)
                begin = static_cast<TimeNs>(random() % 5000);
            std::sort(begins.begin(), begins.end());
            std::vector<TimeNs> durations;
            for (std::size_t k = 0; k < begins.size(); ++k)
                durations.push_back(static_cast<TimeNs>(random() % 1000));
            const auto from = static_cast<TimeNs>(random() % 3000);
            const TimeRange range{from, from + 1 + static_cast<TimeNs>(random() % 4000)};
            const std::size_t width = 1 + random() % 90;
            const Curve calls({}, begins, {durations.begin(), durations.end()});
            const std::vector<StripColumn> columns = stripColumns(calls, range, width);
            QCOMPARE(columns.size(), width);
            for (std::size_t c = 0; c < width; ++c) {
                std::vector<TimeNs> expected;
                for (std::size_t k = 0; k < begins.size(); ++k) {
                    const auto column = static_cast<std::size_t>(
                        static_cast<double>(begins[k] - range.begin)
                        * (static_cast<double>(width) / static_cast<double>(range.duration())));
                    if (range.contains(begins[k]) && std::min(column, width - 1) == c)
                        expected.push_back(durations[k]);
                }
                QCOMPARE(columns[c].end - columns[c].first, expected.size());
                if (expected.empty())
                    continue;
                QCOMPARE(columns[c].least, static_cast<double>(*std::min_element(expected.begin(), expected.end())));
                QCOMPARE(columns[c].most, static_cast<double>(*std::max_element(expected.begin(), expected.end())));
            }
        }
    }

    void theNearestCallIsFound()
    {
        const Curve calls({}, {0, 0, 5, 9}, {10, 50, 30, 90});
        const std::vector<double> &durations = calls.values();
        const std::vector<StripColumn> columns = stripColumns(calls, {0, 10}, 10);
        const auto height = [](double duration) { return duration; };
        const auto at = [&](std::size_t column, double y) {
            return nearestCall(columns, durations, column, y, 3, height);
        };
        QCOMPARE(at(0, 12), std::optional<std::size_t>(0));
        QCOMPARE(at(1, 49), std::optional<std::size_t>(1));
        QCOMPARE(at(4, 0), std::optional<std::size_t>(2)); // the only one near
        QCOMPARE(at(9, 0), std::optional<std::size_t>(3));
        QCOMPARE(nearestCall(columns, durations, 3, 0, 1, height), std::optional<std::size_t>());
    }
};

QTEST_APPLESS_MAIN(TstRowCalls)
#include "tst_row_calls.moc"
