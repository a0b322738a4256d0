// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_view.h"

#include "core/base/format.h"
#include "core/view/first_view.h"
#include "core/view/lane_groups.h"
#include "widgets/render/colours.h"
#include "widgets/render/header_painter.h"
#include "widgets/render/ruler_painter.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/overview.h"
#include "widgets/timeline/time_ruler.h"

#include <QAccessible>
#include <QEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>

namespace ks {
namespace {

constexpr int kRestMs = 120;

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
    , m_shadings(m_tracks, [this](const Track &track) { return rowsOnScreen(track); })
    , m_filter(state, [this](std::uint32_t trace, Matching bits) { m_shadings.setMatching(trace, std::move(bits)); })
    , m_finder(state)
    , m_laneFilter(new QLineEdit(this))
{
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("Lanes of events over time. Arrow keys go from event to event, W and S zoom, A and D pan."));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setViewportMargins(kHeaderWidth, kOverviewHeight + kRulerHeight, 0, 0);
    m_ruler->setHeaderWidth(kHeaderWidth);
    m_overview->setHeaderWidth(kHeaderWidth);
    viewport()->setMouseTracking(true);
    for (QWidget *part : std::initializer_list<QWidget *>{viewport(), m_headers, m_ruler, m_overview})
        part->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setAccessibleName(tr("Lanes of events"));
    viewport()->grabGesture(Qt::PinchGesture);
    verticalScrollBar()->setSingleStep(kRowPitch);
    m_laneFilter->setObjectName(QStringLiteral("laneFilter"));
    m_laneFilter->setPlaceholderText(tr("Filter lanes"));
    m_laneFilter->setToolTip(tr("Show only lanes whose name holds this"));
    m_laneFilter->setAccessibleName(tr("Filter lanes by name"));
    m_laneFilter->setClearButtonEnabled(true);
    connect(m_laneFilter, &QLineEdit::textChanged, this, &TimelineView::applyLaneFilter);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (m_onlyWithEvents)
            applyLaneFilter();
        findFlowsInView();
        labelCollectives();
    });

    connect(&state, &ViewState::tracesChanged, this, &TimelineView::syncTraces);
    connect(&state, &ViewState::visibleRangeChanged, this, &TimelineView::takeRangeOfState);
    connect(&state, &ViewState::selectionChanged, this, &TimelineView::takeSelectionOfState);
    connect(&state, &ViewState::markersChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&state, &ViewState::revealRequested, this, &TimelineView::reveal);
    connect(&state, &ViewState::hoveredChanged, this, [this] {
        m_hoveredLinks.clear();
        if (const auto hovered = m_state.hovered()) {
            const Track *track = m_tracks.trackOf(*hovered);
            const EventKind kind = track ? track->trace->kind(hovered->event) : EventKind::Annotation;
            // What holds a large part of the picture tells of its arrows when it is selected.
            if (m_flowMode != FlowMode::Off && kind != EventKind::Annotation && kind != EventKind::Python)
                m_hoveredLinks = flowLinksOf(*track->trace, hovered->event, kMaxFlows);
        }
        viewport()->update();
    });
    connect(&m_labels, &CollectiveLabels::changed, this, [this] {
        viewport()->update();
        labelCollectives(); // there may be more
    });
    connect(&m_shadings, &Shadings::changed, viewport(), qOverload<>(&QWidget::update));
    connect(&state, &ViewState::notesChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&m_finder, &Finder::changed, this, [this] {
        m_overview->setFound(m_finder.found());
        viewport()->update();
    });
    connect(m_headers, &LaneHeaders::foldRequested, this, &TimelineView::fold);
    connect(m_headers, &LaneHeaders::resizeRequested, this, &TimelineView::resizeBlock);
    connect(m_headers, &LaneHeaders::moveRequested, this, &TimelineView::moveBlock);
    connect(m_headers, &LaneHeaders::menuRequested, this, [this](std::size_t track, std::size_t block, QPoint place) {
        if (const auto lane = laneOfBlock(track, block))
            emit laneMenuWanted(*lane, place);
    });
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
    m_selectedLinks.clear();
    m_hoveredLinks.clear();
    m_linksInView.clear(); // found again when the view rests
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
    m_shadings.sync();
    m_labels.forgetAllBut(m_tracks);
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
    m_headers->setView(m_view, scroll());
    m_rest.start();
    viewport()->update();
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
        if (track && m_flowMode != FlowMode::Off && track->trace->kind(selected->event) != EventKind::Annotation)
            m_selectedLinks = flowLinksOf(*track->trace, selected->event, kMaxFlows);
    }
    announceSelection();
    viewport()->update();
}

// For screen readers: what is selected, in words.
void TimelineView::announceSelection()
{
    QString text = tr("Nothing is selected");
    if (const EventRef *selected = selectedEvent(m_state.selection())) {
        if (const Track *track = m_tracks.trackOf(*selected)) {
            const Trace &trace = *track->trace;
            text = tr("%1, %2, on %3")
                       .arg(toText(trace.name(selected->event)).left(200),
                            toText(formatDuration(trace.duration(selected->event))),
                            toText(laneTitle(trace, trace.lane(trace.lane(selected->event)))));
        }
    } else if (const Area *area = selectedArea(m_state.selection())) {
        text = tr("%1 are selected").arg(toText(formatDuration(area->range.duration())));
    }
    if (text == viewport()->accessibleDescription())
        return;
    viewport()->setAccessibleDescription(text);
    QAccessibleEvent changed(viewport(), QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void TimelineView::setColourMode(ColourMode mode)
{
    m_shadings.setMode(mode);
}

void TimelineView::setMatching(std::uint32_t trace, Matching matching)
{
    m_shadings.setMatching(trace, std::move(matching));
}

QRectF TimelineView::rectOf(EventRef event) const
{
    return ks::rectOf(m_tracks, m_view, scroll(), event);
}

void TimelineView::layoutChanged()
{
    updateScrollBar();
    m_ruler->setView(m_view);
    m_ruler->update();
    m_headers->setView(m_view, scroll());
    viewport()->update();
}

void TimelineView::updateScrollBar()
{
    const int height = viewport()->height();
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setRange(0, std::max(m_tracks.height() - height, 0));
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    const QRect inside = viewport()->geometry();
    const int right = inside.right() + 1; // the scroll bar has the full height
    m_overview->setGeometry(0, 0, right, kOverviewHeight);
    m_ruler->setGeometry(0, kOverviewHeight, right, kRulerHeight);
    m_headers->setGeometry(0, inside.top(), kHeaderWidth, inside.height());
    m_laneFilter->setGeometry(6, kOverviewHeight + 4, kHeaderWidth - 13, kRulerHeight - 8);
    m_laneFilter->raise();
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
    m_rest.start();
    m_headers->setView(m_view, scroll());
    viewport()->update();
}

void TimelineView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
    QAbstractScrollArea::changeEvent(event);
}

} // namespace ks
