// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/collective_labels.h"

#include "widgets/render/box_labels.h"

#include <algorithm>

namespace ks {

void CollectiveLabels::want(const Track &track, const DrawList &list)
{
    if (m_job.isRunning())
        return; // asked again when it is done
    const EventLabels &known = of(track);
    std::vector<EventId> wanted = collectivesWithLabels(*track.trace, list);
    std::erase_if(wanted, [&known](EventId event) { return known.contains(event); });
    if (wanted.empty())
        return;
    wanted.resize(std::min(wanted.size(), kMostAtOnce));
    m_job.run(
        [trace = track.trace, wanted](const Progress &progress) { return collectiveNames(*trace, wanted, progress); },
        [this, generation = track.generation](const EventLabels &labels) {
            m_known[generation].insert(labels.begin(), labels.end());
            ++m_version;
            emit changed();
        },
        [](const JobError &) {}); // a file that is gone tells nothing: kernels keep their names
}

void CollectiveLabels::forgetAllBut(const TrackList &tracks)
{
    std::erase_if(m_known, [&tracks](const auto &entry) {
        return std::none_of(tracks.tracks().begin(), tracks.tracks().end(),
                            [&entry](const Track &track) { return track.generation == entry.first; });
    });
}

const EventLabels &CollectiveLabels::of(const Track &track) const
{
    static const EventLabels kNothing;
    const auto known = m_known.find(track.generation);
    return known != m_known.end() ? known->second : kNothing;
}

} // namespace ks
