// SPDX-License-Identifier: GPL-3.0-or-later
// A chart of Qt Charts in the colours of the window, light or dark.
#pragma once

#include <QBarCategoryAxis>
#include <QChartView>
#include <QPointer>
#include <QStringList>

class QAbstractBarSeries;

namespace ks {

// The largest unit of which there is at least one, for the labels of an axis of times.
struct TimeUnit
{
    double ns;
    const char *name;
};
TimeUnit timeUnitFor(double largestNs);

class ThemedChart : public QChartView
{
    Q_OBJECT
public:
    explicit ThemedChart(QWidget *parent = nullptr);

protected:
    void clear(); // series and axes
    // Shows the series with a label for each bar and lengths from 0, in the unit of the largest. Labels beside lying bars
    // run from the bottom to the top; long ones are shortened.
    void addBars(QAbstractBarSeries &series, const QStringList &labels, double largestNs,
                 Qt::Orientation bars = Qt::Vertical);
    void showTip(bool isInside, const QString &label, double ns); // beside the mouse while it is inside
    void applyPalette();                                          // once there are new ones
    bool isDark() const;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitLabels();

    QPointer<QBarCategoryAxis> m_bars;
    QStringList m_labels; // of the bars, in full
    bool m_isUpright = true;
};

} // namespace ks
