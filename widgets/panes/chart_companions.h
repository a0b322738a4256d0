// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of a whole table: bars of its rows, the waterfall between two steps, the flames of a call tree, memory over time (of two runs both,
// as they are aligned).
#pragma once

#include "widgets/charts/table_chart.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/panes/companion.h"

#include <functional>

namespace ks {

class FlameView;
class MemoryChart;

// A chart that shows a table or has nothing to show of it, and tells which row was clicked.
class ChartBeside : public Companion
{
    Q_OBJECT
public:
    static ChartBeside *bars(BarChart bars, QWidget *parent);
    static ChartBeside *waterfall(QWidget *parent);

    double share() const override { return m_share; }
    std::vector<QWidget *> pictures() const override { return {m_chart}; }
    bool showTable(const ShownTable &shown) override { return m_show(*shown.table); }
    void forget() override { m_show({}); }

private:
    using Show = std::function<bool(const Table &)>;
    ChartBeside(double share, QWidget *parent);

    double m_share;
    QWidget *m_chart = nullptr;
    Show m_show;
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
