// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory was allocated over time, a curve for each device, and what the allocator had reserved; the highest peak is marked.
#pragma once

#include "core/table/table.h"
#include "core/view/curve.h"
#include "widgets/charts/themed_chart.h"

#include <memory>
#include <optional>
#include <vector>

namespace ks {

struct MemoryCurves
{
    struct Device
    {
        Curve allocated; // named after the device
        Curve reserved;  // empty if none was told
    };
    std::vector<Device> devices;
    TimeRange range; // of all samples

    struct Peak
    {
        TimeNs time = 0;
        double bytes = 0;
        std::size_t device = 0;
    };
    std::optional<Peak> peak; // the first of the highest
};

// `table` as memoryCurve() has it, times as of `origin`. Any thread.
MemoryCurves memoryCurvesOf(const Table &table, std::int64_t origin);

class MemoryChart : public ThemedChart
{
    Q_OBJECT
public:
    explicit MemoryChart(QWidget *parent = nullptr);

    const MemoryCurves *curves() const { return m_curves.get(); }
    void show(std::shared_ptr<const MemoryCurves> curves); // null or without devices: nothing

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();

    std::shared_ptr<const MemoryCurves> m_curves;
    int m_builtFor = 0; // pixels of width
};

} // namespace ks
