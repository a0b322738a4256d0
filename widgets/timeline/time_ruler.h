// SPDX-License-Identifier: GPL-3.0-or-later
// Time above the lanes: bands of steps, ticks, markers A and B with their distance. A drag selects a range over all
// lanes; a double-click on a step zooms to it.
#pragma once

#include "core/view/viewport.h"
#include "widgets/state/view_state.h"

#include <QWidget>

#include <optional>

namespace ks {

class TimeRuler : public QWidget
{
    Q_OBJECT
public:
    explicit TimeRuler(ViewState &state, QWidget *parent = nullptr);

    void setView(const Viewport &view);
    void setHeaderWidth(int width) { m_left = width; }

signals:
    void areaDragged(ks::TimeRange range, bool finished); // view time
    void dragCancelled();
    void zoomRequested(ks::TimeRange range);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    double xOf(const QMouseEvent &event) const;
    const Step *stepAt(QPointF position) const;
    void paintMarkers(QPainter &painter) const;
    void paintNotes(QPainter &painter) const;
    const Note *noteAt(QPointF position) const;

    ViewState &m_state;
    Viewport m_view;
    int m_left = 0;
    std::optional<double> m_pressed; // x where a drag began
    bool m_dragging = false;
};

} // namespace ks
