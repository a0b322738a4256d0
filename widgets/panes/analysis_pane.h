// SPDX-License-Identifier: GPL-3.0-or-later
// One analysis of the registry as a pane: its options, its table for what is selected, visible or filtered, and the way from a row back
// into the timeline.
#pragma once

#include "core/analysis/analysis.h"
#include "widgets/panes/pane.h"
#include "widgets/tables/table_view.h"

#include <memory>

class QSplitter;

namespace ks {

class CallCharts;
class FlameView;
class MemoryChart;
class OptionBar;
class TableChart;
class RunHistograms;
class WaterfallChart;

class AnalysisPane : public Pane
{
    Q_OBJECT
public:
    // `analysis` is one of the registry; `state` outlives the pane.
    AnalysisPane(const Analysis &analysis, ViewState &state, QWidget *parent = nullptr);
    ~AnalysisPane() override;

    const Analysis &analysis() const { return m_analysis; }
    TableModel &model() { return m_view->table(); }
    const TableModel &model() const { return m_view->table(); }
    TableChart &chart() { return *m_chart; }   // hidden where a chart would not help
    CallCharts *calls() { return m_calls; }    // null where a row is no set of calls
    FlameView *flame() { return m_flame; }     // null but of the call tree
    MemoryChart *memory() { return m_memory; } // null but of memory
    TableView &view() { return *m_view; }
    OptionBar &options() { return *m_options; }

protected:
    void compute() override;
    void forget() override;
    bool hasRows() const override;

private:
    void showTable(std::shared_ptr<const Table> table);
    void follow(const QModelIndex &index);   // selects what the row is about
    void activateRow(std::uint32_t row);     // of the table
    void activate(const QModelIndex &index); // brings it on screen
    void showCalls();                        // of the current row
    bool comparesCalls() const; // only of a comparison
    void showFlame();
    void addPictureMenu(QWidget &chart);
    std::optional<EventRef> longestCall() const;     // of the current row, if it is of operators
    void placeBeside(QWidget &widget, double share); // of the width
    void findSelection();
    void showMenu(QPoint position);
    void chooseExport();

    const Analysis &m_analysis;
    TableView *m_view;
    TableChart *m_chart;
    WaterfallChart *m_waterfall = nullptr; // only of a comparison, like
    RunHistograms *m_runs = nullptr;
    CallCharts *m_calls = nullptr;
    FlameView *m_flame = nullptr;
    MemoryChart *m_memory = nullptr;
    QSplitter *m_both;
    OptionBar *m_options;
    Question m_asked; // that the table answers
};

} // namespace ks
