// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/histogram_chart.h"

#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <QBarSeries>
#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QLegend>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

// Where a duration lies among the bins, bin i from i − ½ to i + ½.
double placeOf(const DurationHistogram &histogram, TimeNs duration)
{
    const std::size_t bin = histogram.binOf(duration);
    const double low = std::log(std::max(1.0, static_cast<double>(histogram.edges[bin])));
    const double high = std::log(static_cast<double>(histogram.edges[bin + 1]));
    const double at = std::log(std::max(1.0, static_cast<double>(duration)));
    return static_cast<double>(bin) - 0.5 + (high > low ? std::clamp((at - low) / (high - low), 0.0, 1.0) : 0);
}

// Round durations between the first edge and the last, few enough to be read.
std::vector<TimeNs> ticksOf(const DurationHistogram &histogram, std::size_t most)
{
    const auto collect = [&histogram](std::initializer_list<TimeNs> digits) {
        std::vector<TimeNs> ticks;
        for (TimeNs power = 1; power < kMaxTime / 100; power *= 10) {
            for (const TimeNs digit : digits) {
                const TimeNs tick = digit * power;
                if (tick >= histogram.edges.front() && tick <= histogram.edges.back())
                    ticks.push_back(tick);
            }
        }
        return ticks;
    };
    std::vector<TimeNs> ticks = collect({1, 2, 3, 4, 5, 6, 7, 8, 9});
    if (ticks.size() > most)
        ticks = collect({1, 2, 5});
    if (ticks.size() > most)
        ticks = collect({1});
    for (std::size_t every = 2; ticks.size() > most; ++every) {
        std::vector<TimeNs> fewer;
        const std::vector<TimeNs> all = collect({1});
        for (std::size_t i = 0; i < all.size(); i += every)
            fewer.push_back(all[i]);
        ticks = std::move(fewer);
    }
    if (ticks.size() < 2) {
        const std::size_t some = std::clamp<std::size_t>(most, 2, 4);
        ticks.clear();
        for (std::size_t i = 0; i <= some; ++i)
            ticks.push_back(histogram.edges[i * histogram.counts.size() / some]);
        ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
    }
    return ticks;
}

// "10 µs" where formatDuration says "10.00 µs".
QString tickText(TimeNs tick)
{
    QString text = toQString(formatDuration(tick));
    const qsizetype unit = text.indexOf(QLatin1Char(' '));
    qsizetype end = unit;
    if (text.contains(QLatin1Char('.'))) {
        while (end > 1 && text[end - 1] == QLatin1Char('0'))
            --end;
        end -= text[end - 1] == QLatin1Char('.') ? 1 : 0;
    }
    return unit < 0 ? text : text.remove(end, unit - end);
}

} // namespace

HistogramChart::HistogramChart(QWidget *parent)
    : ThemedChart(parent)
{
    setObjectName(QStringLiteral("histogram"));
    setAccessibleName(tr("Histogram of durations"));
    chart()->legend()->hide();
}

void HistogramChart::show(const DurationHistogram &histogram)
{
    showSamples({{&histogram, QString(), QColor(0x44, 0x77, 0xaa)}});
}

void HistogramChart::show(const DurationHistogram &before, const DurationHistogram &after)
{
    showSamples({{&before, tr("before"), QColor(0x9a, 0xa0, 0xa6)}, {&after, tr("after"), QColor(0xee, 0x77, 0x33)}});
}

void HistogramChart::showSamples(std::initializer_list<Sample> samples)
{
    clear();
    const DurationHistogram &histogram = *samples.begin()->histogram; // all have its bins
    if (histogram.counts.empty())
        return;
    auto *series = new QBarSeries(chart());
    std::uint64_t most = 0;
    for (const Sample &sample : samples) {
        auto *bars = new QBarSet(sample.title);
        for (const std::uint64_t count : sample.histogram->counts) {
            *bars << static_cast<double>(count);
            most = std::max(most, count);
        }
        bars->setColor(sample.colour);
        bars->setBorderColor(Qt::transparent);
        connect(bars, &QBarSet::clicked, this, [this](int bin) { emit binClicked(static_cast<std::size_t>(bin)); });
        connect(bars, &QBarSet::hovered, this, [this, counted = *sample.histogram](bool isInside, int bin) {
            if (!isInside)
                return QToolTip::hideText();
            const auto at = static_cast<std::size_t>(bin);
            QToolTip::showText(QCursor::pos(),
                               (counted.counts[at] == 1 ? tr("%1 to %2: %3 call") : tr("%1 to %2: %3 calls"))
                                   .arg(toQString(formatDuration(counted.edges[at])),
                                        toQString(formatDuration(counted.edges[at + 1])),
                                        toQString(formatCount(counted.counts[at]))),
                               this);
        });
        series->append(bars);
    }
    chart()->legend()->setVisible(samples.size() > 1);
    constexpr double kBarWidth = 0.92;
    constexpr double kLoneBar = 0.25; // few do not become walls
    series->setBarWidth(std::min(kBarWidth, kLoneBar * static_cast<double>(histogram.counts.size())));
    chart()->addSeries(series);
    auto *times = new QCategoryAxis(chart());
    times->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    times->setStartValue(-1);
    times->setRange(-0.5, static_cast<double>(histogram.counts.size()) - 0.5);
    times->setTruncateLabels(false);
    const double room = static_cast<double>(histogram.counts.size()) * 0.97 - 0.5; // a label beyond is cut off
    const auto mostTicks = static_cast<std::size_t>(
        std::max(2, width() / (2 * fontMetrics().horizontalAdvance(QStringLiteral("100 ms")))));
    for (const TimeNs tick : ticksOf(histogram, mostTicks)) {
        if (const double place = placeOf(histogram, tick); place <= room)
            times->append(tickText(tick), place);
    }
    auto *calls = new QValueAxis(chart());
    calls->setRange(0, static_cast<double>(most));
    calls->applyNiceNumbers();
    constexpr std::uint64_t kFew = 10;
    if (most < kFew) { // else there are ticks at halves of calls
        calls->setTickType(QValueAxis::TicksDynamic);
        calls->setTickInterval(most > kFew / 2 ? 2 : 1);
    }
    // Between some there are ticks at fractions; many must not become powers of ten.
    calls->setLabelFormat(calls->max() < 100 ? QStringLiteral("%.4g") : QStringLiteral("%.0f"));
    calls->setTruncateLabels(false);
    chart()->addAxis(times, Qt::AlignBottom);
    chart()->addAxis(calls, Qt::AlignLeft);
    series->attachAxis(times);
    series->attachAxis(calls);
    applyPalette();
}

} // namespace ks
