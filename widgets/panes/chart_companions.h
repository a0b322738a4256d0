// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of a whole table: bars of its rows, the waterfall between two steps, the flames of a call tree, memory over time (of two runs both,
// as they are aligned).
#pragma once

#include "widgets/charts/table_chart.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/panes/companion.h"

namespace ks {

class FlameView;
class MemoryChart;
class WaterfallChart;

class BarsBeside : public Companion
{
    Q_OBJECT
public:
    BarsBeside(BarChart bars, QWidget *parent);

    double share() const override { return 0.4; }
    std::vector<QWidget *> pictures() const override { return {m_chart}; }
    bool showTable(const ShownTable &shown) override;
    void forget() override;

private:
    BarChart m_bars;
    TableChart *m_chart;
};

class WaterfallBeside : public Companion
{
    Q_OBJECT
public:
    explicit WaterfallBeside(QWidget *parent);

    double share() const override { return 0.42; }
    std::vector<QWidget *> pictures() const override;
    bool showTable(const ShownTable &shown) override;
    void forget() override;

private:
    WaterfallChart *m_chart;
};

class FlameBeside : public Companion
{
    Q_OBJECT
public:
    explicit FlameBeside(QWidget *parent);

    double share() const override { return 0.6; }
    std::vector<QWidget *> pictures() const override;
    bool showTable(const ShownTable &shown) override;
    void showRow(std::optional<std::uint32_t> row) override;
    void forget() override;

private:
    FlameView *m_view;
};

class MemoryBeside : public Companion
{
    Q_OBJECT
public:
    MemoryBeside(ViewState &state, QWidget *parent);
    ~MemoryBeside() override;

    double share() const override { return 0.5; }
    std::vector<QWidget *> pictures() const override;
    bool showTable(const ShownTable &shown) override;
    void forget() override;

private:
    void lookAt(TimeNs time); // view time

    ViewState &m_state;
    MemoryChart *m_chart;
    JobSlot m_job;
};

} // namespace ks
