// SPDX-License-Identifier: GPL-3.0-or-later
// Every call of a name over time, as high as it took long. A column of pixels with several calls is a line from the shortest to the
// longest. The nearest call is under the mouse; a click selects it, the arrow keys go to the one before and after.
#pragma once

#include "core/view/duration_strip.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace ks {

class CallStrip : public QWidget
{
    Q_OBJECT
public:
    explicit CallStrip(QWidget *parent = nullptr);

    // Durations by begin; the strip spans them.
    void setCalls(std::shared_ptr<const Curve> calls);
    void setCurrent(std::optional<std::size_t> call);

    std::size_t size() const { return m_calls->size(); }
    std::optional<std::size_t> current() const { return m_current; }
    QPointF placeOf(std::size_t call) const; // where it is drawn

signals:
    void callClicked(std::size_t call);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QRectF plot() const;
    double heightOf(double duration) const; // of ns, 0 at the bottom of the plot
    std::optional<std::size_t> callAt(QPointF place) const;
    void layOut();

    std::shared_ptr<const Curve> m_calls = std::make_shared<const Curve>();
    TimeRange m_range; // of their begins
    Extremes m_durations;
    bool m_isLog = false;
    std::vector<StripColumn> m_columns;
    std::optional<std::size_t> m_current;
    std::optional<std::size_t> m_hovered;
};

} // namespace ks
