// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/waterfall.h"
#include "tests/support/planted_run.h"
#include "tests/support/random_run.h"
#include "widgets/charts/waterfall_bars.h"
#include "widgets/charts/waterfall_chart.h"

#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QTest>

#include <cmath>

using namespace ks;

namespace {

Table tableOf(const TraceMaker &a, const TraceMaker &b)
{
    const std::vector<RankTrace> before{{a.build(), 0}};
    const std::vector<RankTrace> after{{b.build(), 0}};
    return waterfallTable(Baseline{before}, Candidate{after}, {}, {});
}

// Where the next bar begins.
double endOf(const WaterfallBar &bar)
{
    return bar.kind == WaterfallBar::Kind::Less ? bar.bottom : bar.bottom + bar.height;
}

} // namespace

class TstWaterfallBars : public QObject
{
    Q_OBJECT

private slots:
    void leadFromTheStepBeforeToTheStepAfter()
    {
        for (unsigned seed = 0; seed < 20; ++seed) {
            std::mt19937_64 random(seed);
            const Table table = tableOf(randomRun(random), randomRun(random));
            const std::vector<WaterfallBar> bars = waterfallBars(table, 5);
            QVERIFY(bars.size() >= 3 && bars.size() <= 2 + 5 + 1);
            for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
                const double begin =
                    bars[i].kind == WaterfallBar::Kind::Less ? bars[i].bottom + bars[i].height : bars[i].bottom;
                QVERIFY(std::abs(begin - endOf(bars[i - 1])) < 1e-3);
                QVERIFY(bars[i].bottom >= 0);
            }
            QVERIFY(std::abs(endOf(bars[bars.size() - 2]) - bars.back().height) < 1e-3);
        }
    }

    void nothingIsDrawnWhereNothingDiffers()
    {
        const Table table = tableOf(plantedRun(), plantedRun());
        QVERIFY(waterfallBars(table).empty());
        WaterfallChart chart;
        QVERIFY(!chart.show(table));
        QVERIFY(!chart.show(Table()));
    }

    void aBarLeadsToItsRow()
    {
        PlantedRun slow;
        slow.productUs = 130;
        const Table table = tableOf(plantedRun(), plantedRun(slow));
        WaterfallChart chart;
        QVERIFY(chart.show(table));
        std::uint32_t clicked = 0;
        QObject::connect(&chart, &WaterfallChart::rowClicked, this, [&](std::uint32_t row) { clicked = row; });
        const auto *series = qobject_cast<QHorizontalStackedBarSeries *>(chart.chart()->series().front());
        QVERIFY(series);
        const QList<QBarSet *> sets = series->barSets();
        emit sets.last()->clicked(1); // from the bottom: after, gemm, before
        QCOMPARE(QString::fromUtf8(table.findColumn("item")->text(clicked).data()), QStringLiteral("gemm"));
    }
};

QTEST_MAIN(TstWaterfallBars)
#include "tst_waterfall_bars.moc"
