// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_text.h"
#include "tests/widgets/pane_fixture.h"
#include "widgets/charts/call_strip.h"
#include "widgets/charts/histogram_chart.h"
#include "widgets/panes/call_charts.h"
#include "widgets/tables/table_model.h"

#include <QAbstractAxis>
#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QValueAxis>

#include <numeric>

using namespace ks;

namespace {

// A pane on screen, with its charts.
struct Fixture : PaneFixture
{
    explicit Fixture(std::string_view analysis, int traces = 1)
        : PaneFixture(analysis, traces, Several::Ranks)
    {
        pane.resize(1200, 500);
    }
    CallCharts &charts() { return *pane.findChild<CallCharts *>(); }
    // Waits for the charts.
    template<typename Change>
    bool after(Change change)
    {
        QSignalSpy shown(&charts(), &CallCharts::shown);
        change();
        return shown.count() > 0 || shown.wait(20'000);
    }
    std::int64_t cell(std::string_view column, int row)
    {
        return pane.model().table().findColumn(column)->integer(pane.model().tableRow(pane.model().index(row, 0)));
    }
};

} // namespace

class TstCallCharts : public QObject
{
    Q_OBJECT
private slots:
    void manyCallsAreNotToldInPowersOfTen()
    {
        HistogramChart chart;
        DurationHistogram histogram;
        histogram.edges = {1, 10, 100};
        histogram.counts = {15'000, 20};
        chart.show(histogram);
        const auto *calls = qobject_cast<QValueAxis *>(chart.chart()->axes(Qt::Vertical).value(0));
        QVERIFY(calls && calls->max() >= 15'000);
        const QString label = QString::asprintf(qPrintable(calls->labelFormat()), calls->max());
        QVERIFY2(!label.contains(QLatin1Char('e')), qPrintable(label));
    }
    void theyShowTheCallsOfTheRowOrOfAll_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("total");
        QTest::newRow("kernels") << QStringLiteral("kernels") << QStringLiteral("total_ns");
        QTest::newRow("operators") << QStringLiteral("operators") << QStringLiteral("cpu_total_ns");
    }
    void theyShowTheCallsOfTheRowOrOfAll()
    {
        QFETCH(const QString, id);
        QFETCH(const QString, total);
        Fixture fixture(id.toStdString());
        QVERIFY(fixture.after([] {}));
        const std::size_t all = fixture.charts().calls().size();
        QVERIFY(all > 0 && fixture.charts().words().contains(QStringLiteral("all rows")));
        for (int row = 0; row < std::min(4, fixture.pane.model().rowCount()); ++row) {
            const QModelIndex index = fixture.pane.model().index(row, 0);
            TableView &view = fixture.pane.view();
            view.scrollTo(index);
            QVERIFY(fixture.after(
                [&] { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center()); }));
            TimeNs sum = 0;
            for (const RowCall &call : fixture.charts().calls())
                sum += call.duration;
            QCOMPARE(sum, fixture.cell(total.toStdString(), row));
            QVERIFY(fixture.charts().calls().size() < all);
            QVERIFY(fixture.charts().words().contains(index.data().toString()));
            QCOMPARE(fixture.charts().strip().size(), fixture.charts().calls().size());
            // The bars are the bins.
            const auto series = fixture.charts().histogram().chart()->series();
            QCOMPARE(series.size(), 1);
            const auto *bars = qobject_cast<QBarSeries *>(series.first())->barSets().first();
            QCOMPARE(bars->count(), static_cast<int>(fixture.charts().bins().counts.size()));
            QCOMPARE(static_cast<std::size_t>(bars->sum()), fixture.charts().calls().size());
        }
    }

    void aClickInTheStripSelectsThatCall()
    {
        Fixture fixture("kernels");
        QVERIFY(fixture.after([] {}));
        CallStrip &strip = fixture.charts().strip();
        QVERIFY(strip.width() > 200 && strip.height() > 60);
        QSignalSpy revealed(&fixture.state, &ViewState::revealRequested);
        const std::vector<RowCall> calls = fixture.charts().calls();
        for (const std::size_t call : {std::size_t{0}, calls.size() / 2, calls.size() - 1}) {
            const QPointF place = strip.placeOf(call);
            QTest::mouseClick(&strip, Qt::LeftButton, {}, place.toPoint());
            const EventRef *selected = selectedEvent(fixture.state.selection());
            QVERIFY(selected && strip.current());
            // It, or one drawn at the same place.
            const QPointF off = strip.placeOf(*strip.current()) - place;
            QVERIFY(std::abs(off.x()) < 2 && std::abs(off.y()) < 2);
            QCOMPARE(selected->event, calls[*strip.current()].event);
        }
        QCOMPARE(revealed.count(), 3);
        const std::size_t at = *strip.current();
        QTest::keyClick(&strip, Qt::Key_Left);
        QCOMPARE(strip.current(), std::optional<std::size_t>(at - 1));
        QCOMPARE(selectedEvent(fixture.state.selection())->event, calls[at - 1].event);
    }

    void anEventSelectedElsewhereIsMarkedInTheStrip()
    {
        Fixture fixture("kernels");
        QVERIFY(fixture.after([] {}));
        const EventId event = fixture.charts().calls()[5].event;
        // The row of its name becomes current, and the strip that of its calls.
        QVERIFY(fixture.after([&] { fixture.state.select(fixture.state.traces().ref(0, event)); }));
        const auto current = fixture.charts().strip().current();
        QVERIFY(current);
        QCOMPARE(fixture.charts().calls()[*current].event, event);
    }

    void aClickedBarMarksItsCalls()
    {
        Fixture fixture("operators");
        QVERIFY(fixture.after([] {}));
        TableView &view = fixture.pane.view();
        int often = 0; // the row of most calls
        for (int row = 0; row < fixture.pane.model().rowCount(); ++row)
            often = fixture.cell("calls", row) > fixture.cell("calls", often) ? row : often;
        const QModelIndex index = fixture.pane.model().index(often, 0);
        view.scrollTo(index);
        QVERIFY(fixture.after(
            [&] { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center()); }));
        const DurationHistogram &bins = fixture.charts().bins();
        const std::size_t bin =
            static_cast<std::size_t>(std::max_element(bins.counts.begin(), bins.counts.end()) - bins.counts.begin());
        QVERIFY(bins.counts[bin] > 1);
        HistogramChart &chart = fixture.charts().histogram();
        QAbstractSeries *series = chart.chart()->series().first();
        const QPointF middle = chart.chart()->mapToPosition(
            QPointF(static_cast<double>(bin), static_cast<double>(bins.counts[bin]) / 2), series);
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.mapFromScene(chart.chart()->mapToScene(middle)));
        QVERIFY(selectedName(fixture.state.selection()));
        QCOMPARE(fixture.state.marked().size(), static_cast<std::size_t>(bins.counts[bin]));
        for (const EventRef &event : fixture.state.marked()) {
            const TimeNs duration = fixture.state.traces().at(0).duration(event.event);
            QVERIFY(duration >= bins.edges[bin] && duration < bins.edges[bin + 1]);
        }
    }

    void oneCallIsOne()
    {
        TraceMaker maker;
        maker.kernel("gemm", 0, 10, 7, 1).kernel("relu", 20, 5, 7, 2).kernel("relu", 30, 5, 7, 3);
        ViewState state;
        AnalysisPane pane(*findAnalysis("kernels"), state);
        pane.resize(1200, 500);
        pane.show();
        state.traces().add(maker.build());
        auto &charts = *pane.findChild<CallCharts *>();
        QTRY_VERIFY2(charts.words().startsWith(QStringLiteral("3 calls · median 5.00 µs")), qPrintable(charts.words()));
        pane.view().goTo(0);
        QTRY_COMPARE(charts.words(), QStringLiteral("1 call, 10.00 µs · gemm"));
        // Its bar does not fill the chart.
        QCOMPARE(charts.bins().counts.size(), std::size_t{1});
        QVERIFY(qobject_cast<QBarSeries *>(charts.histogram().chart()->series().first())->barWidth() < 0.5);
    }

    void ranksOfARunAreShownTogether()
    {
        Fixture fixture("kernels", 2);
        QVERIFY(fixture.after([] {}));
        std::size_t second = 0;
        for (const RowCall &call : fixture.charts().calls())
            second += call.trace;
        QVERIFY(second > 0 && second < fixture.charts().calls().size());
        QVERIFY(std::is_sorted(fixture.charts().calls().begin(), fixture.charts().calls().end(),
                               [](const RowCall &a, const RowCall &b) { return a.begin < b.begin; }));
    }

    void closingTheTracesEmptiesThem()
    {
        Fixture fixture("kernels");
        QVERIFY(fixture.after([] {}));
        fixture.state.traces().clear();
        QVERIFY(fixture.charts().calls().empty());
        QCOMPARE(fixture.charts().strip().size(), std::size_t{0});
        (void)fixture.pane.grab();
    }
};

QTEST_MAIN(TstCallCharts)
#include "tst_call_charts.moc"
