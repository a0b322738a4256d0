// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of the collectives in view: read from their arguments on a worker, once each, while the view rests. Until then,
// and where nothing tells, a box says the name of its kernel.
#pragma once

#include "core/analysis/collective_names.h"
#include "core/view/draw_list.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/timeline/track_list.h"

#include <QObject>

#include <map>

namespace ks {

class CollectiveLabels : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    // Of the boxes of a track that are wide enough to say something. A few at a time: at most kMostAtOnce.
    void want(const Track &track, const DrawList &list);
    void forgetAllBut(const TrackList &tracks);
    const EventLabels &of(const Track &track) const;
    std::uint64_t version() const { return m_version; } // grows with every change of of()
    bool isWorking() const { return m_job.isRunning(); }

    static constexpr std::size_t kMostAtOnce = 2000;

signals:
    void changed();

private:
    std::map<std::uint32_t, EventLabels> m_known; // by generation
    std::uint64_t m_version = 0;
    JobSlot m_job;
};

} // namespace ks
