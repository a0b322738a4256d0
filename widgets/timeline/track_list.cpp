// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/track_list.h"

#include "widgets/state/trace_names.h"

#include <algorithm>

namespace ks {

bool TrackList::sync(const TraceSet &traces)
{
    std::vector<Track> before = std::move(m_tracks);
    m_tracks.clear();
    bool anyKnown = false;
    for (std::uint32_t i = 0; i < traces.size(); ++i) {
        Track track;
        const auto same =
            std::find_if(before.begin(), before.end(), [&](const Track &t) { return t.trace == traces.share(i); });
        if (same != before.end()) {
            track = std::move(*same);
            anyKnown = true;
        } else {
            track.trace = traces.share(i);
            track.index = traces.viewIndex(i);
            const auto reloaded = std::find_if(before.begin(), before.end(), [&](const Track &t) {
                return t.trace && !t.trace->metadata().path.empty()
                       && t.trace->metadata().path == track.trace->metadata().path
                       && t.trace->lanes().size() == track.trace->lanes().size();
            });
            anyKnown |= reloaded != before.end();
            track.lanes = reloaded != before.end() ? reloaded->lanes : defaultArrangement(*track.trace, *track.index);
            track.layout = LaneLayout(*track.trace, track.index, track.lanes);
        }
        track.position = i;
        track.generation = traces.generation(i);
        track.offset = traces.offset(i);
        track.title = traceName(traces, i);
        m_tracks.push_back(std::move(track));
    }
    stack();
    return !anyKnown;
}

void TrackList::relayout(std::size_t i)
{
    Track &track = m_tracks[i];
    track.layout = LaneLayout(*track.trace, track.index, track.lanes);
    stack();
}

const Track *TrackList::trackAt(int y) const
{
    for (const Track &track : m_tracks) {
        if (y >= track.top - titleHeight() && y < track.top + track.layout.height())
            return &track;
    }
    return nullptr;
}

const Track *TrackList::trackOf(EventRef ref) const
{
    if (ref.trace >= m_tracks.size() || m_tracks[ref.trace].generation != ref.generation
        || index(ref.event) >= m_tracks[ref.trace].trace->eventCount())
        return nullptr;
    return &m_tracks[ref.trace];
}

const Track *TrackList::trackOf(LaneRef ref) const
{
    if (ref.trace >= m_tracks.size() || m_tracks[ref.trace].generation != ref.generation)
        return nullptr;
    return &m_tracks[ref.trace];
}

void TrackList::stack()
{
    m_height = 0;
    m_stays.clear();
    for (Track &track : m_tracks) {
        track.top = m_height + titleHeight();
        m_height = track.top + track.layout.height();
        if (track.layout.pinnedHeight() > 0)
            m_stays.push_back({track.position == 0 ? 0 : track.top, track.top + track.layout.pinnedHeight()});
    }
    ++m_version;
}

} // namespace ks
