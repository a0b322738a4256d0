// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/themed_chart.h"

#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <QAbstractBarSeries>
#include <QBarCategoryAxis>
#include <QChart>
#include <QEvent>
#include <QLegend>
#include <QLocale>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>

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
    // Else formats of labels go through Latin-1, and the µ of µs is lost.
    chart()->setLocalizeNumbers(true);
    chart()->setLocale(QLocale::c());
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

void ThemedChart::addBars(QAbstractBarSeries &series, const QStringList &labels, double largestNs,
                          Qt::Orientation orientation)
{
    constexpr double kBarWidth = 0.8;
    series.setBarWidth(kBarWidth);
    chart()->addSeries(&series);
    auto *bars = new QBarCategoryAxis(chart());
    QStringList categories;
    for (QString label : labels) {
        while (categories.contains(label)) // categories are told apart by their text
            label += QChar(0x200b);
        categories << label;
    }
    bars->setCategories(categories);
    const TimeUnit unit = timeUnitFor(largestNs);
    auto *lengths = new QValueAxis(chart());
    lengths->setRange(0, std::max(1.0, largestNs) / unit.ns); // an axis of nothing has no numbers
    lengths->applyNiceNumbers();
    lengths->setTruncateLabels(false);
    lengths->setLabelFormat(QStringLiteral("%.4g ") + QString::fromUtf8(unit.name));
    const bool isUpright = orientation == Qt::Vertical;
    if (!isUpright) {
        bars->setTruncateLabels(false); // there is room beside a lying bar, which Qt Charts does not see
        QFont small = font();
        small.setPointSizeF(small.pointSizeF() * 0.85); // of labels that would touch each other it leaves some out
        bars->setLabelsFont(small);
    }
    chart()->addAxis(bars, isUpright ? Qt::AlignBottom : Qt::AlignLeft);
    chart()->addAxis(lengths, isUpright ? Qt::AlignLeft : Qt::AlignBottom);
    series.attachAxis(bars);
    series.attachAxis(lengths);
    applyPalette();
}

void ThemedChart::showTip(bool isInside, const QString &label, double ns)
{
    if (isInside)
        QToolTip::showText(QCursor::pos(),
                           QStringLiteral("%1: %2").arg(label, toQString(formatDuration(std::llround(ns)))), this);
    else
        QToolTip::hideText();
}

void ThemedChart::changeEvent(QEvent *event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyPalette();
}

} // namespace ks
