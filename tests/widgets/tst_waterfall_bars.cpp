// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/waterfall.h"
#include "tests/support/planted_run.h"
#include "tests/support/random_run.h"
#include "widgets/charts/short_labels.h"
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

    void longNamesThatDifferInTheMiddleAreToldApart()
    {
        const QFontMetrics metrics{QFont()};
        const int width = 26 * metrics.averageCharWidth();
        const auto kernel = [](const char *tile) {
            return QStringLiteral("void cutlass::device_kernel<sm90_xmma_gemm_bf16_%1_warpspecialized_tn_nn>(Params)")
                .arg(QLatin1String(tile));
        };
        const QStringList names = {QStringLiteral("idle"), kernel("64x128x64"),           kernel("128x128x64"),
                                   kernel("128x256x64"),   kernel("128x256x64_cluster2"), QStringLiteral("exposed")};
        const QStringList labels = shortLabels(names, metrics, width);
        QCOMPARE(labels.size(), names.size());
        QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), names.size());
        for (const QString &label : labels)
            QVERIFY2(metrics.horizontalAdvance(label) <= width, qPrintable(label));
        QCOMPARE(labels.first(), QStringLiteral("idle"));
        QVERIFY2(labels[1].startsWith(QLatin1String("void c")) && labels[1].contains(QLatin1String("64x128")),
                 qPrintable(labels[1]));
        // A long name alone loses its middle.
        const QString alone = shortLabels({kernel("64x64x64")}, metrics, width).first();
        QVERIFY2(alone.startsWith(QLatin1String("void")) && alone.endsWith(QLatin1String(")")), qPrintable(alone));
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
