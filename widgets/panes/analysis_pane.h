// SPDX-License-Identifier: GPL-3.0-or-later
// One analysis of the registry as a pane: its options, its table for what is selected, visible or filtered, and the way from a row back
// into the timeline.
#pragma once

#include "core/analysis/analysis.h"
#include "widgets/panes/pane.h"
#include "widgets/tables/table_view.h"

#include <memory>
#include <vector>

class QSplitter;

namespace ks {

class Companion;
class OptionBar;

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
    const Table &answer() const { return *m_answer; } // the table without what rows were opened to
    TableView &view() { return *m_view; }
    OptionBar &options() { return *m_options; }
    bool isSorting() const { return m_sorting.isRunning(); }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void compute() override;
    void forget() override;
    bool hasRows() const override;
    bool concernsView() const override;

private:
    void showTable(std::shared_ptr<const Table> table);
    void follow(const QModelIndex &index);   // selects what the row is about
    void activateRow(std::uint32_t row);     // of the table
    void activate(const QModelIndex &index); // brings it on screen
    void showRow(const QModelIndex &index);
    void add(Companion &companion);
    void placeBeside(Companion &companion);
    void fillNext(); // of the rows that were opened
    void sortRows(); // that are too many to be sorted at once
    void findSelection();
    void markHovered();
    std::optional<EventRef> eventOf(const QModelIndex &index) const; // if it is about one
    void showMenu(QPoint position);
    void chooseExport();

    const Analysis &m_analysis;
    TableView *m_view;
    std::vector<Companion *> m_companions; // beside the table
    QSplitter *m_both;
    OptionBar *m_options;
    Question m_asked;                                                        // that the table answers
    std::shared_ptr<const Table> m_answer = std::make_shared<const Table>(); // without what rows were opened to
    std::vector<std::uint32_t> m_opened;                                     // rows that wait for what is inside them
    JobSlot m_filling;
    JobSlot m_sorting; // of a long table
};

} // namespace ks
