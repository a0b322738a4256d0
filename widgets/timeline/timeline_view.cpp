// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_view.h"

#include "core/view/first_view.h"
#include "core/view/neighbours.h"
#include "widgets/render/colours.h"
#include "widgets/render/header_painter.h"
#include "widgets/render/ruler_painter.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/overview.h"
#include "widgets/timeline/time_ruler.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>
#include <cmath>

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

TimelineView::TimelineView(ViewState &state, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_state(state)
    , m_headers(new LaneHeaders(m_tracks, this))
    , m_ruler(new TimeRuler(state, this))
    , m_overview(new Overview(state, m_tracks, this))
    , m_animation([this](TimeRange range) {
        m_view.setRange(range);
        applyView();
    })
    , m_motion([this](double zoom, double pan) {
        m_animation.stop();
        const double anchor = m_cursorX.value_or(m_view.width() / 2);
        m_view.zoomAt(std::clamp(anchor, 0.0, m_view.width()), zoom);
        m_view.panBy(pan * m_view.width());
        applyView();
    })
    , m_animationMs(style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this))
{
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Lanes of events over time. Arrow keys go from event to event, W and S zoom, A and D pan."));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setViewportMargins(kHeaderWidth, kOverviewHeight + kRulerHeight, 0, 0);
    m_ruler->setHeaderWidth(kHeaderWidth);
    m_overview->setHeaderWidth(kHeaderWidth);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setAccessibleName(tr("Lanes of events"));
    viewport()->grabGesture(Qt::PinchGesture);
    verticalScrollBar()->setSingleStep(kRowPitch);

    connect(&state, &ViewState::tracesChanged, this, &TimelineView::syncTraces);
    connect(&state, &ViewState::visibleRangeChanged, this, &TimelineView::takeRangeOfState);
    connect(&state, &ViewState::selectionChanged, this, &TimelineView::takeSelectionOfState);
    connect(&state, &ViewState::markersChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&state, &ViewState::revealRequested, this, &TimelineView::reveal);
    connect(&state, &ViewState::hoveredChanged, this, [this] {
        m_hoveredLinks.clear();
        if (const auto hovered = m_state.hovered()) {
            const Track *track = m_tracks.trackOf(*hovered);
            if (track && m_flowsShown && track->trace->kind(hovered->event) != EventKind::Annotation)
                m_hoveredLinks = flowLinksOf(*track->trace, hovered->event, kMaxFlows);
        }
        viewport()->update();
    });
    connect(m_headers, &LaneHeaders::foldRequested, this, &TimelineView::fold);
    connect(m_ruler, &TimeRuler::zoomRequested, this, &TimelineView::zoomTo);
    connect(m_ruler, &TimeRuler::areaDragged, this, [this](TimeRange range, bool finished) {
        m_draggedArea = Area{range, {}};
        if (finished) {
            m_draggedArea.reset();
            m_state.select(Area{range, {}});
        }
        viewport()->update();
    });
    connect(m_overview, &Overview::rangeRequested, this, [this](TimeRange range) {
        m_animation.stop();
        m_view.setRange(range);
        applyView();
    });
    syncTraces();
}

TimelineView::~TimelineView() = default;

bool TimelineView::isDark() const
{
    return palette().window().color().lightness() < 128;
}

int TimelineView::scrollY() const
{
    return verticalScrollBar()->value();
}

void TimelineView::syncTraces()
{
    const bool fresh = m_tracks.sync(m_state.traces());
    m_matching.assign(m_tracks.tracks().size(), nullptr);
    ++m_filterVersion;
    m_selectedLinks.clear();
    m_hoveredLinks.clear();
    m_animation.stop();
    const TimeRange whole = m_state.traces().range();
    const TimeRange main = m_state.traces().mainRange();
    m_overview->setWholeRange(main.isEmpty() ? whole : main);
    if (m_tracks.tracks().empty()) {
        m_view = Viewport({0, 1000}, {0, 1000}, viewport()->width());
    } else {
        m_view = Viewport(whole, m_state.visibleRange(), viewport()->width());
        if (fresh || m_state.visibleRange().isEmpty() || !m_state.visibleRange().intersects(whole))
            showFirstView();
    }
    layoutChanged();
    takeSelectionOfState();
}

void TimelineView::showFirstView()
{
    const Track &first = m_tracks.tracks().front();
    const TimeRange range = firstRange(*first.trace, *first.index);
    m_view.setRange({saturatingAdd(range.begin, first.offset), saturatingAdd(range.end, first.offset)});
    m_firstScrollPending = true; // the height is known when it is painted
    applyView();
    m_state.clearHistory();
}

void TimelineView::applyView()
{
    m_applying = true;
    if (!m_tracks.tracks().empty())
        m_state.setVisibleRange(m_view.range());
    m_applying = false;
    m_ruler->setView(m_view);
    m_headers->setView(m_view, scrollY());
    viewport()->update();
}

void TimelineView::animateTo(TimeRange range)
{
    // What the viewport makes of it is where the animation has to end.
    Viewport target = m_view;
    target.setRange(range);
    m_animation.start(m_view.range(), target.range(), isVisible() ? m_animationMs : 0);
}

void TimelineView::takeRangeOfState()
{
    if (m_applying || m_state.visibleRange() == m_view.range())
        return;
    m_animation.stop();
    m_view.setRange(m_state.visibleRange());
    applyView();
}

void TimelineView::takeSelectionOfState()
{
    m_selectedLinks.clear();
    if (const EventRef *selected = selectedEvent(m_state.selection())) {
        const Track *track = m_tracks.trackOf(*selected);
        if (track && m_flowsShown && track->trace->kind(selected->event) != EventKind::Annotation)
            m_selectedLinks = flowLinksOf(*track->trace, selected->event, kMaxFlows);
    }
    viewport()->update();
}

void TimelineView::setColourMode(ColourMode mode)
{
    m_colourMode = mode;
    viewport()->update();
}

void TimelineView::setFlowsShown(bool shown)
{
    m_flowsShown = shown;
    m_hoveredLinks.clear();
    takeSelectionOfState();
}

void TimelineView::setMatching(std::uint32_t trace, ContentLayer::Matching matching)
{
    if (trace >= m_matching.size())
        return;
    m_matching[trace] = std::move(matching);
    ++m_filterVersion;
    viewport()->update();
}

QRectF TimelineView::rectOf(EventRef event) const
{
    return ks::rectOf(m_tracks, m_view, scrollY(), event);
}

void TimelineView::layoutChanged()
{
    updateScrollBar();
    m_ruler->setView(m_view);
    m_ruler->update();
    m_headers->setView(m_view, scrollY());
    viewport()->update();
}

void TimelineView::updateScrollBar()
{
    const int height = viewport()->height();
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setRange(0, std::max(m_tracks.height() - height, 0));
}

void TimelineView::setFolds(std::size_t track, FoldState folds)
{
    if (track >= m_tracks.tracks().size())
        return;
    m_tracks.track(track).folds = std::move(folds);
    m_tracks.relayout(track);
    layoutChanged();
}

void TimelineView::fold(std::size_t position, std::size_t blockAt, HeaderPart part)
{
    const Block block = m_tracks.tracks()[position].layout.blocks()[blockAt];
    FoldState folds = m_tracks.tracks()[position].folds;
    const auto toggle = [](auto &set, auto value) {
        if (!set.erase(value))
            set.insert(value);
    };
    switch (part) {
    case HeaderPart::None: return;
    case HeaderPart::Group: toggle(folds.groups, block.group); break;
    case HeaderPart::Lane: toggle(folds.lanes, block.lane); break;
    case HeaderPart::Python: toggle(folds.python, block.lane); break;
    case HeaderPart::HiddenRows: toggle(folds.fullDepth, block.lane); break;
    }
    setFolds(position, std::move(folds));
}

void TimelineView::foldAll(bool folded)
{
    for (std::size_t i = 0; i < m_tracks.tracks().size(); ++i) {
        FoldState folds;
        if (folded) {
            for (const LaneGroup &group : m_tracks.tracks()[i].index->groups())
                folds.lanes.insert(group.lanes.begin(), group.lanes.end());
        }
        setFolds(i, std::move(folds));
    }
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
    FoldState folds = track->folds;
    const std::size_t heading = track->layout.headingOf(lane);
    if (heading != LaneLayout::kNone)
        folds.groups.erase(track->layout.blocks()[heading].group);
    folds.lanes.erase(lane);
    if (trace.row(row).group == RowGroup::Python)
        folds.python.insert(lane);
    if (trace.row(row).depth >= kMaxRows)
        folds.fullDepth.insert(lane);
    setFolds(event.trace, std::move(folds));
}

void TimelineView::scrollTo(EventRef event)
{
    const QRectF rect = rectOf(event);
    if (rect.isNull())
        return;
    const double margin = std::min(2.0 * kRowPitch, viewport()->height() / 4.0);
    if (rect.top() < margin)
        verticalScrollBar()->setValue(scrollY() + static_cast<int>(rect.top() - margin));
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
        target.zoomAt(std::clamp(target.xOf(range.begin), 0.0, target.width()), kLeastSeen / target.widthOf(static_cast<TimeNs>(shortest)));
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
        selectAndFollow({selected->trace, selected->generation, previousInRow(m_state.traces().at(selected->trace), selected->event)});
}

void TimelineView::selectNextInRow()
{
    if (const EventRef *selected = selectedEvent(m_state.selection()))
        selectAndFollow({selected->trace, selected->generation, nextInRow(m_state.traces().at(selected->trace), selected->event)});
}

void TimelineView::selectParent()
{
    if (const EventRef *selected = selectedEvent(m_state.selection()))
        selectAndFollow({selected->trace, selected->generation, m_state.traces().at(selected->trace).parent(selected->event)});
}

void TimelineView::selectChild()
{
    if (const EventRef *selected = selectedEvent(m_state.selection()))
        selectAndFollow({selected->trace, selected->generation, firstChild(m_state.traces().at(selected->trace), selected->event)});
}

void TimelineView::clearSelection()
{
    m_state.select({});
}

TrackFlows TimelineView::flowsOf(std::optional<EventRef> event, const std::vector<FlowLink> &links) const
{
    TrackFlows flows;
    const Track *track = event && !links.empty() ? m_tracks.trackOf(*event) : nullptr;
    if (!track)
        return flows;
    flows.track = event->trace;
    const int top = scrollY() - track->top;
    flows.curves = layoutFlows(*track->trace, track->viewportOf(m_view), track->layout, {top, top + viewport()->height()}, links);
    return flows;
}

ContentLayer::Key TimelineView::contentKey() const
{
    return {m_tracks.version(), m_view, viewport()->size(), viewport()->devicePixelRatioF(), scrollY(), isDark(), m_colourMode,
            m_filterVersion};
}

void TimelineView::paintEvent(QPaintEvent *)
{
    if (m_firstScrollPending && !m_tracks.tracks().empty()) {
        m_firstScrollPending = false;
        const Track &first = m_tracks.tracks().front();
        verticalScrollBar()->setValue(firstScroll(*first.trace, first.layout, viewport()->height()));
    }
    QPainter painter(viewport());
    const Theme &theme = themeFor(isDark());
    if (m_tracks.tracks().empty()) {
        painter.fillRect(viewport()->rect(), toColour(theme.lanes));
        painter.setPen(toColour(theme.muted));
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("No trace is open"));
        return;
    }
    painter.drawImage(QPoint(), m_content.image(contentKey(), m_tracks, m_matching));
    const EventRef *selected = selectedEvent(m_state.selection());
    const TrackFlows flows = flowsOf(selected ? std::optional(*selected) : std::nullopt, m_selectedLinks);
    const bool sameAsSelected = selected && m_state.hovered() == *selected;
    const TrackFlows hoverFlows = sameAsSelected ? TrackFlows{} : flowsOf(m_state.hovered(), m_hoveredLinks);
    paintOverlay(painter, {m_tracks, m_content, m_state, m_view, theme, viewport()->size(), scrollY(), flows, hoverFlows,
                           m_draggedArea, m_cursorX});
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    const QRect inside = viewport()->geometry();
    const int right = width();
    m_overview->setGeometry(0, 0, right, kOverviewHeight);
    m_ruler->setGeometry(0, kOverviewHeight, right, kRulerHeight);
    m_headers->setGeometry(0, inside.top(), kHeaderWidth, inside.height());
    if (!m_tracks.tracks().empty() && m_view.width() != inside.width()) {
        // The range stays, the scale changes.
        const TimeRange range = m_animation.isRunning() ? m_animation.target() : m_state.visibleRange();
        m_animation.stop();
        m_view = Viewport(m_view.bounds(), range, inside.width());
        applyView();
    }
    layoutChanged();
}

void TimelineView::scrollContentsBy(int, int)
{
    m_headers->setView(m_view, scrollY());
    viewport()->update();
}

void TimelineView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
    QAbstractScrollArea::changeEvent(event);
}

} // namespace ks
