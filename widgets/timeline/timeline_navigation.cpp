// SPDX-License-Identifier: GPL-3.0-or-later
// Where the timeline goes: fitting, revealing, folding, walking from event to event.
#include "core/view/neighbours.h"
#include "widgets/render/header_painter.h"
#include "widgets/timeline/timeline_view.h"

#include <QScrollBar>

#include <algorithm>

namespace ks {
namespace {

constexpr double kAir = 0.08;          // of a range, left free at either side when it is fitted
constexpr double kLeastSeen = 6;       // pixels an event should have to count as visible
constexpr TimeNs kLeastRevealed = 100; // ns: shorter events are not zoomed into any further
constexpr double kRevealMargin = 0.1;  // part of the width kept free when an event is brought into view
constexpr double kZoomStep = 1.5;

TimeRange withAir(TimeRange range)
{
    const auto air = static_cast<TimeNs>(static_cast<double>(range.duration()) * kAir) + 1;
    return {saturatingSubtract(range.begin, air), saturatingAdd(range.end, air)};
}

} // namespace

void TimelineView::animateTo(TimeRange range)
{
    // What the viewport makes of it is where the animation has to end.
    Viewport target = m_view;
    target.setRange(range);
    m_animation.start(m_view.range(), target.range(), isVisible() ? m_animationMs : 0);
}

void TimelineView::makeShown(EventRef event)
{
    const Track *track = m_tracks.trackOf(event);
    const Trace &trace = *track->trace;
    const RowId row = trace.row(event.event);
    const RowPlace::Shown shown = track->layout.placeOf(trace, row).shown;
    if (shown == RowPlace::Shown::Itself || shown == RowPlace::Shown::No)
        return;
    const LaneId lane = trace.row(row).lane;
    LaneArrangement folds = track->lanes;
    folds.hidden.erase(lane);
    folds.only.reset();
    const std::size_t heading = track->layout.headingOf(lane);
    if (heading != LaneLayout::kNone)
        folds.groups.erase(track->layout.blocks()[heading].group);
    folds.lanes.erase(lane);
    if (trace.row(row).group == RowGroup::Python)
        folds.python.insert(lane);
    if (trace.row(row).depth >= kMaxRows)
        folds.fullDepth.insert(lane);
    setArrangement(event.trace, std::move(folds));
}

void TimelineView::scrollTo(EventRef event)
{
    const QRectF rect = rectOf(event);
    const Track *track = m_tracks.trackOf(event);
    if (rect.isNull()
        || track->layout.placeOf(*track->trace, track->trace->row(event.event)).y < track->layout.pinnedHeight())
        return; // not shown, or always
    const double ceiling = scroll().pinned();
    const double margin = std::min(2.0 * kRowPitch, viewport()->height() / 4.0);
    if (rect.top() < ceiling + margin)
        verticalScrollBar()->setValue(scrollY() + static_cast<int>(rect.top() - ceiling - margin));
    else if (rect.bottom() > viewport()->height() - margin)
        verticalScrollBar()->setValue(scrollY() + static_cast<int>(rect.bottom() - viewport()->height() + margin));
}

void TimelineView::reveal(EventRef event)
{
    const Track *track = m_tracks.trackOf(event);
    if (!track)
        return;
    m_firstScrollPending = false;
    makeShown(event);
    scrollTo(event);

    // From where a running animation would have ended.
    Viewport target = m_view;
    if (m_animation.isRunning())
        target.setRange(m_animation.target());
    const TimeRange range = m_state.traces().range(event);
    const double shortest = static_cast<double>(std::max(range.duration(), kLeastRevealed));
    const bool tooNarrow = target.widthOf(static_cast<TimeNs>(shortest)) < kLeastSeen;
    const bool tooWide = target.widthOf(range.duration()) > target.width() * (1 - kRevealMargin);
    if (tooWide) {
        animateTo(withAir(range));
        return;
    }
    if (tooNarrow)
        target.zoomAt(std::clamp(target.xOf(range.begin), 0.0, target.width()),
                      kLeastSeen / target.widthOf(static_cast<TimeNs>(shortest)));
    const double margin = target.width() * kRevealMargin;
    const double x0 = target.xOf(range.begin);
    const double x1 = target.xOf(range.end);
    if (x0 < 0 || x1 > target.width())
        target.panBy(x0 < margin ? x0 - margin : std::max(x1 - (target.width() - margin), 0.0));
    if (target.range() != m_view.range())
        animateTo(target.range());
}

void TimelineView::fitAll()
{
    if (m_tracks.tracks().empty())
        return;
    TimeRange main = m_state.traces().mainRange();
    const TimeRange whole = m_state.traces().range();
    Viewport fitted = m_view;
    fitted.setRange(main);
    // Already there: the second press shows the outliers, too.
    if (main.isEmpty() || (m_animation.isRunning() ? m_animation.target() : m_view.range()) == fitted.range())
        main = whole;
    animateTo(main);
}

void TimelineView::fitSelection()
{
    if (const Area *area = selectedArea(m_state.selection())) {
        zoomTo(area->range);
        return;
    }
    std::optional<TimeRange> range;
    const auto add = [&](EventRef ref) {
        if (!m_state.traces().isValid(ref))
            return;
        const TimeRange own = m_state.traces().range(ref);
        range = range ? range->united(own) : own;
    };
    if (const EventRef *selected = selectedEvent(m_state.selection())) {
        add(*selected);
        if (m_tracks.trackOf(*selected)) {
            makeShown(*selected);
            scrollTo(*selected);
        }
    } else {
        for (const EventRef &ref : m_state.marked())
            add(ref);
    }
    if (range)
        zoomTo(*range);
}

void TimelineView::zoomTo(TimeRange range)
{
    animateTo(withAir(range));
}

void TimelineView::zoomIn()
{
    Viewport target = m_view;
    target.zoomAt(m_cursorX.value_or(m_view.width() / 2), kZoomStep);
    animateTo(target.range());
}

void TimelineView::zoomOut()
{
    Viewport target = m_view;
    target.zoomAt(m_cursorX.value_or(m_view.width() / 2), 1 / kZoomStep);
    animateTo(target.range());
}

void TimelineView::selectAndFollow(EventRef event)
{
    if (event.event == kNoEvent)
        return;
    m_state.select(event);
    reveal(event);
}

void TimelineView::selectPreviousInRow()
{
    if (const EventRef *selected = selectedEvent(m_state.selection()))
        selectAndFollow({selected->trace, selected->generation,
                         previousInRow(m_state.traces().at(selected->trace), selected->event)});
}

void TimelineView::selectNextInRow()
{
    if (const EventRef *selected = selectedEvent(m_state.selection()))
        selectAndFollow(
            {selected->trace, selected->generation, nextInRow(m_state.traces().at(selected->trace), selected->event)});
}

void TimelineView::selectParent()
{
    if (const EventRef *selected = selectedEvent(m_state.selection()))
        selectAndFollow(
            {selected->trace, selected->generation, m_state.traces().at(selected->trace).parent(selected->event)});
}

void TimelineView::selectChild()
{
    if (const EventRef *selected = selectedEvent(m_state.selection()))
        selectAndFollow(
            {selected->trace, selected->generation, firstChild(m_state.traces().at(selected->trace), selected->event)});
}

void TimelineView::goAlongFlow(int direction)
{
    const EventRef *selected = selectedEvent(m_state.selection());
    const Track *track = selected ? m_tracks.trackOf(*selected) : nullptr;
    if (!track)
        return;
    // Of several the nearest in time.
    const Trace &trace = *track->trace;
    EventId best = kNoEvent;
    TimeNs nearest = kMaxTime;
    for (const FlowLink &link : flowLinksOf(trace, selected->event, kMaxFlows)) {
        const EventId other = direction > 0 ? link.to : link.from;
        if (other == selected->event || (direction > 0 ? link.from : link.to) != selected->event)
            continue;
        const TimeNs apart = saturatingSubtract(trace.begin(other), trace.begin(selected->event));
        const TimeNs distance = apart < 0 ? saturatingSubtract(0, apart) : apart;
        if (best == kNoEvent || distance < nearest) {
            nearest = distance;
            best = other;
        }
    }
    if (best != kNoEvent)
        m_state.reveal(track->ref(best));
}

void TimelineView::setMarkerAtCursor()
{
    if (m_tracks.tracks().empty())
        return;
    TimeNs t = m_view.timeAt(m_view.width() / 2);
    if (m_cursor)
        t = snappedTimeAt(*m_cursor);
    else if (const EventRef *selected = selectedEvent(m_state.selection()))
        t = m_state.traces().range(*selected).begin;
    Markers markers = m_state.markers();
    if (!markers.a || markers.b)
        markers = {t, std::nullopt};
    else
        markers.b = t;
    m_state.setMarkers(markers);
}

void TimelineView::pan(int direction)
{
    Viewport target = m_view;
    if (m_animation.isRunning())
        target.setRange(m_animation.target());
    target.panBy(direction * target.width() / 10);
    animateTo(target.range());
}

void TimelineView::clearSelection()
{
    m_state.select({});
}

} // namespace ks
