// SPDX-License-Identifier: GPL-3.0-or-later
// How the durations of one name spread in two runs, in the same bins: did all calls become slower, or some?
#pragma once

#include "core/analysis/duration_histogram.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/panes/companion.h"

namespace ks {

class HistogramChart;

class RunHistograms : public HeadedCompanion
{
    Q_OBJECT
public:
    explicit RunHistograms(QWidget *parent = nullptr);
    ~RunHistograms() override;

    double share() const override { return 0.35; }
    std::vector<QWidget *> pictures() const override;
    bool showTable(const ShownTable &shown) override; // where each row is about calls of one name
    void showRow(std::optional<std::uint32_t> row) override;
    void forget() override;

    HistogramChart &histogram() { return *m_histogram; }

private:
    enum class Calls : std::uint8_t { Operators, Kernels };
    struct Answer
    {
        DurationHistogram before; // counts in the same bins
        DurationHistogram after;
        QString words;
    };
    void showName(NameId name, Calls calls);

    HistogramChart *m_histogram;
    std::optional<ShownTable> m_shown;
    JobSlot m_job;
};

} // namespace ks
