// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/analysis_look.h"
#include "widgets/panes/call_charts.h"
#include "widgets/panes/chart_companions.h"
#include "widgets/panes/run_histograms.h"

namespace ks {

std::vector<Companion *> companionsOf(const Analysis &analysis, ViewState &state, QWidget *parent)
{
    std::vector<Companion *> companions;
    if (BarChart bars = chartOf(analysis); !bars.values.empty())
        companions.push_back(ChartBeside::bars(std::move(bars), parent));
    if (analysis.isComparison) {
        companions.push_back(ChartBeside::waterfall(parent));
        companions.push_back(new RunHistograms(parent));
    } else if (analysis.id == "operators") {
        companions.push_back(new CallCharts(CallCharts::Table::Operators, state, parent));
    } else if (analysis.id == "kernels") {
        companions.push_back(new CallCharts(CallCharts::Table::Kernels, state, parent));
    } else if (analysis.id == "calltree") {
        companions.push_back(new FlameBeside(parent));
    } else if (analysis.id == "memory") {
        companions.push_back(new MemoryBeside(state, parent));
    }
    for (Companion *companion : companions)
        companion->hide();
    return companions;
}

} // namespace ks
