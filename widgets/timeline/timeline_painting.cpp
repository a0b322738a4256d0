// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline paints: the picture of the lanes, the arrows of what is in view, and what lies over both.
#include "core/view/first_view.h"
#include "core/view/flows_in_view.h"
#include "widgets/render/colours.h"
#include "widgets/timeline/paint_target.h"
#include "widgets/timeline/timeline_view.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace ks {

void TimelineView::setFlowMode(FlowMode mode)
{
    m_flowMode = mode;
    m_hoveredLinks.clear();
    findFlowsInView();
    takeSelectionOfState();
}

void TimelineView::findFlowsInView()
{
    m_linksInView.clear();
    m_flowsApart = 0;
    if (m_flowMode == FlowMode::InView) {
        m_content.update(contentKey(), m_tracks, m_shadings.shown()); // lists of what is in view now
        for (std::size_t i = 0; i < m_tracks.tracks().size(); ++i) {
            const Track &track = m_tracks.tracks()[i];
            FlowsInView flows = flowsInView(*track.trace, track.viewportOf(m_view), track.layout, m_content.list(i));
            m_flowsApart += flows.apart;
            m_linksInView.push_back(std::move(flows.links));
        }
    }
    emit flowsChanged();
    viewport()->update();
}

void TimelineView::labelCollectives()
{
    m_content.update(contentKey(), m_tracks, m_shadings.shown()); // lists of what is in view now
    for (std::size_t i = 0; i < m_tracks.tracks().size(); ++i)
        m_labels.want(m_tracks.tracks()[i], m_content.list(i));
}

std::size_t TimelineView::flowsDrawn() const
{
    std::size_t count = 0;
    for (const std::vector<FlowLink> &links : m_linksInView)
        count += links.size();
    return count;
}

std::vector<FlowCurve> TimelineView::curvesOf(const Track &track, const std::vector<FlowLink> &links) const
{
    const Scroll at = scroll();
    const FlowView view{at.toContent(at.pinned()) - track.top, at.toContent(viewport()->height()) - track.top,
                        track.layout.pinnedHeight()};
    return layoutFlows(*track.trace, track.viewportOf(m_view), track.layout, view, links);
}

TrackFlows TimelineView::flowsOf(std::optional<EventRef> event, const std::vector<FlowLink> &links) const
{
    TrackFlows flows;
    const Track *track = event && !links.empty() ? m_tracks.trackOf(*event) : nullptr;
    if (!track)
        return flows;
    flows.track = event->trace;
    flows.curves = curvesOf(*track, links);
    return flows;
}

ContentLayer::Key TimelineView::contentKey() const
{
    return {m_tracks.version(), m_view,   viewport()->size(),   viewport()->devicePixelRatioF(),
            scroll(),           isDark(), m_shadings.version(), m_labels.version()};
}

std::vector<RowId> TimelineView::rowsOnScreen(const Track &track) const
{
    const Scroll at = scroll();
    return track.layout.rowsOfLanesIn(std::max(at.toContent(at.pinned()) - track.top, 0),
                                      at.toContent(std::max(viewport()->height(), 1)) - track.top);
}

// The picture of the lanes; what lies over it needs a painter of its own.
void TimelineView::paintContent(const QRegion &exposed)
{
    m_content.update(contentKey(), m_tracks, m_shadings.shown());
    QPainter painter(viewport());
    if (m_content.isNew() && exposed == QRegion(viewport()->rect())) {
        const PaintTarget target = paintTargetOf(painter, viewport()->size(), viewport()->devicePixelRatioF());
        if (target.image) {
            painter.end();
            m_content.drawInto(*target.image, target.origin, m_tracks, m_labels);
            return;
        }
    }
    painter.drawImage(QPoint(), m_content.image(m_tracks, m_labels));
}

void TimelineView::paintEvent(QPaintEvent *event)
{
    if (m_firstScrollPending && !m_tracks.tracks().empty()) {
        m_firstScrollPending = false;
        const Track &first = m_tracks.tracks().front();
        verticalScrollBar()->setValue(firstScroll(*first.trace, first.layout, viewport()->height()));
    }
    const Theme &theme = themeFor(isDark());
    if (!m_tracks.tracks().empty())
        paintContent(event->region());
    QPainter painter(viewport());
    if (m_tracks.tracks().empty()) {
        painter.fillRect(viewport()->rect(), toColour(theme.lanes));
        painter.setPen(toColour(theme.muted));
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("No trace is open"));
        return;
    }
    const EventRef *selected = selectedEvent(m_state.selection());
    const TrackFlows flows = flowsOf(selected ? std::optional(*selected) : std::nullopt, m_selectedLinks);
    const bool sameAsSelected = selected && m_state.hovered() == *selected;
    const TrackFlows hoverFlows = sameAsSelected ? TrackFlows{} : flowsOf(m_state.hovered(), m_hoveredLinks);
    std::vector<TrackFlows> all;
    for (std::size_t i = 0; i < m_linksInView.size() && i < m_tracks.tracks().size(); ++i)
        all.push_back({i, curvesOf(m_tracks.tracks()[i], m_linksInView[i])});
    paintOverlay(painter, {m_tracks, m_content, m_state, m_view, theme, viewport()->size(), scroll(), flows, hoverFlows,
                           all, m_finder.found(), m_draggedArea, m_cursorX});
}

} // namespace ks
