// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/waterfall_chart.h"

#include "widgets/charts/waterfall_bars.h"

#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QLegend>

#include <algorithm>
#include <utility>

namespace ks {

WaterfallChart::WaterfallChart(QWidget *parent)
    : ThemedChart(parent)
{
    setObjectName(QStringLiteral("waterfall"));
    setAccessibleName(tr("What explains the step time"));
}

bool WaterfallChart::show(const Table &table)
{
    using Kind = WaterfallBar::Kind;
    clear();
    std::vector<WaterfallBar> bars = waterfallBars(table);
    if (bars.empty())
        return false;
    std::reverse(bars.begin(), bars.end()); // the first on top
    double largest = 0;
    QStringList names;
    for (const WaterfallBar &bar : bars) {
        largest = std::max(largest, bar.bottom + bar.height);
        names << bar.label;
    }
    const TimeUnit unit = timeUnitFor(largest);
    auto *series = new QHorizontalStackedBarSeries(chart());
    auto *below = new QBarSet(QString()); // pushes each bar to where the one before it ended
    below->setColor(Qt::transparent);
    below->setBorderColor(Qt::transparent);
    for (const WaterfallBar &bar : bars)
        *below << bar.bottom / unit.ns;
    series->append(below);
    for (const auto &[kind, colour] :
         {std::pair(Kind::Total, QColor(0x44, 0x77, 0xaa)), std::pair(Kind::More, QColor(0xee, 0x77, 0x33)),
          std::pair(Kind::Less, QColor(0x22, 0x88, 0x33))}) {
        auto *set = new QBarSet(QString());
        for (const WaterfallBar &bar : bars)
            *set << (bar.kind == kind ? bar.height / unit.ns : 0);
        set->setColor(colour);
        set->setBorderColor(Qt::transparent);
        connect(set, &QBarSet::clicked, this, [this, bars](int i) {
            if (const auto row = bars[static_cast<std::size_t>(i)].row)
                emit rowClicked(*row);
        });
        connect(set, &QBarSet::hovered, this, [this, bars](bool isInside, int i) {
            const WaterfallBar &bar = bars[static_cast<std::size_t>(i)];
            showTip(isInside, bar.label, bar.kind == Kind::Less ? -bar.height : bar.height);
        });
        series->append(set);
    }
    addBars(*series, names, largest, Qt::Horizontal);
    chart()->legend()->hide();
    return true;
}

} // namespace ks
