// SPDX-License-Identifier: GPL-3.0-or-later
// How the durations of one name spread in two runs, in the same bins: did all calls become slower, or some?
#pragma once

#include "core/analysis/duration_histogram.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/state/question.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace ks {

class HistogramChart;

class RunHistograms : public QWidget
{
    Q_OBJECT
public:
    enum class Calls : std::uint8_t { Operators, Kernels };

    explicit RunHistograms(QWidget *parent = nullptr);
    ~RunHistograms() override;

    // Soon. `question` is that of a comparison.
    void showName(const Question &question, NameId name, Calls calls);
    void forget();

    QString words() const; // above the chart
    HistogramChart &histogram() { return *m_histogram; }

signals:
    void shown();

private:
    struct Answer
    {
        DurationHistogram before; // counts in the same bins
        DurationHistogram after;
        QString words;
    };

    QLabel *m_words;
    HistogramChart *m_histogram;
    JobSlot m_job;
};

} // namespace ks
