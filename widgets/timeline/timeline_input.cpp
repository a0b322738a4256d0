// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel, gestures and keys of the timeline.
#include "core/base/format.h"
#include "widgets/render/colours.h"
#include "widgets/timeline/timeline_tooltip.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr double kNotch = 120; // angleDelta of one notch of a wheel
constexpr double kZoomPerNotch = 1.25;
constexpr double kPanPerNotch = 0.12;  // part of the width
constexpr double kScrollPerNotch = 54; // pixels: three rows

} // namespace

TimelineView::Target TimelineView::targetAt(QPointF position) const
{
    Target target;
    const int y = scroll().toContent(static_cast<int>(std::floor(position.y())));
    target.track = m_tracks.trackAt(y);
    if (!target.track)
        return target;
    const auto at = static_cast<std::size_t>(target.track - m_tracks.tracks().data());
    target.hit =
        hitTest(*target.track->trace, m_content.list(at), target.track->layout, position.x(), y - target.track->top);
    return target;
}

TimeNs TimelineView::snappedTimeAt(QPointF position) const
{
    const int y = scroll().toContent(static_cast<int>(std::floor(position.y())));
    if (const Track *track = m_tracks.trackAt(y)) {
        const auto at = static_cast<std::size_t>(track - m_tracks.tracks().data());
        if (const auto edge = edgeNear(*track->trace, m_content.list(at), position.x(), y - track->top))
            return saturatingAdd(*edge, track->offset);
    }
    return m_view.timeAt(position.x());
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    if (m_tracks.tracks().empty()) {
        event->ignore();
        return;
    }
    const QPointF delta = event->angleDelta();
    // The event may come from the headers, the ruler or the overview, too.
    const double cursor = std::clamp(viewport()->mapFromGlobal(event->globalPosition()).x(), 0.0, m_view.width());
    if (event->modifiers() & Qt::ControlModifier) {
        const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / kNotch;
        m_animation.stop();
        m_view.zoomAt(cursor, std::pow(kZoomPerNotch, notches));
        applyView();
    } else if ((event->modifiers() & Qt::ShiftModifier) || std::abs(delta.x()) > std::abs(delta.y())) {
        const double along = std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y();
        const double pixels = event->hasPixelDelta() && std::abs(event->pixelDelta().x()) > 0
                                  ? event->pixelDelta().x()
                                  : along / kNotch * kPanPerNotch * m_view.width();
        m_animation.stop();
        m_view.panBy(-pixels);
        applyView();
    } else {
        m_wheelRest += event->hasPixelDelta() ? event->pixelDelta().y() : delta.y() / kNotch * kScrollPerNotch;
        const double whole = std::trunc(m_wheelRest);
        m_wheelRest -= whole;
        verticalScrollBar()->setValue(scrollY() - static_cast<int>(whole));
    }
    event->accept();
}

bool TimelineView::viewportEvent(QEvent *event)
{
    switch (event->type()) {
    case QEvent::ToolTip: {
        const auto *help = static_cast<QHelpEvent *>(event);
        showToolTip(help->pos(), help->globalPos());
        return true;
    }
    case QEvent::Leave:
        m_cursorX.reset();
        m_cursor.reset();
        m_state.setCursor(std::nullopt);
        m_state.setHovered(std::nullopt);
        viewport()->update();
        break;
    case QEvent::NativeGesture:
    case QEvent::Gesture:
        if (handleGesture(event))
            return true;
        break;
    default: break;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

bool TimelineView::handleGesture(QEvent *event)
{
    if (event->type() == QEvent::NativeGesture) {
        const auto *native = static_cast<QNativeGestureEvent *>(event);
        if (native->gestureType() != Qt::ZoomNativeGesture)
            return false;
        m_animation.stop();
        m_view.zoomAt(std::clamp(native->position().x(), 0.0, m_view.width()), std::exp(native->value()));
        applyView();
        return true;
    }
    const auto *gesture = static_cast<QGestureEvent *>(event);
    const auto *pinch = static_cast<QPinchGesture *>(gesture->gesture(Qt::PinchGesture));
    if (!pinch || !(pinch->changeFlags() & QPinchGesture::ScaleFactorChanged))
        return false;
    const double x = viewport()->mapFromGlobal(pinch->centerPoint().toPoint()).x();
    m_animation.stop();
    m_view.zoomAt(std::clamp(x, 0.0, m_view.width()), pinch->scaleFactor());
    applyView();
    return true;
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    m_firstScrollPending = false;
    m_pressedAt = m_draggedTo = event->position();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceHeld)) {
        m_drag = Drag::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        m_drag = Drag::Pressed;
        m_pressedContentY = scroll().toContent(static_cast<int>(event->position().y()));
        m_pressedTime = snappedTimeAt(event->position());
    }
    event->accept();
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF position = event->position();
    m_cursorX = position.x();
    m_cursor = position;
    if (!m_tracks.tracks().empty())
        m_state.setCursor(m_view.timeAt(position.x()));
    switch (m_drag) {
    case Drag::None: hoverAt(position); break;
    case Drag::Pressed:
        if ((position - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
            m_drag = Drag::Area;
            dragArea(position, false);
        }
        break;
    case Drag::Area: dragArea(position, false); break;
    case Drag::Pan: {
        const QPointF by = position - m_draggedTo;
        m_draggedTo = position;
        m_animation.stop();
        m_view.panBy(-by.x());
        verticalScrollBar()->setValue(scrollY() - static_cast<int>(std::lround(by.y())));
        applyView();
        break;
    }
    }
    viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    const Drag drag = m_drag;
    m_drag = Drag::None;
    viewport()->setCursor(m_spaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
    if (drag == Drag::Pressed && event->button() == Qt::LeftButton)
        clickAt(event->position());
    else if (drag == Drag::Area)
        dragArea(event->position(), true);
}

void TimelineView::clickAt(QPointF position)
{
    // Markers of flows lie above everything.
    if (const EventRef *selected = selectedEvent(m_state.selection())) {
        const TrackFlows flows = flowsOf(*selected, m_selectedLinks);
        if (!flows.curves.empty()) {
            const Track &track = m_tracks.tracks()[flows.track];
            const EventId target = edgeMarkerAt(flows.curves, position.x(),
                                                scroll().toContent(static_cast<int>(position.y())) - track.top);
            if (target != kNoEvent) {
                m_state.reveal(track.ref(target));
                return;
            }
        }
    }
    const Target target = targetAt(position);
    switch (target.hit.kind) {
    case Hit::Kind::Event: m_state.select(target.track->ref(target.hit.first)); break;
    case Hit::Kind::Run:
        m_state.select(target.track->ref(
            target.track->index->durations().longest(*target.track->trace, target.hit.first, target.hit.end)));
        break;
    case Hit::Kind::Lane:
        if (const auto gap = gapAt(target, position))
            m_state.select(*gap);
        else
            clearSelection();
        break;
    case Hit::Kind::Nothing:
    case Hit::Kind::Heading:
    case Hit::Kind::Curves: clearSelection(); break;
    case Hit::Kind::Instant: break;
    }
}

// The time a stream waits between two pieces of work can be selected like an event.
std::optional<Area> TimelineView::gapAt(const Target &target, QPointF position) const
{
    if (!target.track || target.hit.kind != Hit::Kind::Lane)
        return {};
    const Block &block = target.track->layout.blocks()[target.hit.block];
    const bool isWork = target.hit.row == kNoRow || target.track->trace->row(target.hit.row).group == RowGroup::Work;
    const BusyTime *busy = block.lane != kNoLane && isWork ? target.track->index->busy(block.lane) : nullptr;
    if (!busy)
        return {};
    const TimeNs offset = target.track->offset;
    const auto gap = busy->gapAt(saturatingSubtract(m_view.timeAt(position.x()), offset));
    if (!gap)
        return {};
    return Area{{saturatingAdd(gap->begin, offset), saturatingAdd(gap->end, offset)}, {target.track->ref(block.lane)}};
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    m_drag = Drag::None; // the second release is no click
    if (event->button() != Qt::LeftButton)
        return;
    const Target target = targetAt(event->position());
    if (target.hit.kind != Hit::Kind::Event && target.hit.kind != Hit::Kind::Run)
        return;
    const Trace &trace = *target.track->trace;
    const TimeRange range =
        target.hit.kind == Hit::Kind::Event
            ? trace.range(target.hit.first)
            : runFacts(trace, target.track->index->durations(), target.hit.first, target.hit.end).range;
    zoomTo({saturatingAdd(range.begin, target.track->offset), saturatingAdd(range.end, target.track->offset)});
}

void TimelineView::hoverAt(QPointF position)
{
    const Target target = targetAt(position);
    m_state.setHovered(target.hit.kind == Hit::Kind::Event ? std::optional(target.track->ref(target.hit.first))
                                                           : std::nullopt);
}

void TimelineView::dragArea(QPointF to, bool finished)
{
    const TimeNs end = snappedTimeAt(to);
    Area area{{std::min(m_pressedTime, end), std::max(m_pressedTime, end)}, {}};
    if (area.range.isEmpty())
        area.range.end = saturatingAdd(area.range.begin, 1);
    const int toY = scroll().toContent(static_cast<int>(to.y()));
    const int top = std::min(m_pressedContentY, toY);
    const int bottom = std::max(m_pressedContentY, toY);
    for (const Track &track : m_tracks.tracks()) {
        for (const Block &block : track.layout.blocks()) {
            if (block.y + track.top > bottom)
                break;
            if (block.kind == BlockKind::Lane && block.y + block.height + track.top > top)
                area.lanes.push_back(track.ref(block.lane));
        }
    }
    m_draggedArea = area;
    if (finished) {
        m_draggedArea.reset();
        m_state.select(std::move(area));
    }
    viewport()->update();
}

void TimelineView::showToolTip(QPoint position, QPoint globalPosition)
{
    const Target target = targetAt(position);
    QString text;
    if (const auto gap = gapAt(target, position))
        text = tr("idle for %1").arg(toText(formatDuration(gap->range.duration())));
    else if (target.track)
        text = timelineTooltip(*target.track, target.hit,
                               saturatingSubtract(m_view.timeAt(position.x()), target.track->offset));
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(globalPosition, text, viewport(), QRect(position.x() - 2, position.y() - 2, 5, 5));
}

void TimelineView::contextMenuEvent(QContextMenuEvent *event)
{
    if (event->reason() == QContextMenuEvent::Mouse) {
        const QPointF position = viewport()->mapFromGlobal(event->globalPos());
        const Target target = targetAt(position);
        if (target.hit.kind == Hit::Kind::Event || target.hit.kind == Hit::Kind::Run)
            clickAt(position);
    }
    emit contextMenuWanted(event->globalPos());
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    if (m_laneFilter->hasFocus()) { // what its line does not want
        if (event->key() == Qt::Key_Escape)
            m_laneFilter->clear();
        if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Return)
            setFocus();
        return;
    }
    if (m_motion.press(*event))
        return;
    const bool plain = !(event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier));
    if (plain) {
        switch (event->key()) {
        case Qt::Key_Left: selectPreviousInRow(); return;
        case Qt::Key_Right: selectNextInRow(); return;
        case Qt::Key_Up: selectParent(); return;
        case Qt::Key_Down: selectChild(); return;
        case Qt::Key_F: fitSelection(); return;
        case Qt::Key_0:
        case Qt::Key_Home: fitAll(); return;
        case Qt::Key_Escape:
            if (m_drag == Drag::Area) {
                m_drag = Drag::None;
                m_draggedArea.reset();
                viewport()->update();
            } else {
                clearSelection();
            }
            return;
        case Qt::Key_Space:
            if (!event->isAutoRepeat()) {
                m_spaceHeld = true;
                viewport()->setCursor(Qt::OpenHandCursor);
            }
            return;
        case Qt::Key_PageUp: verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepSub); return;
        case Qt::Key_PageDown: verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepAdd); return;
        default: break;
        }
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void TimelineView::keyReleaseEvent(QKeyEvent *event)
{
    if (m_motion.release(*event))
        return;
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = false;
        viewport()->setCursor(Qt::ArrowCursor);
        return;
    }
    QAbstractScrollArea::keyReleaseEvent(event);
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    m_motion.stop();
    m_spaceHeld = false;
    QAbstractScrollArea::focusOutEvent(event);
}

} // namespace ks
