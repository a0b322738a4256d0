// SPDX-License-Identifier: GPL-3.0-or-later
// How the lanes of the timeline are arranged: folded, pinned, hidden, moved, resized, left out.
#include "core/view/lane_groups.h"
#include "widgets/render/colours.h"
#include "widgets/render/header_painter.h"
#include "widgets/timeline/timeline_view.h"

#include <QLineEdit>
#include <QScrollBar>

#include <algorithm>

namespace ks {
namespace {

bool hasEventIn(const Trace &trace, const Lane &lane, TimeRange range)
{
    const auto &begins = trace.events().begin;
    for (RowId r = lane.firstRow; r < lane.endRow; r = advance(r, 1)) {
        const Row &row = trace.row(r);
        const auto first = begins.begin() + static_cast<std::ptrdiff_t>(row.firstEvent);
        const auto end = begins.begin() + static_cast<std::ptrdiff_t>(row.endEvent);
        const auto at = std::lower_bound(first, end, range.begin);
        if (at != end && *at < range.end)
            return true;
        if (at != first && trace.end(static_cast<EventId>(at - begins.begin() - 1)) > range.begin)
            return true;
    }
    return false;
}

} // namespace

void TimelineView::setArrangement(std::size_t track, LaneArrangement lanes)
{
    if (track >= m_tracks.tracks().size() || lanes == m_tracks.tracks()[track].lanes)
        return;
    m_tracks.track(track).lanes = std::move(lanes);
    m_tracks.relayout(track);
    layoutChanged();
    m_rest.start();
    emit arrangementChanged();
}

void TimelineView::fold(std::size_t position, std::size_t blockAt, HeaderPart part)
{
    const Block block = m_tracks.tracks()[position].layout.blocks()[blockAt];
    LaneArrangement lanes = m_tracks.tracks()[position].lanes;
    const auto toggle = [](auto &set, auto value) {
        if (!set.erase(value))
            set.insert(value);
    };
    switch (part) {
    case HeaderPart::None: return;
    case HeaderPart::Group: toggle(lanes.groups, block.group); break;
    case HeaderPart::Lane: toggle(lanes.lanes, block.lane); break;
    case HeaderPart::Python: toggle(lanes.python, block.lane); break;
    case HeaderPart::HiddenRows: toggle(lanes.fullDepth, block.lane); break;
    case HeaderPart::Causes: toggle(lanes.causes, block.group); break;
    }
    setArrangement(position, std::move(lanes));
}

void TimelineView::foldAll(bool folded)
{
    for (std::size_t i = 0; i < m_tracks.tracks().size(); ++i) {
        LaneArrangement lanes = m_tracks.tracks()[i].lanes;
        lanes.groups.clear();
        lanes.lanes.clear();
        lanes.python.clear();
        lanes.fullDepth.clear();
        if (folded) {
            for (const LaneGroup &group : m_tracks.tracks()[i].index->groups())
                lanes.lanes.insert(group.lanes.begin(), group.lanes.end());
        }
        setArrangement(i, std::move(lanes));
    }
}

std::optional<LaneRef> TimelineView::laneOfBlock(std::size_t track, std::size_t block) const
{
    if (track >= m_tracks.tracks().size() || block >= m_tracks.tracks()[track].layout.blocks().size())
        return {};
    const LaneId lane = m_tracks.tracks()[track].layout.blocks()[block].lane;
    return lane == kNoLane ? std::nullopt : std::optional(m_tracks.tracks()[track].ref(lane));
}

std::optional<LaneRef> TimelineView::currentLane() const
{
    if (const EventRef *event = selectedEvent(m_state.selection())) {
        if (const Track *track = m_tracks.trackOf(*event))
            return track->ref(track->trace->lane(event->event));
    }
    if (const Area *area = selectedArea(m_state.selection()); area && !area->lanes.empty())
        return area->lanes.front();
    return {};
}

bool TimelineView::isPinned(LaneRef lane) const
{
    const Track *track = m_tracks.trackOf(lane);
    return track
           && std::find(track->lanes.pinned.begin(), track->lanes.pinned.end(), lane.lane) != track->lanes.pinned.end();
}

void TimelineView::togglePin(LaneRef lane)
{
    const Track *track = m_tracks.trackOf(lane);
    if (!track)
        return;
    LaneArrangement lanes = track->lanes;
    if (std::erase(lanes.pinned, lane.lane) == 0) {
        lanes.pinned.push_back(lane.lane);
        lanes.hidden.erase(lane.lane);
    }
    setArrangement(lane.trace, std::move(lanes));
}

void TimelineView::hideLane(LaneRef lane)
{
    const Track *track = m_tracks.trackOf(lane);
    if (!track)
        return;
    LaneArrangement lanes = track->lanes;
    std::erase(lanes.pinned, lane.lane);
    lanes.hidden.insert(lane.lane);
    setArrangement(lane.trace, std::move(lanes));
}

void TimelineView::showAllLanes()
{
    m_onlyWithEvents = false;
    m_laneFilter->clear();
    for (std::size_t i = 0; i < m_tracks.tracks().size(); ++i) {
        LaneArrangement lanes = m_tracks.tracks()[i].lanes;
        lanes.hidden.clear();
        lanes.hiddenCurves.clear();
        lanes.only.reset();
        setArrangement(i, std::move(lanes));
    }
}

bool TimelineView::hasHiddenLanes() const
{
    return std::any_of(m_tracks.tracks().begin(), m_tracks.tracks().end(), [](const Track &track) {
        return !track.lanes.hidden.empty() || !track.lanes.hiddenCurves.empty() || track.lanes.only;
    });
}

void TimelineView::moveBlock(std::size_t position, std::size_t blockAt, std::optional<std::size_t> before)
{
    const Track &track = m_tracks.tracks()[position];
    const Block block = track.layout.blocks()[blockAt];
    LaneArrangement lanes = track.lanes;
    std::vector<LaneId> order = block.pinned ? lanes.pinned : lanesInOrder(*track.index, block.group, lanes);
    std::erase(order, block.lane);
    auto at = order.end();
    if (before)
        at = std::find(order.begin(), order.end(), track.layout.blocks()[*before].lane);
    order.insert(at, block.lane);
    (block.pinned ? lanes.pinned : lanes.order[block.group]) = std::move(order);
    setArrangement(position, std::move(lanes));
}

void TimelineView::moveLane(LaneRef lane, int by)
{
    const Track *track = m_tracks.trackOf(lane);
    const std::size_t at = track ? track->layout.blockOf(lane.lane) : LaneLayout::kNone;
    if (at == LaneLayout::kNone)
        return;
    const Block block = track->layout.blocks()[at];
    LaneArrangement lanes = track->lanes;
    std::vector<LaneId> order = block.pinned ? lanes.pinned : lanesInOrder(*track->index, block.group, lanes);
    const auto from = std::find(order.begin(), order.end(), lane.lane) - order.begin();
    const auto to = std::clamp<std::ptrdiff_t>(from + by, 0, static_cast<std::ptrdiff_t>(order.size()) - 1);
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, lane.lane);
    (block.pinned ? lanes.pinned : lanes.order[block.group]) = std::move(order);
    setArrangement(lane.trace, std::move(lanes));
}

void TimelineView::resizeBlock(std::size_t position, std::size_t blockAt, int height)
{
    const Track &track = m_tracks.tracks()[position];
    const Block &block = track.layout.blocks()[blockAt];
    LaneArrangement lanes = track.lanes;
    if (block.kind == BlockKind::Curves) {
        lanes.curveHeight[block.curveLane] = std::clamp(height, kLeastCurveHeight, kGreatestCurveHeight);
    } else {
        const auto rows = static_cast<int>(std::max<std::uint32_t>(block.shownWork + block.shownPython, 1));
        const int strip = block.pythonFolded && block.pythonRows() > 0 ? kRowPitch : 0;
        const int room = height - 2 * kLanePadding - strip;
        lanes.pitch[block.lane] = std::clamp((room + rows / 2) / rows, kLeastPitch, kGreatestPitch);
    }
    setArrangement(position, std::move(lanes));
}

void TimelineView::resizeLane(LaneRef lane, int by)
{
    const Track *track = m_tracks.trackOf(lane);
    const std::size_t at = track ? track->layout.blockOf(lane.lane) : LaneLayout::kNone;
    if (at == LaneLayout::kNone)
        return;
    LaneArrangement lanes = track->lanes;
    lanes.pitch[lane.lane] = std::clamp(track->layout.blocks()[at].pitch + by, kLeastPitch, kGreatestPitch);
    setArrangement(lane.trace, std::move(lanes));
}

void TimelineView::setRowPitch(int pitch)
{
    for (std::size_t i = 0; i < m_tracks.tracks().size(); ++i) {
        LaneArrangement lanes = m_tracks.tracks()[i].lanes;
        lanes.pitch.clear();
        if (pitch != kRowPitch) {
            for (std::size_t lane = 0; lane < m_tracks.tracks()[i].trace->lanes().size(); ++lane)
                lanes.pitch[static_cast<LaneId>(lane)] = pitch;
        }
        setArrangement(i, std::move(lanes));
    }
}

void TimelineView::setLaneFilter(const QString &text)
{
    m_laneFilter->setText(text);
}

void TimelineView::focusLaneFilter()
{
    m_laneFilter->setFocus(Qt::ShortcutFocusReason);
    m_laneFilter->selectAll();
}

void TimelineView::setOnlyWithEvents(bool only)
{
    m_onlyWithEvents = only;
    applyLaneFilter();
}

std::set<LaneId> TimelineView::lanesThatFit(const Track &track, const QString &wanted) const
{
    std::set<LaneId> fitting;
    const TimeRange range = track.viewportOf(m_view).range();
    for (const LaneGroup &group : track.index->groups()) {
        const bool groupFits = toText(group.title).contains(wanted, Qt::CaseInsensitive);
        for (const LaneId id : group.lanes) {
            const Lane &lane = track.trace->lane(id);
            const bool fits = wanted.isEmpty() || groupFits
                              || toText(laneTitle(*track.trace, lane)).contains(wanted, Qt::CaseInsensitive)
                              || toText(lane.name).contains(wanted, Qt::CaseInsensitive);
            if (fits && (!m_onlyWithEvents || hasEventIn(*track.trace, lane, range)))
                fitting.insert(id);
        }
    }
    return fitting;
}

void TimelineView::applyLaneFilter()
{
    const QString wanted = m_laneFilter->text().trimmed();
    const bool isFiltering = m_onlyWithEvents || !wanted.isEmpty();
    for (std::size_t i = 0; i < m_tracks.tracks().size(); ++i) {
        const Track &track = m_tracks.tracks()[i];
        LaneArrangement lanes = track.lanes;
        if (isFiltering)
            lanes.only = lanesThatFit(track, wanted);
        else
            lanes.only = std::nullopt;
        setArrangement(i, std::move(lanes));
    }
}

} // namespace ks
