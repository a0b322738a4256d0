// SPDX-License-Identifier: GPL-3.0-or-later
// How the durations of some calls spread: bins of equal ratio, so that the axis is a logarithm of time.
#pragma once

#include "core/analysis/duration_histogram.h"
#include "widgets/charts/themed_chart.h"

namespace ks {

class HistogramChart : public ThemedChart
{
    Q_OBJECT
public:
    explicit HistogramChart(QWidget *parent = nullptr);

    void show(const DurationHistogram &histogram);

signals:
    void binClicked(std::size_t bin);
};

} // namespace ks
