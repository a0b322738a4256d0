// SPDX-License-Identifier: GPL-3.0-or-later
// A table of an analysis for Qt's views: cells as people read them, trees as trees, any column to sort by.
#pragma once

#include "core/table/table.h"

#include <QAbstractItemModel>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ks {

class TableModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    explicit TableModel(QObject *parent = nullptr);

    const Table &table() const { return *m_table; }
    std::shared_ptr<const Table> share() const { return m_table; }
    // Points of time are shown as of `origin`, a time of the file: where the trace begins.
    void setTable(std::shared_ptr<const Table> table, std::int64_t origin = 0);

    // Rows without children that may get some: when somebody opens one, rowsWanted() asks for them, once.
    void setOpens(std::function<bool(std::uint32_t tableRow)> opens);
    // `table` is the one shown with children below that row, see Table::insertBelow().
    void insertBelow(std::uint32_t tableRow, std::shared_ptr<const Table> table);

    void setMarked(std::optional<std::uint32_t> tableRow); // stands out; the view has to be painted again

    // Rows of the table, whatever order they are shown in.
    std::uint32_t tableRow(const QModelIndex &index) const { return static_cast<std::uint32_t>(index.internalId()); }
    QModelIndex indexOf(std::uint32_t tableRow, int column = 0) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // Nulls last either way; equal cells stay as the analysis put them. In a tree each row's children among themselves. Of more than
    // kMostAtOnce rows the order is left to the owner: orderWanted().
    void sort(int column, Qt::SortOrder sortOrder) override;
    static constexpr std::size_t kMostAtOnce = 20'000; // rows, some milliseconds
    using Order = std::vector<std::uint32_t>;
    std::function<Order()> sorter() const; // makes the order that is wanted now; on any thread
    void setOrder(Order order);            // what it made, of the same table

    bool isNumeric(int column) const; // starts with the largest when it is sorted by

signals:
    void rowsWanted(std::uint32_t tableRow);
    void orderWanted();

private:
    std::size_t groupOf(const QModelIndex &parent) const;
    void group();
    void order();
    void place();
    void takeOrder(Order order);
    QString text(const Column &column, std::uint32_t row) const;

    std::shared_ptr<const Table> m_table;
    std::int64_t m_origin = 0;
    std::optional<std::uint32_t> m_marked;
    std::function<bool(std::uint32_t)> m_opens;
    std::set<std::uint32_t> m_wanted; // rows whose children were asked for
    std::set<std::uint32_t> m_empty;  // … and that have none
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    // The children of row r are m_order[m_first[r + 1] … m_first[r + 2]); those of no row come first, as if of row -1.
    Order m_order;
    std::vector<std::uint32_t> m_first;
    std::vector<std::uint32_t> m_place; // of each row among its siblings
};

// The rows with a heading as tab-separated text, cells as they are shown; columns left to right.
QString tabSeparated(const TableModel &model, const QModelIndexList &rows, const QList<int> &columns);

} // namespace ks
