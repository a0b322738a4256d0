// SPDX-License-Identifier: GPL-3.0-or-later
// A table on screen: sorted by the column whose heading is clicked, with the columns somebody chose, as wide as their cells. A new table
// keeps all that and the place it was scrolled to.
#pragma once

#include "core/table/table.h"
#include "widgets/tables/column_choice.h"

#include <QSet>
#include <QStringList>
#include <QTreeView>

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace ks {

class TableModel;

class TableView : public QTreeView
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

    QStringList shownColumns() const; // names of the columns that are on screen, left to right
    void showOnly(const QStringList &names);
    const ColumnChoice &columnChoice() const { return m_choice; }
    void setColumnChoice(ColumnChoice choice);

    QString selectedText() const; // the selected rows, tab-separated with a heading; all rows if none is selected

protected:
    int sizeHintForColumn(int column) const override;

signals:
    void columnChoiceChanged();

private:
    void sortBy(int column);
    void showColumnMenu(QPoint position);
    void applyColumns();
    void fitColumns(bool isAnew);
    bool isUnknown(int column) const;
    QString columnName(int column) const;
    QStringList columnNames() const;
    void keepOrder();
    int firstText() const;
    QSet<QStringList> openPaths() const;
    void openAgain(const QSet<QStringList> &paths);
    void openFirst();
    template<typename Visit>
    void visitOpen(const QModelIndex &parent, Visit visit) const;

    TableModel *m_model;
    bool m_opens = false; // some rows may
    std::function<bool(std::string_view)> m_isShownAtFirst;
    ColumnChoice m_choice;
    bool m_isArranging = false; // columns move and change their widths because of the table
    int m_sortColumn = -1;
    QString m_sortName;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace ks
