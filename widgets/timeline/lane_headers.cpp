// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/lane_headers.h"

#include "widgets/render/colours.h"
#include "widgets/render/timeline_painter.h"

#include <QFileInfo>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ks {

LaneHeaders::LaneHeaders(const TrackList &tracks, QWidget *parent)
    : QWidget(parent)
    , m_tracks(tracks)
{
    setMouseTracking(true);
    setAccessibleName(tr("Lanes"));
    setAccessibleDescription(tr("Names of processes, threads and streams. A click folds or unfolds."));
}

void LaneHeaders::setView(const Viewport &view, int scrollY)
{
    m_view = view;
    m_scrollY = scrollY;
    update();
}

void LaneHeaders::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    painter.fillRect(rect(), toColour(theme.header));
    for (const Track &track : m_tracks.tracks()) {
        const int top = track.top - m_scrollY;
        if (top >= height() || top + track.layout.height() <= 0)
            continue;
        if (m_tracks.titleHeight() > 0) {
            const QRectF title(0, top - m_tracks.titleHeight(), width(), m_tracks.titleHeight());
            QFont font = timelineFont();
            font.setBold(true);
            painter.setFont(font);
            painter.setPen(toColour(theme.accent));
            const QString name = QFileInfo(toText(track.trace->metadata().path)).fileName();
            painter.drawText(title.adjusted(8, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft,
                             painter.fontMetrics().elidedText(name, Qt::ElideMiddle, width() - 16));
        }
        const int y = std::max(top, 0);
        HeadersPicture picture{*track.trace, track.layout, theme, track.viewportOf(m_view).range()};
        picture.width = width();
        picture.scrollY = y - top;
        picture.height = std::min(top + track.layout.height(), height()) - y;
        picture.hovered = m_hoveredTrack == &track ? m_hoveredBlock : LaneLayout::kNone;
        painter.save();
        painter.translate(0, y);
        paintHeaders(painter, picture);
        painter.restore();
    }
    painter.setPen(toColour(theme.border));
    painter.drawLine(width() - 1, 0, width() - 1, height());
}

LaneHeaders::Place LaneHeaders::placeAt(QPoint position) const
{
    const int y = position.y() + m_scrollY;
    const Track *track = m_tracks.trackAt(y);
    return {track, track ? y - track->top : 0};
}

void LaneHeaders::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const Place place = placeAt(event->pos());
    if (!place.track)
        return;
    const HeaderPart part = headerPartAt(place.track->layout, place.y);
    if (part != HeaderPart::None)
        emit foldRequested(static_cast<std::size_t>(place.track - m_tracks.tracks().data()),
                           place.track->layout.blockAt(place.y), part);
}

void LaneHeaders::mouseMoveEvent(QMouseEvent *event)
{
    const Place place = placeAt(event->pos());
    const std::size_t block = place.track ? place.track->layout.blockAt(place.y) : LaneLayout::kNone;
    setCursor(place.track && headerPartAt(place.track->layout, place.y) != HeaderPart::None ? Qt::PointingHandCursor
                                                                                            : Qt::ArrowCursor);
    if (place.track != m_hoveredTrack || block != m_hoveredBlock) {
        m_hoveredTrack = place.track;
        m_hoveredBlock = block;
        update();
    }
}

void LaneHeaders::leaveEvent(QEvent *)
{
    m_hoveredTrack = nullptr;
    m_hoveredBlock = LaneLayout::kNone;
    update();
}

void LaneHeaders::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // the timeline scrolls
}

} // namespace ks
