// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/themed_chart.h"

#include "core/base/format.h"
#include "widgets/charts/short_labels.h"
#include "widgets/state/to_qstring.h"

#include <QAbstractBarSeries>
#include <QChart>
#include <QEvent>
#include <QLegend>
#include <QLocale>
#include <QSet>
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
    constexpr double kLoneBar = 0.2; // few do not become walls
    series.setBarWidth(std::min(kBarWidth, kLoneBar * static_cast<double>(labels.size())));
    chart()->addSeries(&series);
    auto *bars = new QBarCategoryAxis(chart());
    const TimeUnit unit = timeUnitFor(largestNs);
    auto *lengths = new QValueAxis(chart());
    lengths->setRange(0, std::max(1.0, largestNs) / unit.ns); // an axis of nothing has no numbers
    lengths->applyNiceNumbers();
    lengths->setTruncateLabels(false);
    lengths->setLabelFormat(QStringLiteral("%.4g ") + QString::fromUtf8(unit.name));
    const bool isUpright = orientation == Qt::Vertical;
    bars->setLabelsFont(font());
    bars->setTruncateLabels(false); // Qt Charts sees less room than there is
    if (!isUpright) {
        QFont small = font();
        small.setPointSizeF(small.pointSizeF() * 0.85); // of labels that would touch each other it leaves some out
        bars->setLabelsFont(small);
    }
    m_bars = bars;
    m_labels = labels;
    m_isUpright = isUpright;
    fitLabels();
    chart()->addAxis(bars, isUpright ? Qt::AlignBottom : Qt::AlignLeft);
    chart()->addAxis(lengths, isUpright ? Qt::AlignLeft : Qt::AlignBottom);
    series.attachAxis(bars);
    series.attachAxis(lengths);
    applyPalette();
}

// All of them shortened, or every second, third … of many.
void ThemedChart::fitLabels()
{
    constexpr int kBesideChart = 90; // pixels: the other axis and the margins
    constexpr int kBetween = 8;
    constexpr int kSlack = 4;
    constexpr int kLeast = 40;       // less says nothing
    constexpr int kLyingLength = 26; // characters
    if (!m_bars)
        return;
    const QFontMetrics metrics(m_bars->labelsFont());
    const int perBar = std::max(1, width() - kBesideChart) / static_cast<int>(std::max<qsizetype>(1, m_labels.size()));
    int room = kLyingLength * fontMetrics().averageCharWidth();
    qsizetype each = 1;
    if (m_isUpright) {
        room = perBar - kBetween;
        int widest = 0;
        for (const QString &label : m_labels)
            widest = std::max(widest, metrics.horizontalAdvance(label) + kSlack);
        if (room < std::min(widest, kLeast)) {
            room = std::min(widest, kLeast * 2);
            each = (room + kBetween) / std::max(1, perBar) + 1;
        }
    }
    QStringList categories = shortLabels(m_labels, metrics, room);
    QSet<QString> known;
    for (qsizetype i = 0; i < categories.size(); ++i) {
        QString &label = categories[i];
        if (i % each != 0)
            label = QChar(0x200b);
        while (known.contains(label)) // categories are told apart by their text
            label += QChar(0x200b);
        known.insert(label);
    }
    if (categories != m_bars->categories())
        m_bars->setCategories(categories);
}

void ThemedChart::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    fitLabels();
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
