// SPDX-License-Identifier: GPL-3.0-or-later
// The open traces as they stand under each other in the timeline: layout, arrangement, view index and y of each. With more
// than one trace, each has a title above its lanes. Looking up is O(log lanes).
#pragma once

#include "core/view/lane_layout.h"
#include "core/view/viewport.h"
#include "widgets/state/trace_set.h"
#include "widgets/timeline/scroll.h"

#include <QString>

#include <optional>
#include <vector>

namespace ks {

inline constexpr int kTrackTitleHeight = 22;

struct Track
{
    std::uint32_t position = 0; // in the TraceSet
    std::uint32_t generation = 0;
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const ViewIndex> index;
    LaneArrangement lanes; // as a person arranged them
    LaneLayout layout;
    TimeNs offset = 0;
    int top = 0; // y of its lanes, below its title
    QString title;

    EventRef ref(EventId event) const { return {position, generation, event}; }
    LaneRef ref(LaneId lane) const { return {position, generation, lane}; }
    Viewport viewportOf(const Viewport &view) const { return view.shiftedBy(saturatingSubtract(0, offset)); }
};

class TrackList
{
public:
    // Takes over what is open. The arrangement of a trace that was reloaded from the same file is kept. True if none of the
    // traces that were shown before is still there in any form: a new opening.
    bool sync(const TraceSet &traces);
    void relayout(std::size_t track); // after its arrangement changed

    const std::vector<Track> &tracks() const { return m_tracks; }
    Track &track(std::size_t i) { return m_tracks[i]; }
    int titleHeight() const { return m_tracks.size() > 1 ? kTrackTitleHeight : 0; }
    int height() const { return m_height; }
    // What stays when the others scroll: the pinned lanes of each trace, with the title of the first if it has some.
    const std::vector<Scroll::Stretch> &stays() const { return m_stays; }
    std::uint64_t version() const { return m_version; } // grows with every change of layout or traces

    const Track *trackAt(int y) const;        // y inside its lanes or title; null below all
    const Track *trackOf(EventRef ref) const; // null if stale
    const Track *trackOf(LaneRef ref) const;

private:
    void stack();

    std::vector<Track> m_tracks;
    std::vector<Scroll::Stretch> m_stays;
    int m_height = 0;
    std::uint64_t m_version = 0;
};

} // namespace ks
