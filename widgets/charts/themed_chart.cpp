// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/themed_chart.h"

#include <QAbstractAxis>
#include <QChart>
#include <QEvent>
#include <QLegend>

#include <array>

namespace ks {

TimeUnit timeUnitFor(double largestNs)
{
    constexpr std::array kUnits = {TimeUnit{1e9, "s"}, TimeUnit{1e6, "ms"}, TimeUnit{1e3, "µs"}, TimeUnit{1, "ns"}};
    for (const TimeUnit &unit : kUnits) {
        if (largestNs >= unit.ns)
            return unit;
    }
    return kUnits.back();
}

ThemedChart::ThemedChart(QWidget *parent)
    : QChartView(parent)
{
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    chart()->setBackgroundRoundness(0);
    chart()->setMargins({});
    chart()->legend()->setAlignment(Qt::AlignTop);
    applyPalette();
}

bool ThemedChart::isDark() const
{
    return palette().color(QPalette::Base).lightness() < 128;
}

void ThemedChart::applyPalette()
{
    chart()->setBackgroundBrush(palette().base());
    chart()->legend()->setLabelColor(palette().color(QPalette::Text));
    const auto axes = chart()->axes();
    for (QAbstractAxis *axis : axes) {
        axis->setLabelsColor(palette().color(QPalette::Text));
        QColor faint = palette().color(QPalette::Text);
        faint.setAlphaF(0.15F);
        axis->setGridLineColor(faint);
        axis->setLinePenColor(faint);
    }
}

void ThemedChart::clear()
{
    chart()->removeAllSeries();
    const auto axes = chart()->axes();
    for (QAbstractAxis *axis : axes) {
        chart()->removeAxis(axis);
        delete axis;
    }
}

void ThemedChart::changeEvent(QEvent *event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyPalette();
}

} // namespace ks
