// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/lane_headers.h"

#include "widgets/render/colours.h"
#include "widgets/render/timeline_painter.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr int kEdge = 3; // logical pixels around a lower edge that take it

bool canBeResized(const Block &block)
{
    return block.kind == BlockKind::Curves || (block.kind == BlockKind::Lane && !block.folded);
}

} // namespace

LaneHeaders::LaneHeaders(const TrackList &tracks, QWidget *parent)
    : QWidget(parent)
    , m_tracks(tracks)
{
    setMouseTracking(true);
    setAccessibleName(tr("Lanes"));
    setAccessibleDescription(tr("Names of processes, threads and streams. A click folds or unfolds, a drag moves a "
                                "lane, a drag at its lower edge resizes it."));
}

void LaneHeaders::setView(const Viewport &view, Scroll scroll)
{
    m_view = view;
    m_scroll = scroll;
    update();
}

void LaneHeaders::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    painter.fillRect(rect(), toColour(theme.header));
    const int border = std::min(m_scroll.pinned(), height());
    for (const Scroll::Band &band : m_scroll.bands(height()))
        paintBand(painter, band);
    painter.setPen(toColour(theme.border));
    painter.drawLine(width() - 1, 0, width() - 1, height());
    if (border > 0) {
        painter.setPen(QPen(toColour(theme.accent), 1));
        painter.drawLine(QPointF(0, border - 0.5), QPointF(width(), border - 0.5));
    }
    if (m_drag == Drag::Move && m_target) {
        painter.setPen(QPen(toColour(theme.accent), 2));
        painter.drawLine(QPointF(6, m_target->lineY), QPointF(width() - 6, m_target->lineY));
    }
}

void LaneHeaders::paintBand(QPainter &painter, Scroll::Band band)
{
    const auto [from, to, shift] = band;
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    painter.save();
    painter.setClipRect(0, from, width(), to - from);
    for (std::size_t i = 0; i < m_tracks.tracks().size(); ++i) {
        const Track &track = m_tracks.tracks()[i];
        const int top = track.top - shift;
        if (top - m_tracks.titleHeight() >= to || top + track.layout.height() <= from)
            continue;
        if (m_tracks.titleHeight() > 0) {
            const QRectF title(0, top - m_tracks.titleHeight(), width(), m_tracks.titleHeight());
            QFont font = timelineFont();
            font.setBold(true);
            painter.setFont(font);
            painter.setPen(toColour(theme.accent));
            painter.drawText(title.adjusted(8, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft,
                             painter.fontMetrics().elidedText(track.title, Qt::ElideMiddle, width() - 16));
        }
        const int y = std::max(top, from);
        HeadersPicture picture{*track.trace, track.layout, theme, track.viewportOf(m_view).range()};
        picture.width = width();
        picture.scrollY = y - top;
        picture.height = std::min(top + track.layout.height(), to) - y;
        picture.hovered = m_hovered.track == i ? m_hovered.block : LaneLayout::kNone;
        if (i > 0) // the first stands under its title
            picture.traceTitle = track.title;
        if (picture.height <= 0)
            continue;
        painter.save();
        painter.translate(0, y);
        paintHeaders(painter, picture, m_texts);
        painter.restore();
    }
    painter.restore();
}

LaneHeaders::Place LaneHeaders::placeAt(QPoint position) const
{
    Place place;
    const int y = m_scroll.toContent(position.y());
    const Track *track = m_tracks.trackAt(y);
    if (!track)
        return place;
    place.track = static_cast<std::size_t>(track - m_tracks.tracks().data());
    place.y = y - track->top;
    place.block = track->layout.blockAt(place.y);
    return place;
}

// The traces may change under a drag.
bool LaneHeaders::isStillThere(const Place &place) const
{
    return place.track && *place.track < m_tracks.tracks().size() && place.block < track(place).layout.blocks().size();
}

LaneHeaders::Place LaneHeaders::edgeAt(QPoint position) const
{
    for (const int dy : {0, -kEdge}) {
        const Place place = placeAt(position + QPoint(0, dy));
        if (!place.track || place.block == LaneLayout::kNone || !canBeResized(block(place)))
            continue;
        if (std::abs(block(place).y + block(place).height - (place.y - dy)) <= kEdge)
            return place;
    }
    return {};
}

std::optional<LaneHeaders::Target> LaneHeaders::targetAt(QPoint position) const
{
    const Place place = placeAt(position);
    if (!place.track || place.track != m_pressed.track || place.block == LaneLayout::kNone)
        return {};
    const Block &own = block(m_pressed);
    const Block &other = block(place);
    if (other.group != own.group || other.pinned != own.pinned || other.kind == BlockKind::Heading)
        return {};
    const auto screenY = [&](int y) { return m_scroll.toScreen(y + track(place).top); };
    const auto blocks = track(place).layout.blocks();
    if (other.kind == BlockKind::Lane && place.y < other.y + other.height / 2)
        return Target{place.block, screenY(other.y)};
    // Behind it, that is before the next lane of the group.
    std::size_t last = place.block;
    for (std::size_t i = place.block + 1; i < blocks.size() && blocks[i].group == own.group; ++i) {
        if (blocks[i].kind == BlockKind::Lane && blocks[i].pinned == own.pinned)
            return Target{i, screenY(blocks[i].y)};
        if (blocks[i].kind == BlockKind::Heading)
            break;
    }
    while (blocks[last].kind != BlockKind::Lane && last > 0)
        --last;
    return Target{std::nullopt, screenY(blocks[last].y + blocks[last].height)};
}

void LaneHeaders::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    event->accept();
    m_pressedAt = event->pos();
    if (const Place edge = edgeAt(event->pos()); edge.track) {
        m_pressed = edge;
        m_pressedHeight = block(edge).height;
        m_drag = Drag::Resize;
        return;
    }
    m_pressed = placeAt(event->pos());
    m_drag = m_pressed.track && m_pressed.block != LaneLayout::kNone ? Drag::Pressed : Drag::None;
}

void LaneHeaders::mouseMoveEvent(QMouseEvent *event)
{
    if (!(event->buttons() & Qt::LeftButton))
        m_drag = Drag::None;
    // The traces may have changed under the drag.
    if (m_drag != Drag::None
        && (*m_pressed.track >= m_tracks.tracks().size() || m_pressed.block >= track(m_pressed).layout.blocks().size()))
        m_drag = Drag::None;
    switch (m_drag) {
    case Drag::None: updateCursor(event->pos()); break;
    case Drag::Pressed:
        if ((event->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()
            && block(m_pressed).kind == BlockKind::Lane) {
            m_drag = Drag::Move;
            setCursor(Qt::ClosedHandCursor);
        }
        break;
    case Drag::Move: break;
    case Drag::Resize:
        emit resizeRequested(*m_pressed.track, m_pressed.block, m_pressedHeight + event->pos().y() - m_pressedAt.y());
        break;
    }
    if (m_drag == Drag::Move) {
        m_target = targetAt(event->pos());
        update();
    }
}

void LaneHeaders::mouseReleaseEvent(QMouseEvent *event)
{
    event->accept();
    const Drag drag = std::exchange(m_drag, Drag::None);
    const auto target = std::exchange(m_target, std::nullopt);
    if (!isStillThere(m_pressed))
        return;
    if (drag == Drag::Move && target) {
        emit moveRequested(*m_pressed.track, m_pressed.block, target->before);
    } else if (drag == Drag::Pressed) {
        const HeaderPart part = headerPartAt(track(m_pressed).layout, m_pressed.y);
        if (part != HeaderPart::None)
            emit foldRequested(*m_pressed.track, m_pressed.block, part);
    }
    updateCursor(event->pos());
    update();
}

void LaneHeaders::contextMenuEvent(QContextMenuEvent *event)
{
    const Place place = placeAt(event->pos());
    if (place.track && place.block != LaneLayout::kNone)
        emit menuRequested(*place.track, place.block, event->globalPos());
}

void LaneHeaders::updateCursor(QPoint position)
{
    const Place place = placeAt(position);
    const bool known = place.track && place.block != LaneLayout::kNone;
    if (edgeAt(position).track)
        setCursor(Qt::SplitVCursor);
    else
        setCursor(known && headerPartAt(track(place).layout, place.y) != HeaderPart::None ? Qt::PointingHandCursor
                                                                                          : Qt::ArrowCursor);
    if (place.track != m_hovered.track || place.block != m_hovered.block) {
        m_hovered = place;
        update();
    }
}

void LaneHeaders::leaveEvent(QEvent *)
{
    m_hovered = {};
    update();
}

void LaneHeaders::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // the timeline scrolls
}

} // namespace ks
