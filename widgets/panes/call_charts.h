// SPDX-License-Identifier: GPL-3.0-or-later
// What a row of operators or kernels consists of: how the durations of its calls spread, and every call over time. Without a row those
// of the whole table.
#pragma once

#include "core/analysis/duration_histogram.h"
#include "core/analysis/row_calls.h"
#include "core/view/curve.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/panes/companion.h"

#include <QTimer>

#include <memory>
#include <vector>

class QBoxLayout;

namespace ks {

class CallStrip;
class HistogramChart;

class CallCharts : public HeadedCompanion
{
    Q_OBJECT
public:
    enum class Table { Operators, Kernels };

    CallCharts(Table table, ViewState &state, QWidget *parent = nullptr);
    ~CallCharts() override;

    double share() const override { return 0.35; }
    std::vector<QWidget *> pictures() const override;
    bool showTable(const ShownTable &shown) override;
    void showRow(std::optional<std::uint32_t> row) override; // soon; what was shown stays until then
    void forget() override;
    void addRowActions(QMenu &menu) override;

    HistogramChart &histogram() { return *m_histogram; }
    CallStrip &strip() { return *m_strip; }
    const std::vector<RowCall> &calls() const { return *m_calls; } // of what is shown, begins in view time
    const DurationHistogram &bins() const { return m_bins; }
    // Of what is shown, if it is calls of an operator.
    std::optional<EventRef> longestOperatorCall() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Answer
    {
        std::shared_ptr<const std::vector<RowCall>> calls = std::make_shared<const std::vector<RowCall>>();
        std::shared_ptr<const Curve> durations = std::make_shared<const Curve>(); // of the calls
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
    HistogramChart *m_histogram;
    CallStrip *m_strip;
    QBoxLayout *m_both;
    std::optional<ShownTable> m_shown;
    RowCallsOf m_row;
    std::shared_ptr<const std::vector<RowCall>> m_calls = std::make_shared<const std::vector<RowCall>>();
    DurationHistogram m_bins;
    QTimer m_patience;
    JobSlot m_job;
};

} // namespace ks
