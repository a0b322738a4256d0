// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the table of a pane: bars of steps, curves of memory.
#include "core/analysis/memory.h"
#include "core/analysis/step_table.h"
#include "core/trace/trace.h"
#include "tests/support/qt_text.h"
#include "tests/support/trace_maker.h"
#include "tests/widgets/pane_fixture.h"
#include "widgets/charts/memory_chart.h"
#include "widgets/charts/table_chart.h"
#include "widgets/tables/table_model.h"
#include "widgets/tables/table_view.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QLegend>
#include <QStackedBarSeries>
#include <QValueAxis>
#include <QXYSeries>

using namespace ks;

class TstPaneCharts : public QObject
{
    Q_OBJECT
private slots:
    void stepsAreBarsThatCanBeClicked()
    {
        PaneFixture fixture("steps");
        QVERIFY(fixture.wait());
        TableChart &chart = *fixture.pane.findChild<TableChart *>();
        QVERIFY(chart.isVisible());
        const auto series = chart.chart()->series();
        QCOMPARE(series.size(), 1);
        const auto *bars = qobject_cast<QStackedBarSeries *>(series.first());
        QVERIFY(bars && bars->barSets().size() == 1);
        const Column *durations = fixture.pane.model().table().findColumn("dur_ns");
        QCOMPARE(bars->barSets().first()->count(), fixture.pane.model().rowCount());
        QVERIFY(fixture.pane.model().rowCount() >= 2);
        const double first = bars->barSets().first()->at(0) / static_cast<double>(durations->integer(0));
        for (int i = 1; i < fixture.pane.model().rowCount(); ++i)
            QCOMPARE(bars->barSets().first()->at(i),
                     first * static_cast<double>(durations->integer(static_cast<std::size_t>(i))));

        QSignalSpy clicked(&chart, &TableChart::rowClicked);
        const QPointF middle =
            chart.chart()->mapToPosition(QPointF(1, bars->barSets().first()->at(1) / 2), series.first());
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.mapFromScene(chart.chart()->mapToScene(middle)));
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(fixture.pane.view().currentIndex().row(), 1);
        const TimeNs begin = fixture.trace().steps()[1].range.begin;
        QVERIFY(fixture.state.visibleRange().begin <= begin && fixture.state.visibleRange().end > begin);
    }

    void namesBelowBarsAreToldApartHoweverNarrow()
    {
        Table table;
        table.texts("name");
        table.integers("latency_total_ns", Unit::Ns);
        for (const char *name : {"cudaLaunchKernel", "cudaLaunchKernelExC", "cudaMemcpyAsync", "cudaMemsetAsync"}) {
            table.column(0).append(name);
            table.column(1).append(1000);
        }
        TableChart chart;
        chart.resize(1000, 300);
        QVERIFY(chart.show(table, {{"name"}, {"latency_total_ns"}}));
        chart.QWidget::show();
        const auto labels = [&chart] {
            const auto axes = chart.chart()->axes(Qt::Horizontal);
            QStringList shown = qobject_cast<QBarCategoryAxis *>(axes.first())->categories();
            for (QString &label : shown)
                label.remove(QChar(0x200b));
            return shown;
        };
        QCOMPARE(labels(), (QStringList{q("cudaLaunchKernel"), q("cudaLaunchKernelExC"), q("cudaMemcpyAsync"),
                                        q("cudaMemsetAsync")}));
        for (const int width : {700, 500, 420}) {
            chart.resize(width, 300);
            QCoreApplication::processEvents();
            const QStringList shown = labels();
            QCOMPARE(QSet<QString>(shown.begin(), shown.end()).size(), 4);
            for (const QString &label : shown)
                QVERIFY(chart.fontMetrics().horizontalAdvance(label) < width / 4 + 10);
        }
        // Of many some are named, in full.
        Table many;
        many.integers("index", Unit::Id);
        many.integers("dur_ns", Unit::Ns);
        for (int i = 0; i < 60; ++i) {
            many.column(0).append(1000 + i);
            many.column(1).append(1000);
        }
        QVERIFY(chart.show(many, {{"index"}, {"dur_ns"}}));
        const QStringList some = labels();
        QCOMPARE(some.size(), 60);
        const auto named =
            std::count_if(some.begin(), some.end(), [](const QString &label) { return !label.isEmpty(); });
        QVERIFY2(named > 3 && named < 20, qPrintable(QString::number(named)));
        for (int i = 0; i < 60; ++i)
            QVERIFY2(some[i].isEmpty() || some[i] == QString::number(1000 + i), qPrintable(some[i]));
        // A bar alone does not fill the chart.
        table.limit(1);
        QVERIFY(chart.show(table, {{"name"}, {"latency_total_ns"}}));
        const auto *bars = qobject_cast<QStackedBarSeries *>(chart.chart()->series().first());
        QVERIFY(bars->barWidth() < 0.3);
    }

    void theAxesOfMemoryStandAtRoundNumbers()
    {
        PaneFixture fixture("memory");
        QVERIFY(fixture.wait());
        MemoryChart &chart = *fixture.pane.findChild<MemoryChart *>();
        QTRY_VERIFY(chart.curves());
        // What is dotted is dotted beside its name, too.
        QCOMPARE(chart.chart()->legend()->markerShape(), QLegend::MarkerShapeFromSeries);
        const auto axes = chart.chart()->axes();
        QCOMPARE(axes.size(), 2);
        for (const QAbstractAxis *axis : axes) {
            const auto *values = qobject_cast<const QValueAxis *>(axis);
            QVERIFY(values && values->tickType() == QValueAxis::TicksDynamic);
            const double step = values->tickInterval();
            const double first = step / std::pow(10, std::floor(std::log10(step * 1.0001)));
            QVERIFY2(std::abs(first - 1) < 1e-6 || std::abs(first - 2) < 1e-6 || std::abs(first - 5) < 1e-6,
                     qPrintable(QString::number(first)));
            const double ticks = (values->max() - values->min()) / step;
            QVERIFY2(ticks > 1 && ticks < 10, qPrintable(QString::number(ticks)));
            QSet<QString> labels;
            int count = 0;
            for (double tick = std::ceil(values->min() / step) * step; tick <= values->max(); tick += step, ++count)
                labels << QString::asprintf(values->labelFormat().toUtf8().constData(), tick);
            QCOMPARE(labels.size(), count);
        }
    }

    void stepsAreWhatTheSettingSays()
    {
        TraceMaker maker;
        for (int i = 0; i < 4; ++i)
            maker.annotation("serve", i * 100, 80).op("aten::mm", i * 100 + 10, 30);
        ViewState state;
        AnalysisPane pane(*findAnalysis("steps"), state);
        state.traces().add(maker.build());
        state.setVisibleRange(state.traces().range());
        pane.show();
        QSignalSpy computed(&pane, &AnalysisPane::computed);
        QVERIFY(computed.count() > 0 || computed.wait());
        QCOMPARE(pane.model().rowCount(), 0);
        state.setStepPattern("auto");
        QTRY_COMPARE(pane.model().rowCount(), 4);
        Scope scope;
        scope.stepPattern = "auto";
        const std::vector<RankTrace> ranks = {{state.traces().share(0), {}}};
        QCOMPARE(q(shown(pane)), q(csvOf(stepTable(ranks, scope))));
        // A step in view counts as a step, whatever makes it one.
        std::vector<Step> steps = stepsOf(state.traces().at(0), "auto");
        const TimeRange second = steps[1].range;
        state.setSteps(0, std::move(steps));
        state.setVisibleRange(second);
        QTRY_COMPARE(pane.model().rowCount(), 1);
        QVERIFY(pane.words().contains(QStringLiteral("the step serve")));
    }

    void memoryIsACurveWithItsPeakMarked()
    {
        PaneFixture fixture("memory");
        QVERIFY(fixture.wait());
        MemoryChart &chart = *fixture.pane.findChild<MemoryChart *>();
        QTRY_VERIFY(chart.curves());
        QVERIFY(chart.isVisible() && chart.width() > 200);
        // Against the table of all levels.
        const std::vector<RankTrace> ranks = {{fixture.state.traces().share(0), {}}};
        const Table levels = memoryCurve(ranks, {});
        QVERIFY(levels.rowCount() > 0);
        std::int64_t most = 0;
        std::int64_t at = 0;
        for (std::size_t row = 0; row < levels.rowCount(); ++row) {
            const std::int64_t bytes = levels.findColumn("allocated_bytes")->integer(row);
            if (row == 0 || bytes > most) {
                most = bytes;
                at = levels.findColumn("ts_ns")->integer(row);
            }
        }
        QCOMPARE(chart.curves()->peaks.size(), std::size_t{1});
        QCOMPARE(chart.curves()->peaks.front().bytes, static_cast<double>(most));
        QCOMPARE(chart.curves()->peaks.front().time, fixture.trace().traceTime(FileTimeNs{at}));
        const auto series = chart.chart()->series();
        QVERIFY(series.size() >= 2);
        const auto *peak = qobject_cast<QXYSeries *>(series.last());
        QVERIFY(peak && peak->count() == 1);
        double highest = 0;
        for (const QAbstractSeries *one : series) {
            const auto points = qobject_cast<const QXYSeries *>(one)->points();
            for (const QPointF &point : points)
                highest = one->name().contains(QStringLiteral("allocated")) ? std::max(highest, point.y()) : highest;
        }
        QCOMPARE(highest, peak->at(0).y()); // no peak is lost between the pixels
        // A click shows that moment in the timeline, as much of it as before.
        const TimeRange whole = fixture.trace().range();
        fixture.state.setVisibleRange({whole.begin, whole.begin + whole.duration() / 10});
        fixture.state.setFollowsView(false);
        QVERIFY(fixture.wait());
        QTRY_VERIFY(chart.curves());
        const QPointF place = chart.chart()->mapToPosition(peak->at(0));
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.mapFromScene(chart.chart()->mapToScene(place)));
        const TimeRange view = fixture.state.visibleRange();
        QVERIFY(std::abs(view.begin + view.duration() / 2 - chart.curves()->peaks.front().time)
                < whole.duration() / chart.width() * 3);
        QVERIFY(std::abs(view.duration() - whole.duration() / 10) <= 1);
        fixture.state.traces().clear();
        QVERIFY(chart.chart()->series().isEmpty());
    }

    void memoryOfTwoRunsLiesOverEachOther()
    {
        PaneFixture fixture("memory", 2);
        fixture.state.traces().setRelation(TraceSet::Relation::RunsCompared);
        fixture.state.traces().setOffset(1, 5000);
        QVERIFY(fixture.wait());
        MemoryChart &chart = *fixture.pane.findChild<MemoryChart *>();
        QTRY_VERIFY(chart.curves() && chart.curves()->peaks.size() == 2);
        const MemoryCurves &curves = *chart.curves();
        for (std::uint32_t position = 0; position < 2; ++position) {
            const std::vector<RankTrace> ranks = {{fixture.state.traces().share(position), {}}};
            const TimeNs shift = position == 0 ? 0 : 5000;
            const auto origin = static_cast<std::int64_t>(fixture.state.traces().at(position).fileTime(0)) - shift;
            const MemoryCurves own = memoryCurvesOf(memoryCurve(ranks, {}), origin);
            std::size_t found = 0;
            for (const MemoryCurves::Device &device : curves.devices) {
                if (device.isBefore != (position == 0))
                    continue;
                const Curve &expected = own.devices[found++].allocated;
                QCOMPARE(q(device.allocated.name()), q(expected.name()));
                QVERIFY(std::ranges::equal(device.allocated.times(), expected.times()));
                QVERIFY(std::ranges::equal(device.allocated.values(), expected.values()));
            }
            QVERIFY(found > 0 && found == own.devices.size());
            const MemoryCurves::Peak &peak = curves.peaks[position == 0 ? 1 : 0]; // the run after comes first
            QCOMPARE(peak.bytes, own.peaks.front().bytes);
            QCOMPARE(peak.time, own.peaks.front().time);
        }
        // The same device has the same colour in both.
        for (const MemoryCurves::Device &a : curves.devices) {
            for (const MemoryCurves::Device &b : curves.devices)
                QCOMPARE(a.colour == b.colour, a.allocated.name() == b.allocated.name());
        }
        const auto series = chart.chart()->series();
        QVERIFY(std::any_of(series.begin(), series.end(), [](const QAbstractSeries *one) {
            return one->name().endsWith(QStringLiteral("allocated before"));
        }));
    }

    void aTableWithoutAChartHasNone()
    {
        PaneFixture fixture("operators");
        QVERIFY(fixture.wait());
        QVERIFY(!fixture.pane.findChild<TableChart *>());
    }
};

QTEST_MAIN(TstPaneCharts)
#include "tst_pane_charts.moc"
