// SPDX-License-Identifier: GPL-3.0-or-later
// The names left of the lanes. A click folds or unfolds what it names.
#pragma once

#include "core/view/viewport.h"
#include "widgets/render/header_painter.h"
#include "widgets/timeline/track_list.h"

#include <QWidget>

namespace ks {

class LaneHeaders : public QWidget
{
    Q_OBJECT
public:
    explicit LaneHeaders(const TrackList &tracks, QWidget *parent = nullptr);

    void setView(const Viewport &view, int scrollY); // what the lanes show

signals:
    void foldRequested(std::size_t track, std::size_t block, ks::HeaderPart part);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    struct Place
    {
        const Track *track = nullptr;
        int y = 0; // from the top of its lanes
    };
    Place placeAt(QPoint position) const;

    const TrackList &m_tracks;
    Viewport m_view;
    int m_scrollY = 0;
    const Track *m_hoveredTrack = nullptr;
    std::size_t m_hoveredBlock = LaneLayout::kNone;
};

} // namespace ks
