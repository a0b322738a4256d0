// SPDX-License-Identifier: GPL-3.0-or-later
// Which events the filter of the ViewState matches, worked out on a worker whenever the filter or the traces change. Where that takes the
// arguments of many events, those in view come first, and what matches so far is told from time to time.
#pragma once

#include "widgets/jobs/job_slot.h"
#include "widgets/state/view_state.h"
#include "widgets/timeline/filter_text.h"

#include <functional>
#include <memory>
#include <vector>

namespace ks {

class FilterJob : public QObject
{
    Q_OBJECT
public:
    using Matching = std::shared_ptr<const std::vector<std::uint64_t>>; // a bit per event; null: everything matches
    using Deliver = std::function<void(std::uint32_t trace, Matching matching)>;
    FilterJob(ViewState &state, Deliver deliver, QObject *parent = nullptr);

    bool isRunning() const { return m_job.isRunning(); }
    double share() const { return m_job.isRunning() ? m_job.progress().share : 1; } // of the arguments to be read
    const FilterFault &fault() const { return m_fault; }                            // why the filter cannot be read
    std::size_t matching() const; // events, over all traces, as far as is known; with a filter

signals:
    void changed();    // fault() or matching(), also when the work begins
    void progressed(); // share()

private:
    struct Found
    {
        std::uint32_t trace = 0;
        Matching matching;
        std::size_t count = 0;
    };
    struct SoFar; // where the worker lays down what it found

    static Found foundIn(std::uint32_t trace, Bits matches);
    void run();
    void take(const std::vector<Found> &found);

    ViewState &m_state;
    Deliver m_deliver;
    FilterFault m_fault;
    std::vector<std::size_t> m_matching; // by trace
    std::shared_ptr<SoFar> m_soFar;
    JobSlot m_job;
};

} // namespace ks
