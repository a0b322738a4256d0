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
    : GrowingModel(parent)
    , m_table(std::make_shared<const Table>())
    , m_first(2, 0)
{}

void TableModel::setMarked(std::optional<std::uint32_t> tableRow)
{
    m_marked = tableRow;
}

void TableModel::setTable(std::shared_ptr<const Table> table, std::int64_t origin,
                          const std::function<bool(std::uint32_t)> &isOpen)
{
    constexpr std::size_t kMostAsked = 2000;
    beginResetModel();
    m_marked.reset();
    m_table = std::move(table);
    m_origin = origin;
    m_open.clear();
    m_wanted.clear();
    m_empty.clear();
    m_inserted.clear();
    m_sortColumn = -1;
    group();
    m_shown.clear();
    if (isOpen) {
        Rows waiting(m_order.begin(), m_order.begin() + std::min<std::ptrdiff_t>(m_first[1], kMostAsked));
        for (std::size_t i = 0; i < waiting.size() && i < kMostAsked; ++i) {
            if (!opens(waiting[i]) || !isOpen(waiting[i]))
                continue;
            m_open.insert(waiting[i]);
            const auto children = inside(waiting[i]);
            waiting.insert(waiting.end(), children.begin(), children.end());
        }
    }
    rebuildShown();
    setWhole(shown().size());
    endResetModel();
    for (const std::uint32_t row : std::set(m_open)) {
        if (inside(row).empty() && m_wanted.insert(row).second)
            emit rowsWanted(row);
    }
}

void TableModel::setOpens(std::function<bool(std::uint32_t)> opens)
{
    m_opens = std::move(opens);
}

std::span<const std::uint32_t> TableModel::inside(std::uint32_t tableRow) const
{
    if (const auto inserted = m_inserted.find(tableRow); inserted != m_inserted.end())
        return inserted->second;
    const std::size_t group = tableRow + std::size_t{1};
    if (group + 1 >= m_first.size())
        return {};
    return std::span(m_order).subspan(m_first[group], m_first[group + 1] - m_first[group]);
}

bool TableModel::opens(std::uint32_t tableRow) const
{
    return !inside(tableRow).empty() || (m_opens && !m_empty.contains(tableRow) && m_opens(tableRow));
}

void TableModel::setOpen(std::uint32_t tableRow, bool isOpen)
{
    if (isOpen == this->isOpen(tableRow) || (isOpen && !opens(tableRow)))
        return;
    const QModelIndex row = makeKnown(tableRow);
    if (isOpen) {
        m_open.insert(tableRow);
        insertShown(tableRow);
        if (inside(tableRow).empty() && m_wanted.insert(tableRow).second)
            emit rowsWanted(tableRow);
    } else {
        Rows below;
        addInside(tableRow, below);
        m_open.erase(tableRow);
        if (row.isValid() && !below.empty()) {
            const auto first = m_shown.begin() + row.row() + 1;
            beginRemove(row.row() + 1, static_cast<int>(below.size()));
            m_shown.erase(first, first + static_cast<std::ptrdiff_t>(below.size()));
            endRemove();
        }
    }
    tellChanged(row);
}

void TableModel::insertBelow(std::uint32_t tableRow, std::shared_ptr<const Table> table)
{
    const auto before = static_cast<std::uint32_t>(m_table->rowCount());
    m_table = std::move(table);
    Rows rows(m_table->rowCount() - before);
    std::iota(rows.begin(), rows.end(), before);
    if (rows.empty()) {
        m_empty.insert(tableRow);
        m_open.erase(tableRow);
    } else {
        m_inserted[tableRow] = std::move(rows);
        sortInserted();
        if (isOpen(tableRow))
            insertShown(tableRow);
    }
    tellChanged(indexOf(tableRow));
}

// What one sees below a row that is open.
void TableModel::addInside(std::uint32_t tableRow, Rows &rows) const
{
    Rows waiting{tableRow};
    while (!waiting.empty()) {
        const std::uint32_t row = waiting.back();
        waiting.pop_back();
        if (row != tableRow)
            rows.push_back(row);
        if (isOpen(row)) {
            const auto children = inside(row);
            waiting.insert(waiting.end(), children.rbegin(), children.rend());
        }
    }
}

void TableModel::insertShown(std::uint32_t tableRow)
{
    const QModelIndex row = makeKnown(tableRow);
    Rows below;
    addInside(tableRow, below);
    if (!row.isValid() || below.empty())
        return;
    beginInsert(row.row() + 1, static_cast<int>(below.size()));
    if (m_shown.empty())
        m_shown = m_order;
    m_shown.insert(m_shown.begin() + row.row() + 1, below.begin(), below.end());
    endInsert();
}

void TableModel::rebuildShown()
{
    m_shown.clear();
    if (m_open.empty() && m_first.size() == 2)
        return;
    for (std::uint32_t at = 0; at < m_first[1]; ++at) {
        m_shown.push_back(m_order[at]);
        if (isOpen(m_order[at]))
            addInside(m_order[at], m_shown);
    }
}

void TableModel::tellChanged(const QModelIndex &row)
{
    if (row.isValid())
        emit dataChanged(row, row.siblingAtColumn(columnCount() - 1));
}

// The children of each row, as the analysis put them.
void TableModel::group()
{
    const std::size_t rows = m_table->rowCount();
    m_order.resize(rows);
    if (!m_table->isTree()) {
        m_first = {0, static_cast<std::uint32_t>(rows)};
        std::iota(m_order.begin(), m_order.end(), 0U);
        return;
    }
    const auto groupOfRow = [this](std::size_t row) {
        const std::uint32_t parent = m_table->parent(row);
        return parent == Table::kNoParent ? std::size_t{0} : parent + std::size_t{1};
    };
    m_first.assign(rows + 2, 0);
    for (std::size_t row = 0; row < rows; ++row)
        ++m_first[groupOfRow(row) + 1];
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    for (std::size_t row = 0; row < rows; ++row)
        m_order[next[groupOfRow(row)]++] = static_cast<std::uint32_t>(row);
}

std::optional<std::size_t> TableModel::placeOf(std::uint32_t tableRow) const
{
    const auto found = std::find(shown().begin(), shown().end(), tableRow);
    if (found == shown().end())
        return {};
    return static_cast<std::size_t>(found - shown().begin());
}

QModelIndex TableModel::indexOf(std::uint32_t tableRow, int column) const
{
    const std::optional<std::size_t> place = placeOf(tableRow);
    return place ? index(static_cast<int>(*place), column) : QModelIndex();
}

QModelIndex TableModel::makeKnown(std::uint32_t tableRow)
{
    if (const std::optional<std::size_t> place = placeOf(tableRow))
        growTo(static_cast<int>(*place));
    return indexOf(tableRow);
}

QModelIndex TableModel::reveal(std::uint32_t tableRow, int column)
{
    if (tableRow >= m_table->rowCount())
        return {};
    Rows above;
    for (std::uint32_t up = m_table->parent(tableRow); up != Table::kNoParent; up = m_table->parent(up))
        above.push_back(up);
    makeKnown(above.empty() ? tableRow : above.back());
    for (auto row = above.rbegin(); row != above.rend(); ++row)
        setOpen(*row, true);
    return indexOf(tableRow, column);
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

QString TableModel::text(int columnOfIt, std::uint32_t row) const
{
    const Column &column = m_table->column(static_cast<std::size_t>(columnOfIt));
    return toQString(isMoment(column) ? momentText(column, row, m_origin) : cellText(column, row));
}

QVariant TableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Column &column = m_table->column(static_cast<std::size_t>(index.column()));
    const std::uint32_t row = tableRow(index);
    switch (role) {
    case Qt::DisplayRole: return text(index.column(), row);
    case Qt::BackgroundRole: return m_marked == row ? QVariant(hoveredColour()) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(isNumeric(index.column()) ? Qt::AlignRight | Qt::AlignVCenter
                                                  : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::AccessibleDescriptionRole:
        if (!opens(row) && m_table->parent(row) == Table::kNoParent)
            return {};
        return (!opens(row)   ? tr("level %1")
                : isOpen(row) ? tr("level %1, open")
                              : tr("level %1, closed"))
            .arg(m_table->depth(row) + 1);
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
    case Qt::DisplayRole: {
        const auto title = [](std::string_view name) {
            return QCoreApplication::translate("Column", columnTitle(name).c_str());
        };
        if (column.measure().empty())
            return title(column.name());
        return tr("%1 · %2", "Before · CPU self").arg(title(column.name()), title(column.measure()));
    }
    case Qt::ToolTipRole:
        return tr("%1 (%2 on the command line)")
            .arg(headerData(section, orientation, Qt::DisplayRole).toString(), toQString(column.name()));
    case Qt::TextAlignmentRole:
        return QVariant(isNumeric(section) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    default: return {};
    }
}

namespace {

// As the analysis put them, or by a column.
void sortRows(const Table &table, int column, Qt::SortOrder sortOrder, std::span<std::uint32_t> rows)
{
    std::sort(rows.begin(), rows.end());
    if (column < 0)
        return;
    const Column &by = table.column(static_cast<std::size_t>(column));
    std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (by.isNull(a) || by.isNull(b))
            return !by.isNull(a) && by.isNull(b);
        const int difference = by.compare(a, b);
        return sortOrder == Qt::AscendingOrder ? difference < 0 : difference > 0;
    });
}

} // namespace

std::function<TableModel::Rows()> TableModel::sorter() const
{
    const bool isFlat = m_first.size() == 2;
    return [table = m_table, order = isFlat ? Rows() : m_order, groups = m_first, column = m_sortColumn,
            sortOrder = m_sortOrder]() mutable {
        if (order.empty()) {
            order.resize(groups.back());
            std::iota(order.begin(), order.end(), 0U);
        }
        for (std::size_t group = 0; group + 1 < groups.size(); ++group)
            sortRows(*table, column, sortOrder,
                     std::span(order).subspan(groups[group], groups[group + 1] - groups[group]));
        return std::move(order);
    };
}

void TableModel::sortInserted()
{
    for (auto &[row, children] : m_inserted)
        sortRows(*m_table, m_sortColumn, m_sortOrder, children);
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

void TableModel::setOrder(Rows order)
{
    if (order.size() == m_order.size())
        takeOrder(std::move(order));
}

void TableModel::takeOrder(Rows order)
{
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    Rows kept; // their rows
    for (const QModelIndex &index : before)
        kept.push_back(tableRow(index));
    m_order = std::move(order);
    sortInserted();
    rebuildShown();
    std::vector<bool> isKept(kept.empty() ? 0 : m_table->rowCount());
    for (const std::uint32_t row : kept)
        isKept[row] = true;
    std::map<std::uint32_t, int> places;
    for (std::size_t place = 0; places.size() < kept.size() && place < shown().size(); ++place) {
        if (isKept[shown()[place]])
            places[shown()[place]] = static_cast<int>(place);
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(places[kept[static_cast<std::size_t>(i)]], before[i].column());
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

} // namespace ks
