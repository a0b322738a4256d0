// SPDX-License-Identifier: GPL-3.0-or-later
// A table on screen: sorted by the column whose heading is clicked, with the columns somebody chose, as wide as their cells. Rows with
// something inside are opened by the arrow before them, by a double click, by + and - and the arrow keys; * opens all inside one. A new
// table keeps all that and the place it was scrolled to.
#pragma once

#include "core/table/table.h"
#include "widgets/tables/column_choice.h"
#include "widgets/tables/rows_view.h"

#include <QSet>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace ks {

class TableModel;

class TableView : public RowsView
{
    Q_OBJECT
public:
    // `isShownAtFirst` tells of a column's name whether it is on screen as long as nobody chose.
    explicit TableView(std::function<bool(std::string_view)> isShownAtFirst, QWidget *parent = nullptr);

    TableModel &table() { return *m_model; }
    const TableModel &table() const { return *m_model; }
    void setTable(std::shared_ptr<const Table> table, std::int64_t origin = 0); // see TableModel

    // Rows that open although they have no children yet; see TableModel::rowsWanted().
    void setOpens(std::function<bool(std::uint32_t tableRow)> opens);

    bool hasArrows() const { return m_hasArrows; }
    // How far a cell is indented, and where its arrow is in it; 0 and none of others than the first text. Where rows are open so deep that
    // their names would be pushed out of the column, each level is indented less.
    int indentOf(const QModelIndex &index) const;
    QRect arrowOf(const QModelIndex &index, const QRect &cell) const;
    void goTo(std::uint32_t tableRow); // makes it the current one, on screen

    QStringList shownColumns() const; // names of the columns that are on screen, left to right
    void showOnly(const QStringList &names);
    const ColumnChoice &columnChoice() const { return m_choice; }
    void setColumnChoice(ColumnChoice choice);

protected:
    int sizeHintForColumn(int column) const override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;

signals:
    void columnChoiceChanged();

private:
    TableView(TableModel *model, std::function<bool(std::string_view)> isShownAtFirst, QWidget *parent);
    void sortBy(int column);
    void showColumnMenu(QPoint position);
    void applyColumns();
    void fitColumns(bool isAnew);
    bool isUnknown(int column) const;
    QString columnName(int column) const;
    QStringList columnNames() const;
    void keepOrder();
    static int firstText(const Table &table);
    int sizeHintInside(int column) const;
    void noteDepth(std::uint32_t tableRow);
    QStringList pathOf(std::uint32_t tableRow) const;
    QSet<QStringList> openPaths() const;
    bool opensAtFirst(std::uint32_t tableRow) const;
    bool toggleAt(QPoint place);
    void setOpen(std::uint32_t tableRow, bool isOpen);
    void openAllInside(std::uint32_t tableRow);

    TableModel *m_model;
    bool m_opens = false;      // some rows may
    bool m_hasArrows = false;  // some rows open, or may
    int m_firstText = 0;       // of the columns
    std::size_t m_deepest = 0; // level of a row that is on screen, or was
    std::function<bool(std::string_view)> m_isShownAtFirst;
    ColumnChoice m_choice;
    bool m_isArranging = false; // columns move and change their widths because of the table
    int m_sortColumn = -1;
    QString m_sortName;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace ks
