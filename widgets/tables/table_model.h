// SPDX-License-Identifier: GPL-3.0-or-later
// A table of an analysis for Qt's views: cells as people read them, any column to sort by. A tree is shown as a list, too: the rows one
// sees, those inside a row that is open below it. So a table costs the same whatever is in it, and millions of rows cost little.
#pragma once

#include "core/table/table.h"
#include "widgets/tables/growing_model.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace ks {

class TableModel : public GrowingModel
{
    Q_OBJECT
public:
    using Rows = std::vector<std::uint32_t>; // of the table, whatever order they are shown in

    explicit TableModel(QObject *parent = nullptr);

    const Table &table() const { return *m_table; }
    std::shared_ptr<const Table> share() const { return m_table; }
    // Points of time are shown as of `origin`, a time of the file: where the trace begins. Of the first rows those are open that
    // `isOpen` wants.
    void setTable(std::shared_ptr<const Table> table, std::int64_t origin = 0,
                  const std::function<bool(std::uint32_t tableRow)> &isOpen = {});

    // Rows with nothing inside that may get something: when somebody opens one, rowsWanted() asks for it, once.
    void setOpens(std::function<bool(std::uint32_t tableRow)> opens);
    // `table` is the one shown with more rows below that row, see Table::insertBelow().
    void insertBelow(std::uint32_t tableRow, std::shared_ptr<const Table> table);

    bool opens(std::uint32_t tableRow) const; // something is inside, or may be
    bool isOpen(std::uint32_t tableRow) const { return m_open.contains(tableRow); }
    void setOpen(std::uint32_t tableRow, bool isOpen);
    const std::set<std::uint32_t> &openRows() const { return m_open; }
    std::span<const std::uint32_t> inside(std::uint32_t tableRow) const; // in the order they are shown in

    void setMarked(std::optional<std::uint32_t> tableRow); // stands out; the view has to be painted again

    std::uint32_t tableRow(const QModelIndex &index) const { return shown()[static_cast<std::size_t>(index.row())]; }
    // None if it is inside a row that is closed, or no view knows of it yet. Looks through the rows, a nanosecond each.
    QModelIndex indexOf(std::uint32_t tableRow, int column = 0) const;
    QModelIndex reveal(std::uint32_t tableRow, int column = 0); // opens what it is inside

    QString text(int column, std::uint32_t tableRow) const; // of a cell
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // Nulls last either way; equal cells stay as the analysis put them. In a tree each row's children among themselves. Of more than
    // kMostAtOnce rows the order is left to the owner: orderWanted().
    void sort(int column, Qt::SortOrder sortOrder) override;
    static constexpr std::size_t kMostAtOnce = 20'000; // rows, some milliseconds
    std::function<Rows()> sorter() const;              // makes the order that is wanted now; on any thread
    void setOrder(Rows order);                         // what it made, of the same table

    bool isNumeric(int column) const; // starts with the largest when it is sorted by

signals:
    void rowsWanted(std::uint32_t tableRow);
    void orderWanted();

private:
    const Rows &shown() const { return m_shown.empty() ? m_order : m_shown; }
    void group();
    void takeOrder(Rows order);
    void sortInserted();
    void rebuildShown();
    void addInside(std::uint32_t tableRow, Rows &rows) const;
    void insertShown(std::uint32_t tableRow);
    QModelIndex makeKnown(std::uint32_t tableRow); // to the views, if it is not inside a row that is closed
    void tellChanged(const QModelIndex &row);
    std::optional<std::size_t> placeOf(std::uint32_t tableRow) const;

    std::shared_ptr<const Table> m_table;
    std::int64_t m_origin = 0;
    std::optional<std::uint32_t> m_marked;
    std::function<bool(std::uint32_t)> m_opens;
    std::set<std::uint32_t> m_open;
    std::set<std::uint32_t> m_wanted; // rows whose inside was asked for
    std::set<std::uint32_t> m_empty;  // … and that have none
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    // The children of row r are m_order[m_first[r + 1] … m_first[r + 2]); those of no row come first, as if of row -1. Of a table that
    // is no tree there are no others.
    Rows m_order;
    std::vector<std::uint32_t> m_first;
    std::map<std::uint32_t, Rows> m_inserted; // below a row, later
    Rows m_shown;                             // empty: as m_order
};

} // namespace ks
