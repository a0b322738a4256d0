// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/table_model.h"

#include "core/base/format.h"
#include "core/table/column_title.h"
#include "core/table/table_output.h"
#include "widgets/state/to_qstring.h"
#include "widgets/tables/hovered_colour.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace ks {

TableModel::TableModel(QObject *parent)
    : QAbstractItemModel(parent)
    , m_table(std::make_shared<const Table>())
    , m_first(2, 0)
{}

void TableModel::setMarked(std::optional<std::uint32_t> tableRow)
{
    m_marked = tableRow;
}

void TableModel::setTable(std::shared_ptr<const Table> table, std::int64_t origin)
{
    beginResetModel();
    m_marked.reset();
    m_table = std::move(table);
    m_origin = origin;
    m_wanted.clear();
    m_empty.clear();
    m_sortColumn = -1;
    group();
    place();
    endResetModel();
}

void TableModel::setOpens(std::function<bool(std::uint32_t)> opens)
{
    m_opens = std::move(opens);
}

void TableModel::insertBelow(std::uint32_t tableRow, std::shared_ptr<const Table> table)
{
    const std::size_t count = table->rowCount() - m_table->rowCount();
    if (count == 0) {
        emit layoutAboutToBeChanged({indexOf(tableRow)});
        m_empty.insert(tableRow);
        emit layoutChanged({indexOf(tableRow)});
        return;
    }
    beginInsertRows(indexOf(tableRow), 0, static_cast<int>(count) - 1);
    m_table = std::move(table);
    group();
    order();
    place();
    endInsertRows();
}

bool TableModel::hasChildren(const QModelIndex &parent) const
{
    if (rowCount(parent) > 0)
        return true;
    return parent.isValid() && parent.column() == 0 && m_opens && !m_empty.contains(tableRow(parent))
           && m_opens(tableRow(parent));
}

bool TableModel::canFetchMore(const QModelIndex &parent) const
{
    return parent.isValid() && rowCount(parent) == 0 && !m_wanted.contains(tableRow(parent)) && hasChildren(parent);
}

void TableModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent)) {
        m_wanted.insert(tableRow(parent));
        emit rowsWanted(tableRow(parent));
    }
}

// The children of each row, as the analysis put them.
void TableModel::group()
{
    const std::size_t rows = m_table->rowCount();
    const auto groupOfRow = [this](std::size_t row) {
        const std::uint32_t parent = m_table->parent(row);
        return parent == Table::kNoParent ? std::size_t{0} : parent + std::size_t{1};
    };
    m_first.assign(rows + 2, 0);
    for (std::size_t row = 0; row < rows; ++row)
        ++m_first[groupOfRow(row) + 1];
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    m_order.resize(rows);
    for (std::size_t row = 0; row < rows; ++row)
        m_order[next[groupOfRow(row)]++] = static_cast<std::uint32_t>(row);
}

void TableModel::place()
{
    m_place.resize(m_order.size());
    for (std::size_t group = 0; group + 1 < m_first.size(); ++group) {
        for (std::uint32_t at = m_first[group]; at < m_first[group + 1]; ++at)
            m_place[m_order[at]] = at - m_first[group];
    }
}

std::size_t TableModel::groupOf(const QModelIndex &parent) const
{
    return parent.isValid() ? tableRow(parent) + std::size_t{1} : 0;
}

QModelIndex TableModel::indexOf(std::uint32_t tableRow, int column) const
{
    if (tableRow >= m_place.size())
        return {};
    return createIndex(static_cast<int>(m_place[tableRow]), column, quintptr{tableRow});
}

QModelIndex TableModel::index(int row, int column, const QModelIndex &parent) const
{
    if (row < 0 || column < 0 || column >= columnCount() || row >= rowCount(parent))
        return {};
    return createIndex(row, column, quintptr{m_order[m_first[groupOf(parent)] + static_cast<std::uint32_t>(row)]});
}

QModelIndex TableModel::parent(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    const std::uint32_t parent = m_table->parent(tableRow(index));
    return parent == Table::kNoParent ? QModelIndex() : indexOf(parent);
}

int TableModel::rowCount(const QModelIndex &parent) const
{
    if (parent.column() > 0)
        return 0;
    const std::size_t group = groupOf(parent);
    return static_cast<int>(m_first[group + 1] - m_first[group]);
}

int TableModel::columnCount(const QModelIndex &) const
{
    return static_cast<int>(m_table->columns().size());
}

bool TableModel::isNumeric(int column) const
{
    const CellType type = m_table->column(static_cast<std::size_t>(column)).type();
    return type == CellType::Integer || type == CellType::Real;
}

QString TableModel::text(const Column &column, std::uint32_t row) const
{
    return toQString(isMoment(column) ? momentText(column, row, m_origin) : cellText(column, row));
}

QVariant TableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Column &column = m_table->column(static_cast<std::size_t>(index.column()));
    const std::uint32_t row = tableRow(index);
    switch (role) {
    case Qt::DisplayRole: return text(column, row);
    case Qt::BackgroundRole: return m_marked == row ? QVariant(hoveredColour()) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(isNumeric(index.column()) ? Qt::AlignRight | Qt::AlignVCenter
                                                  : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (column.isNull(row))
            return tr("not known");
        if (column.unit() == Unit::Ns && column.type() == CellType::Integer)
            return toQString(formatExactNs(column.integer(row)));
        if (column.unit() == Unit::Bytes && column.type() == CellType::Integer)
            return tr("%1 bytes").arg(toQString(cellText(column, row)));
        return toQString(cellText(column, row));
    default: return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column &column = m_table->column(static_cast<std::size_t>(section));
    switch (role) {
    case Qt::DisplayRole: return QCoreApplication::translate("Column", columnTitle(column).c_str());
    case Qt::ToolTipRole:
        return tr("%1 (%2 on the command line)")
            .arg(headerData(section, orientation, Qt::DisplayRole).toString(), toQString(column.name()));
    case Qt::TextAlignmentRole:
        return QVariant(isNumeric(section) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    default: return {};
    }
}

std::function<TableModel::Order()> TableModel::sorter() const
{
    return
        [table = m_table, order = m_order, groups = m_first, column = m_sortColumn, sortOrder = m_sortOrder]() mutable {
            for (std::size_t group = 0; group + 1 < groups.size(); ++group) {
                const auto first = order.begin() + groups[group];
                const auto last = order.begin() + groups[group + 1];
                std::sort(first, last); // as the analysis put them
                if (column < 0)
                    continue;
                const Column &by = table->column(static_cast<std::size_t>(column));
                std::stable_sort(first, last, [&](std::uint32_t a, std::uint32_t b) {
                    if (by.isNull(a) || by.isNull(b))
                        return !by.isNull(a) && by.isNull(b);
                    const int difference = by.compare(a, b);
                    return sortOrder == Qt::AscendingOrder ? difference < 0 : difference > 0;
                });
            }
            return std::move(order);
        };
}

void TableModel::order()
{
    m_order = sorter()();
}

void TableModel::sort(int column, Qt::SortOrder sortOrder)
{
    if (column < -1 || column >= columnCount())
        return;
    m_sortColumn = column;
    m_sortOrder = sortOrder;
    if (m_order.size() > kMostAtOnce)
        emit orderWanted();
    else
        takeOrder(sorter()());
}

void TableModel::setOrder(Order order)
{
    if (order.size() == m_order.size())
        takeOrder(std::move(order));
}

void TableModel::takeOrder(Order order)
{
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    m_order = std::move(order);
    place();
    QModelIndexList after;
    for (const QModelIndex &index : before)
        after << indexOf(tableRow(index), index.column());
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

QString tabSeparated(const TableModel &model, const QModelIndexList &rows, const QList<int> &columns)
{
    QStringList lines;
    QStringList cells;
    for (const int column : columns)
        cells << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    lines << cells.join(QLatin1Char('\t'));
    for (const QModelIndex &row : rows) {
        cells.clear();
        for (const int column : columns)
            cells << row.siblingAtColumn(column).data().toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace ks
