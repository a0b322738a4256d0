// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_overlay.h"

#include "core/base/format.h"
#include "core/base/gallop.h"
#include "widgets/render/colours.h"
#include "widgets/render/timeline_painter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ks {
namespace {

constexpr std::size_t kMostMarked = 3000;
constexpr std::size_t kMostSameName = 4000;
constexpr double kArrow = 6;

class Overlay
{
public:
    Overlay(QPainter &painter, const OverlayPicture &picture)
        : m_painter(painter)
        , m_p(picture)
    {}

    void paint()
    {
        paintArea();
        paintSameName();
        paintFound();
        paintMarked();
        for (const TrackFlows &flows : m_p.flowsInView)
            paintFlows(flows, toColour(m_p.theme.text, 0.45), 1);
        paintFlows(m_p.hoverFlows, toColour(m_p.theme.muted), 1.5);
        paintFlows(m_p.flows, toColour(m_p.theme.selection), 1.5);
        paintOutlines();
        paintNotes();
        paintMarkers();
        paintValues();
        paintPinnedEdge();
    }

private:
    double screenY(const Track &track, double y) const { return m_p.scroll.toScreen(y + track.top); }
    bool inView(const QRectF &rect) const { return rect.intersects(QRectF(QPointF(), m_p.size)); }
    // Where an event is seen; none if it is out of view or behind the pinned lanes.
    std::optional<QRectF> seen(EventRef ref) const
    {
        const QRectF rect = rectOf(m_p.tracks, m_p.view, m_p.scroll, ref);
        if (rect.isNull() || !inView(rect))
            return {};
        const Track &track = *m_p.tracks.trackOf(ref);
        const RowPlace place = track.layout.placeOf(*track.trace, track.trace->row(ref.event));
        return m_p.scroll.hides(place.y + track.top) ? std::nullopt : std::optional(rect);
    }
    QRectF cut(QRectF rect) const // long events must not become lines of a billion pixels
    {
        rect.setLeft(std::max(rect.left(), -8.0));
        rect.setRight(std::min(rect.right(), m_p.size.width() + 8.0));
        return rect;
    }

    void paintArea()
    {
        const Area *area = m_p.dragged ? &*m_p.dragged : selectedArea(m_p.state.selection());
        if (!area)
            return;
        const double x0 = std::clamp(m_p.view.xOf(area->range.begin), -2.0, m_p.size.width() + 2.0);
        const double x1 = std::clamp(m_p.view.xOf(area->range.end), -2.0, m_p.size.width() + 2.0);
        const QColor fill = toColour(m_p.theme.accent, m_p.theme.dark ? 0.20 : 0.13);
        if (area->lanes.empty()) {
            m_painter.fillRect(QRectF(x0, 0, x1 - x0, m_p.size.height()), fill);
        } else {
            for (const LaneRef &ref : area->lanes) {
                const Track *track = m_p.tracks.trackOf(ref);
                const std::size_t at = track ? track->layout.blockOf(ref.lane) : LaneLayout::kNone;
                if (at == LaneLayout::kNone)
                    continue;
                const Block &block = track->layout.blocks()[at];
                QRectF rect(x0, screenY(*track, block.y), x1 - x0, block.height);
                if (!block.pinned)
                    rect.setTop(std::max<double>(rect.top(), m_p.scroll.pinned()));
                if (rect.height() > 0 && inView(rect))
                    m_painter.fillRect(rect, fill);
            }
        }
        m_painter.setPen(QPen(toColour(m_p.theme.accent, 0.8), 1));
        m_painter.drawLine(QPointF(x0, 0), QPointF(x0, m_p.size.height()));
        m_painter.drawLine(QPointF(x1, 0), QPointF(x1, m_p.size.height()));
    }

    NameId highlightedName() const
    {
        if (const NameId *name = selectedName(m_p.state.selection()))
            return *name;
        if (const EventRef *selected = selectedEvent(m_p.state.selection())) {
            if (const Track *track = m_p.tracks.trackOf(*selected))
                return track->trace->nameId(selected->event);
        }
        if (const auto hovered = m_p.state.hovered()) {
            if (const Track *track = m_p.tracks.trackOf(*hovered))
                return track->trace->nameId(hovered->event);
        }
        return kNoName;
    }

    void paintSameName()
    {
        const NameId name = highlightedName();
        if (name == kNoName)
            return;
        // A bar at the foot and a breath of colour: names stay readable.
        const QColor tint = toColour(m_p.theme.selection, 0.14);
        const QColor bar = toColour(m_p.theme.selection);
        std::size_t painted = 0;
        for (std::size_t t = 0; t < m_p.tracks.tracks().size(); ++t) {
            const Track &track = m_p.tracks.tracks()[t];
            const DrawList &list = m_p.content.list(t);
            for (const DrawRow &row : list.rows) {
                for (std::uint32_t i = row.firstBox; i < row.endBox; ++i) {
                    const Box &box = list.boxes[i];
                    if (track.trace->nameId(box.event) != name || m_p.scroll.hides(row.y + track.top))
                        continue;
                    if (++painted > kMostSameName)
                        return;
                    const double y = screenY(track, row.y);
                    const double width = std::max(box.x1 - box.x0, 1.0F);
                    const double foot = std::min(2, row.height);
                    m_painter.fillRect(QRectF(box.x0, y, width, row.height - foot), tint);
                    m_painter.fillRect(QRectF(box.x0, y + row.height - foot, width, foot), bar);
                }
            }
        }
    }

    // A bar at the head of every hit, one for all that share some pixels.
    void paintFound()
    {
        if (m_p.found.count == 0)
            return;
        const QColor bar = toColour(m_p.theme.peak);
        const QColor tint = toColour(m_p.theme.peak, 0.16);
        const double apart = 2; // pixels
        for (std::size_t t = 0; t < m_p.tracks.tracks().size() && t < m_p.found.traces.size(); ++t) {
            const Track &track = m_p.tracks.tracks()[t];
            const Trace &trace = *track.trace;
            const std::vector<EventId> &hits = m_p.found.traces[t].events;
            const Viewport view = track.viewportOf(m_p.view);
            for (const DrawRow &row : m_p.content.list(t).rows) {
                if (row.row == kNoRow || m_p.scroll.hides(row.y + track.top))
                    continue;
                const Row &events = trace.row(row.row);
                auto at = std::lower_bound(hits.begin(), hits.end(), events.firstEvent);
                const auto end = std::lower_bound(at, hits.end(), events.endEvent);
                at = std::partition_point(at, end, [&](EventId id) { return trace.end(id) < view.range().begin; });
                const double y = screenY(track, row.y);
                const double head = std::min(3, row.height);
                while (at != end && view.xOf(trace.begin(*at)) < m_p.size.width()) {
                    const double x0 = std::max(view.xOf(trace.begin(*at)), -1.0);
                    const double x1 = std::min(std::max(view.xOf(trace.end(*at)), x0 + apart), m_p.size.width() + 1.0);
                    m_painter.fillRect(QRectF(x0, y, x1 - x0, head), bar);
                    m_painter.fillRect(QRectF(x0, y + head, x1 - x0, row.height - head), tint);
                    const TimeNs beyond = view.timeAt(x0 + apart);
                    const auto next = gallop(static_cast<std::size_t>(at - hits.begin()) + 1,
                                             static_cast<std::size_t>(end - hits.begin()),
                                             [&](std::size_t i) { return trace.begin(hits[i]) >= beyond; });
                    at = hits.begin() + static_cast<std::ptrdiff_t>(next);
                }
            }
        }
    }

    void paintNotes()
    {
        m_painter.setPen(QPen(toColour(m_p.theme.peak, 0.8), 1, Qt::DashLine));
        for (const Note &note : m_p.state.notes()) {
            const double x = m_p.view.xOf(note.range.begin);
            if (x >= 0 && x <= m_p.size.width())
                m_painter.drawLine(QPointF(x, 0), QPointF(x, m_p.size.height()));
        }
    }

    // What curves say under the mouse.
    void paintValues()
    {
        if (!m_p.cursorX)
            return;
        QFont font = timelineFont();
        font.setPixelSize(10);
        m_painter.setFont(font);
        const QFontMetricsF metrics(font);
        for (const Track &track : m_p.tracks.tracks()) {
            const TimeNs t = saturatingSubtract(m_p.view.timeAt(*m_p.cursorX), track.offset);
            for (const Block &block : track.layout.blocks()) {
                const double y = screenY(track, block.y);
                if (block.kind != BlockKind::Curves || y + block.height < m_p.scroll.pinned() || y > m_p.size.height())
                    continue;
                const CurveLane &lane = track.index->curveLanes()[block.curveLane];
                QStringList values;
                for (const Curve &curve : lane.curves) {
                    if (const double *value = curve.valueAt(t))
                        values << (lane.unit == CurveUnit::Bytes
                                       ? toText(formatBytes(static_cast<std::int64_t>(*value)))
                                       : QString::number(*value, 'g', 6));
                }
                if (values.isEmpty())
                    continue;
                const QString text = values.join(QStringLiteral(" · "));
                const double width = metrics.horizontalAdvance(text) + 8;
                double left = *m_p.cursorX + 6;
                if (left + width > m_p.size.width())
                    left = *m_p.cursorX - 6 - width;
                const QRectF box(left, y + block.height - metrics.height() - 3, width, metrics.height() + 1);
                m_painter.fillRect(box, toColour(m_p.theme.lanes, 0.85));
                m_painter.setPen(toColour(m_p.theme.text));
                m_painter.drawText(box, Qt::AlignCenter, text);
            }
        }
    }

    void paintPinnedEdge()
    {
        if (m_p.scroll.pinned() <= 0)
            return;
        m_painter.setPen(QPen(toColour(m_p.theme.accent), 1));
        const double y = m_p.scroll.pinned() - 0.5;
        m_painter.drawLine(QPointF(0, y), QPointF(m_p.size.width(), y));
    }

    void paintMarked()
    {
        m_painter.setPen(QPen(toColour(m_p.theme.accent), 1.5));
        m_painter.setBrush(Qt::NoBrush);
        std::size_t painted = 0;
        for (const EventRef &ref : m_p.state.marked()) {
            const auto rect = seen(ref);
            if (!rect)
                continue;
            m_painter.drawRect(cut(*rect));
            if (++painted == kMostMarked)
                break;
        }
    }

    void paintOutlines()
    {
        m_painter.setBrush(Qt::NoBrush);
        const EventRef *selected = selectedEvent(m_p.state.selection());
        if (const auto hovered = m_p.state.hovered(); hovered && (!selected || *hovered != *selected)) {
            if (const auto rect = seen(*hovered)) {
                m_painter.setPen(QPen(toColour(m_p.theme.text), 1));
                m_painter.drawRoundedRect(cut(*rect).adjusted(-0.5, -0.5, 0.5, 0.5), 1.5, 1.5);
            }
        }
        if (!selected)
            return;
        const auto rect = seen(*selected);
        if (!rect)
            return;
        m_painter.setPen(QPen(toColour(m_p.theme.selection), 2));
        m_painter.drawRoundedRect(cut(*rect).adjusted(-1, -1, 1, 1), 2, 2);
    }

    void paintFlows(const TrackFlows &flows, const QColor &colour, double width)
    {
        if (flows.track >= m_p.tracks.tracks().size())
            return;
        const Track &track = m_p.tracks.tracks()[flows.track];
        for (const FlowCurve &curve : flows.curves) {
            const QPointF from(curve.from.x, screenY(track, curve.from.y));
            const QPointF to(curve.to.x, screenY(track, curve.to.y));
            QPainterPath path(from);
            path.cubicTo(QPointF(curve.control0, from.y()), QPointF(curve.control1, to.y()), to);
            QPen pen(colour, width);
            if (curve.kind == FlowKind::Mate)
                pen.setStyle(Qt::DashLine);
            m_painter.setPen(pen);
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawPath(path);
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(colour);
            paintEnd(curve.from, from, curve.control0 >= curve.from.x, false);
            paintEnd(curve.to, to, curve.control1 <= curve.to.x, true);
        }
        m_painter.setBrush(Qt::NoBrush);
    }

    // An arrow head at the target; where the event is out of view, a disc that can be clicked.
    void paintEnd(const FlowPoint &point, QPointF at, bool toRight, bool isTarget)
    {
        if (point.atEdge) {
            at.setX(std::clamp(at.x(), 5.0, m_p.size.width() - 5.0));
            at.setY(std::clamp(at.y(), 5.0, m_p.size.height() - 5.0));
            m_painter.drawEllipse(at, 4.5, 4.5);
            return;
        }
        if (!isTarget) {
            m_painter.drawEllipse(at, 2, 2);
            return;
        }
        const double back = toRight ? -kArrow : kArrow;
        const QPointF head[] = {at, {at.x() + back, at.y() - kArrow / 2}, {at.x() + back, at.y() + kArrow / 2}};
        m_painter.drawPolygon(head, 3);
    }

    void paintMarkers()
    {
        const auto line = [this](TimeNs t, const QPen &pen) {
            const double x = m_p.view.xOf(t);
            if (x < 0 || x > m_p.size.width())
                return;
            m_painter.setPen(pen);
            m_painter.drawLine(QPointF(x, 0), QPointF(x, m_p.size.height()));
        };
        const Markers markers = m_p.state.markers();
        if (markers.a)
            line(*markers.a, QPen(toColour(m_p.theme.selection), 1));
        if (markers.b)
            line(*markers.b, QPen(toColour(m_p.theme.selection), 1, Qt::DashLine));
        if (m_p.cursorX) {
            m_painter.setPen(QPen(toColour(m_p.theme.muted, 0.45), 1));
            const double x = std::floor(*m_p.cursorX) + 0.5;
            m_painter.drawLine(QPointF(x, 0), QPointF(x, m_p.size.height()));
        }
    }

    QPainter &m_painter;
    const OverlayPicture &m_p;
};

} // namespace

void paintOverlay(QPainter &painter, const OverlayPicture &picture)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    Overlay(painter, picture).paint();
    painter.restore();
}

QRectF rectOf(const TrackList &tracks, const Viewport &view, Scroll scroll, EventRef event)
{
    const Track *track = tracks.trackOf(event);
    if (!track)
        return {};
    const EventPlace place = placeOf(*track->trace, track->viewportOf(view), track->layout, event.event);
    if (place.shown == RowPlace::Shown::No)
        return {};
    // Thin events grow to both sides, so that the middle stays on the event.
    const double x1 = std::max(view.xOf(saturatingAdd(track->trace->end(event.event), track->offset)), place.x0);
    const double grow = std::max(3 - (x1 - place.x0), 0.0) / 2;
    return {place.x0 - grow, scroll.toScreen(place.y + track->top), x1 - place.x0 + 2 * grow,
            std::max<double>(place.height, 3)};
}

} // namespace ks
