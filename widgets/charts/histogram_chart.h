// SPDX-License-Identifier: GPL-3.0-or-later
// How the durations of some calls spread: bins of equal ratio, so that the axis is a logarithm of time.
#pragma once

#include "core/analysis/duration_histogram.h"
#include "widgets/charts/themed_chart.h"

#include <QColor>
#include <QString>

#include <initializer_list>

namespace ks {

class HistogramChart : public ThemedChart
{
    Q_OBJECT
public:
    explicit HistogramChart(QWidget *parent = nullptr);

    void show(const DurationHistogram &histogram);
    // Of two runs in the same bins, beside each other.
    void show(const DurationHistogram &before, const DurationHistogram &after);

signals:
    void binClicked(std::size_t bin);

private:
    struct Sample
    {
        const DurationHistogram *histogram;
        QString title;
        QColor colour;
    };
    void showSamples(std::initializer_list<Sample> samples);
};

} // namespace ks
