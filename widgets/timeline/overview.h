// SPDX-License-Identifier: GPL-3.0-or-later
// The whole recording in one strip: how busy the devices are (the host if there are none), the steps, the memory of the
// device that holds most, what Find found, and the visible window as a handle that can be dragged and, at its edges, resized. The bars and the
// memory are drawn once per size and traces.
#pragma once

#include "core/view/viewport.h"
#include "widgets/state/view_state.h"
#include "widgets/timeline/finder.h"
#include "widgets/timeline/track_list.h"

#include <QImage>
#include <QWidget>

namespace ks {

inline constexpr int kOverviewHeight = 34;

class Overview : public QWidget
{
    Q_OBJECT
public:
    Overview(ViewState &state, const TrackList &tracks, QWidget *parent = nullptr);

    void setHeaderWidth(int width) { m_left = width; }
    void setWholeRange(TimeRange range); // what the strip shows
    void setFound(const Found &found);   // marks what Find found; must stay until the next call
    QRectF handleRect() const;           // in widget coordinates

signals:
    void rangeRequested(ks::TimeRange range);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    enum class Part { None, Left, Right, Middle, Outside };

    QRectF strip() const;
    double xOf(TimeNs t) const;
    TimeNs timeAt(double x) const;
    Part partAt(QPointF position) const;
    void drawBars();
    void paintSteps(QPainter &painter) const;
    void paintMemory(QPainter &painter) const;
    void paintFound(QPainter &painter) const;

    ViewState &m_state;
    const TrackList &m_tracks;
    const Found *m_found = nullptr;
    int m_left = 0;
    TimeRange m_whole{0, 1};
    QImage m_bars;
    std::uint64_t m_barsOf = 0; // TrackList::version()
    TimeRange m_barsRange;
    double m_busyShare = -1; // of the devices over m_whole; -1: no devices
    Part m_part = Part::None;
    double m_grabbed = 0; // x at which the handle was taken
    TimeRange m_rangeThen;
};

} // namespace ks
