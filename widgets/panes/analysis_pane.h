// SPDX-License-Identifier: GPL-3.0-or-later
// One analysis of the registry as a pane: its options, its table for what is selected, visible or filtered, and the way from a row back
// into the timeline. What it counts stands above the table in words. A pane that is not on screen computes nothing.
#pragma once

#include "core/analysis/analysis.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/state/question.h"
#include "widgets/state/view_state.h"
#include "widgets/tables/table_view.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QSplitter;
class QStackedLayout;

namespace ks {

class OptionBar;
class TableChart;

class AnalysisPane : public QWidget
{
    Q_OBJECT
public:
    // `analysis` is one of the registry; `state` outlives the pane.
    AnalysisPane(const Analysis &analysis, ViewState &state, QWidget *parent = nullptr);
    ~AnalysisPane() override;

    const Analysis &analysis() const { return m_analysis; }
    TableModel &model() { return m_view->table(); }
    const TableModel &model() const { return m_view->table(); }
    TableChart &chart() { return *m_chart; } // hidden where a chart would not help
    TableView &view() { return *m_view; }
    OptionBar &options() { return *m_options; }
    QString words() const; // what stands above the table
    bool isUpToDate() const { return !m_isStale && !m_job.isRunning(); }

signals:
    void computed();
    void exported(const QString &path);
    void failed(const QString &why);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void ask(); // soon, if on screen
    void compute();
    void showTable(std::shared_ptr<const Table> table);
    void say(const QString &text);
    void follow(const QModelIndex &index);   // selects what the row is about
    void activate(const QModelIndex &index); // brings it on screen
    void findSelection();
    void showMenu(QPoint position);
    void chooseExport();

    const Analysis &m_analysis;
    ViewState &m_state;
    TableView *m_view;
    TableChart *m_chart;
    QSplitter *m_both;
    OptionBar *m_options;
    QLabel *m_words;
    QLabel *m_empty;
    QProgressBar *m_progress;
    QStackedLayout *m_stack;
    QTimer m_patience;
    JobSlot m_job;
    Question m_asked; // that the table answers
    bool m_isStale = true;
    bool m_isFollowing = false; // the selection comes from here
};

} // namespace ks
