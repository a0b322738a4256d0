// SPDX-License-Identifier: GPL-3.0-or-later
// The names left of the lanes. A click folds or unfolds what it names, a drag moves a lane among its neighbours, a drag
// at the lower edge makes it taller or flatter.
#pragma once

#include "core/view/viewport.h"
#include "widgets/render/header_painter.h"
#include "widgets/timeline/track_list.h"

#include <QWidget>

#include <optional>

namespace ks {

class LaneHeaders : public QWidget
{
    Q_OBJECT
public:
    explicit LaneHeaders(const TrackList &tracks, QWidget *parent = nullptr);

    void setView(const Viewport &view, Scroll scroll); // what the lanes show

signals:
    void foldRequested(std::size_t track, std::size_t block, ks::HeaderPart part);
    void resizeRequested(std::size_t track, std::size_t block, int height); // logical pixels
    // Puts the lane of a block before the one of another block of its group, none = behind all.
    void moveRequested(std::size_t track, std::size_t block, std::optional<std::size_t> before);
    void menuRequested(std::size_t track, std::size_t block, QPoint globalPosition);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    enum class Drag { None, Pressed, Move, Resize };
    struct Place
    {
        std::optional<std::size_t> track;
        std::size_t block = LaneLayout::kNone;
        int y = 0; // from the top of its lanes
    };
    // Where a lane that is moved would go.
    struct Target
    {
        std::optional<std::size_t> before;
        double lineY = 0; // screen
    };

    void paintBand(QPainter &painter, Scroll::Band band);
    const Track &track(const Place &place) const { return m_tracks.tracks()[*place.track]; }
    const Block &block(const Place &place) const { return track(place).layout.blocks()[place.block]; }
    Place placeAt(QPoint position) const;
    bool isStillThere(const Place &place) const;
    Place edgeAt(QPoint position) const; // the block whose lower edge is there
    std::optional<Target> targetAt(QPoint position) const;
    void updateCursor(QPoint position);

    const TrackList &m_tracks;
    Viewport m_view;
    Scroll m_scroll;
    TextCache m_texts;
    Place m_hovered;
    Drag m_drag = Drag::None;
    Place m_pressed;
    QPoint m_pressedAt;
    int m_pressedHeight = 0;
    std::optional<Target> m_target;
};

} // namespace ks
