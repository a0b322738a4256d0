// SPDX-License-Identifier: GPL-3.0-or-later
// Find: all events a filter text matches, over all open traces, worked out on a worker. Marked on lanes and overview;
// next() and previous() walk through them in time. The grammar is that of filters.
#pragma once

#include "widgets/jobs/job_slot.h"
#include "widgets/state/view_state.h"

#include <memory>
#include <vector>

namespace ks {

struct FoundInTrace
{
    std::vector<EventId> events; // ascending, that is row by row and by begin within a row
    std::vector<EventId> byTime; // by (begin, id)
};

struct Found
{
    std::vector<FoundInTrace> traces; // by position in the TraceSet
    std::size_t count = 0;
    TimeNs sum = 0;  // of all durations
    TimeNs busy = 0; // union per trace, added up
};

class Finder : public QObject
{
    Q_OBJECT
public:
    explicit Finder(ViewState &state, QObject *parent = nullptr);

    void search(const QString &query); // "" finds nothing and takes the marks away
    const QString &query() const { return m_query; }
    const Found &found() const { return *m_found; }
    bool isSearching() const { return m_job.isRunning(); }
    const QString &error() const { return m_error; } // why the query finds nothing; "" if it can be read
    // Goes to the next (+1) or previous (-1) hit from the selected event, else from the left edge of the view; around
    // the end to the other one. Returns the number of the hit from 1, 0 if there is none. While it searches: as soon as it
    // has found them.
    std::size_t step(int direction);
    std::size_t current() const { return m_current; } // number of the hit that is selected, 0 = none

signals:
    void changed(); // query, found or error

private:
    struct Hit
    {
        std::uint32_t trace = 0;
        EventId event = kNoEvent;
        TimeNs begin = 0; // view time
    };
    Hit hit(std::size_t trace, std::size_t position) const;
    void run();
    std::size_t numberOf(Hit hit) const;

    ViewState &m_state;
    QString m_query;
    QString m_error;
    std::shared_ptr<const Found> m_found;
    std::size_t m_current = 0;
    int m_wantedStep = 0; // once it has found them
    JobSlot m_job;
};

} // namespace ks
