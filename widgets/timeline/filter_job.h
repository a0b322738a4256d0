// SPDX-License-Identifier: GPL-3.0-or-later
// Which events the filter of the ViewState matches, worked out on a worker whenever the filter or the traces change.
#pragma once

#include "widgets/jobs/job_slot.h"
#include "widgets/state/view_state.h"

#include <functional>
#include <memory>
#include <vector>

namespace ks {

class FilterJob : public QObject
{
    Q_OBJECT
public:
    using Bits = std::shared_ptr<const std::vector<std::uint64_t>>; // a bit per event; null: everything matches
    using Deliver = std::function<void(std::uint32_t trace, Bits bits)>;
    FilterJob(ViewState &state, Deliver deliver, QObject *parent = nullptr);

    bool isRunning() const { return m_job.isRunning(); }
    const QString &error() const { return m_error; }    // why the filter cannot be read; "" if it can
    std::size_t matching() const { return m_matching; } // events, over all traces; with a filter

signals:
    void changed(); // error() or matching(), also when the work begins

private:
    void run();

    ViewState &m_state;
    Deliver m_deliver;
    QString m_error;
    std::size_t m_matching = 0;
    JobSlot m_job;
};

} // namespace ks
