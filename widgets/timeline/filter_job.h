// SPDX-License-Identifier: GPL-3.0-or-later
// Which events the filter of the ViewState matches, worked out on a worker whenever the filter or the traces change.
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
    const FilterFault &fault() const { return m_fault; } // why the filter cannot be read
    std::size_t matching() const { return m_matching; }  // events, over all traces; with a filter

signals:
    void changed(); // fault() or matching(), also when the work begins

private:
    void run();

    ViewState &m_state;
    Deliver m_deliver;
    FilterFault m_fault;
    std::size_t m_matching = 0;
    JobSlot m_job;
};

} // namespace ks
