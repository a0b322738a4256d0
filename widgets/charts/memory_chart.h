// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory was allocated over time, a curve for each device, and what the allocator had reserved; the highest peak is marked. Of two
// runs both, the one before dashed.
#pragma once

#include "core/table/table.h"
#include "core/view/curve.h"
#include "widgets/charts/themed_chart.h"

#include <cstddef>
#include <memory>
#include <vector>

class QXYSeries;

namespace ks {

struct MemoryCurves
{
    struct Device
    {
        Curve allocated; // named after the device
        Curve reserved;  // empty if none was told
        bool isBefore = false;
        std::size_t colour = 0; // the same for the same device of both runs
    };
    std::vector<Device> devices;
    TimeRange range; // of all samples, or what is to be seen of them

    struct Peak
    {
        TimeNs time = 0;
        double bytes = 0;
        std::size_t device = 0;
    };
    std::vector<Peak> peaks; // of each run the first of the highest
};

// `table` as memoryCurve() has it, times as of `origin`. Any thread.
MemoryCurves memoryCurvesOf(const Table &table, std::int64_t origin);
// Both runs in one picture.
MemoryCurves overlaid(MemoryCurves before, MemoryCurves after);

class MemoryChart : public ThemedChart
{
    Q_OBJECT
public:
    explicit MemoryChart(QWidget *parent = nullptr);

    const MemoryCurves *curves() const { return m_curves.get(); }
    void show(std::shared_ptr<const MemoryCurves> curves); // null or without devices: nothing

signals:
    void timeClicked(ks::TimeNs time);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    void build();
    void addPeak(const MemoryCurves::Peak &peak);
    void shortenLegend();
    void add(QXYSeries *series);

    std::shared_ptr<const MemoryCurves> m_curves;
    int m_builtFor = 0;     // pixels of width
    double m_nsPerUnit = 1; // of the axes
    double m_bytesPerUnit = 1;
};

} // namespace ks
