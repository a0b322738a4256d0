// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of calls as boxes, each as wide as it costs, callees below their callers. Double click or Return zooms to a box, Esc or Backspace
// goes back out; the arrow keys go along the calls. What is searched for stands out from the rest.
#pragma once

#include "core/view/palette.h"
#include "widgets/charts/flame_layout.h"

#include <QAbstractScrollArea>
#include <QString>

#include <memory>
#include <unordered_map>

namespace ks {

class FlameChart : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit FlameChart(QWidget *parent = nullptr);

    // The row that was zoomed to stays so if a row of the same path is there.
    void setTable(std::shared_ptr<const Table> table, std::string_view cost);
    void setCurrent(std::optional<std::uint32_t> row); // scrolls to it
    void search(const QString &text);                  // part of a name, case ignored; "" = none
    void zoomTo(std::optional<std::uint32_t> row);     // none: everything

    std::optional<std::uint32_t> current() const { return m_current; }
    std::optional<std::uint32_t> zoomed() const { return m_zoomed; }
    const FlameLayout &layout() const { return m_layout; }
    std::size_t matches() const { return m_matches; } // boxes that were found
    double matchedShare() const { return m_share; }   // of the whole, what lies in one another counted once
    QRectF rectOf(std::uint32_t row) const;           // in the viewport
    std::optional<std::uint32_t> rowAt(QPointF place) const;

signals:
    void rowClicked(std::uint32_t row);
    void zoomChanged();
    void searched();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    int rowHeight() const;
    void updateScroll();
    void findMatches();
    bool isMatch(std::uint32_t row);
    void go(std::optional<std::uint32_t> row);
    QString tipOf(std::uint32_t row) const;
    void paintBox(QPainter &painter, std::uint32_t row, const QRectF &rect);

    std::shared_ptr<const Table> m_table;
    std::string m_cost;
    FlameLayout m_layout;
    std::optional<std::uint32_t> m_current;
    std::optional<std::uint32_t> m_zoomed;
    std::optional<std::uint32_t> m_hovered;
    QString m_search;
    std::unordered_map<NameId, bool> m_found; // by name
    std::size_t m_matches = 0;
    double m_share = 0;
};

} // namespace ks
