// SPDX-License-Identifier: GPL-3.0-or-later
// What a row of operators or kernels consists of: how the durations of its calls spread, and every call over time. Without a row those
// of the whole table.
#pragma once

#include "core/analysis/duration_histogram.h"
#include "core/analysis/row_calls.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/state/question.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QBoxLayout;
class QLabel;

namespace ks {

class CallStrip;
class HistogramChart;

class CallCharts : public QWidget
{
    Q_OBJECT
public:
    enum class Table { Operators, Kernels };

    CallCharts(Table table, ViewState &state, QWidget *parent = nullptr);
    ~CallCharts() override;

    // Soon; what was shown stays until then. `question` as the table was asked.
    void showCalls(const Question &question, const RowCallsOf &row);
    void forget();

    HistogramChart &histogram() { return *m_histogram; }
    CallStrip &strip() { return *m_strip; }
    const std::vector<RowCall> &calls() const { return m_calls; } // of what is shown, begins in view time
    const DurationHistogram &bins() const { return m_bins; }
    std::optional<EventRef>
    longest(EventKind kind) const; // of what is shown, if it is calls of a name and of that kind
    QString words() const;         // above the charts

signals:
    void shown();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Answer
    {
        std::vector<RowCall> calls;
        std::vector<TimeNs> durations; // of the calls
        DurationHistogram bins;
        QString words;
    };
    void compute();
    void take(Answer answer);
    EventRef refOf(std::size_t call) const;
    void markBin(std::size_t bin);
    void findSelection();

    Table m_table;
    ViewState &m_state;
    QLabel *m_words;
    HistogramChart *m_histogram;
    CallStrip *m_strip;
    QBoxLayout *m_both;
    Question m_question;
    RowCallsOf m_row;
    std::vector<RowCall> m_calls;
    DurationHistogram m_bins;
    QTimer m_patience;
    JobSlot m_job;
};

} // namespace ks
