// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/table.h"

#include "core/base/json_writer.h"
#include "core/base/name_pool.h"
#include "core/table/row_order.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

namespace ks {
namespace {

template<typename T>
int order(const T &a, const T &b)
{
    return a < b ? -1 : b < a ? 1 : 0;
}

template<typename T>
void takeFrom(std::vector<T> &cells, std::span<const std::uint32_t> rows)
{
    std::vector<T> taken;
    taken.reserve(rows.size());
    for (const std::uint32_t row : rows) {
        // A row is taken at most once.
        if constexpr (std::is_same_v<T, bool>)
            taken.push_back(row < cells.size() && cells[row]);
        else
            taken.push_back(std::move(cells[row]));
    }
    cells = std::move(taken);
}

template<typename Range>
std::string listOf(const Range &items)
{
    std::string json;
    {
        TextSink sink(json);
        sink.put('[');
        bool first = true;
        for (const auto &item : items) {
            if (!first)
                sink.put(',');
            first = false;
            JsonWriter(sink).value(item);
        }
        sink.put(']');
    }
    return json;
}

} // namespace

std::string_view unitId(Unit unit)
{
    switch (unit) {
    case Unit::Text: return "text";
    case Unit::Count: return "count";
    case Unit::Ns: return "ns";
    case Unit::Bytes: return "bytes";
    case Unit::Ratio:
    case Unit::Change: return "ratio";
    case Unit::Percent: return "percent";
    case Unit::Flop: return "flop";
    case Unit::GbPerS: return "GB/s";
    case Unit::Number: return "number";
    case Unit::Id: return "id";
    case Unit::List: return "list";
    }
    return "";
}

Column::Column(std::string name, Unit unit, CellType type)
    : m_name(std::move(name))
    , m_unit(unit)
    , m_type(type)
{
    switch (type) {
    case CellType::Integer: m_cells.emplace<std::vector<std::int64_t>>(); break;
    case CellType::Real: m_cells.emplace<std::vector<double>>(); break;
    case CellType::Text:
    case CellType::List: m_cells.emplace<std::vector<std::string>>(); break;
    case CellType::Name: m_cells.emplace<std::vector<NameId>>(); break;
    }
}

std::size_t Column::size() const
{
    return std::visit([](const auto &cells) { return cells.size(); }, m_cells);
}

void Column::expectMore(std::size_t cells)
{
    std::visit(
        [cells](auto &known) {
            if (known.size() + cells > known.capacity())
                known.reserve(std::max(known.size() + cells, known.capacity() * 2));
        },
        m_cells);
}

void Column::appendInteger(std::int64_t value)
{
    if (m_type == CellType::Real)
        std::get<std::vector<double>>(m_cells).push_back(static_cast<double>(value));
    else
        std::get<std::vector<std::int64_t>>(m_cells).push_back(value);
}

void Column::append(double value)
{
    if (std::isnan(value))
        appendNull();
    else
        std::get<std::vector<double>>(m_cells).push_back(value);
}

void Column::append(std::string value)
{
    std::get<std::vector<std::string>>(m_cells).push_back(std::move(value));
}

void Column::append(NameId value)
{
    std::get<std::vector<NameId>>(m_cells).push_back(value);
}

void Column::appendCell(const Column &from, std::size_t row)
{
    if (from.isNull(row))
        appendNull();
    else if (m_type == CellType::Name)
        append(from.m_type == CellType::Name ? from.nameId(row) : internName(from.text(row)));
    else if (m_type == CellType::Text || m_type == CellType::List)
        append(from.text(row));
    else if (from.m_type == CellType::Real)
        append(from.real(row));
    else
        appendInteger(from.integer(row));
}

void Column::appendNull()
{
    markNull(size());
    std::visit([](auto &cells) { cells.emplace_back(); }, m_cells);
}

void Column::markNull(std::size_t row)
{
    m_null.resize(row + 1, false);
    m_null[row] = true;
    ++m_nulls;
}

std::string_view Column::text(std::size_t row) const
{
    if (isNull(row))
        return {};
    if (m_type == CellType::Name)
        return nameText(nameId(row));
    return std::get<std::vector<std::string>>(m_cells)[row];
}

std::optional<double> Column::number(std::size_t row) const
{
    if (isNull(row))
        return {};
    if (m_type == CellType::Integer)
        return static_cast<double>(integer(row));
    if (m_type == CellType::Real)
        return real(row);
    return {};
}

int Column::compare(std::size_t a, std::size_t b) const
{
    if (isNull(a) || isNull(b))
        return order(isNull(a), isNull(b));
    switch (m_type) {
    case CellType::Integer: return order(integer(a), integer(b));
    case CellType::Real: return order(real(a), real(b));
    case CellType::Name:
        if (nameId(a) == nameId(b))
            return 0;
        break;
    case CellType::Text:
    case CellType::List: break;
    }
    return text(a).compare(text(b));
}

std::int64_t Column::sortKey(std::size_t row) const
{
    if (isNull(row))
        return 0;
    if (m_type == CellType::Integer)
        return integer(row);
    if (m_type != CellType::Real)
        return 0;
    // The bits of a double ascend with it, below zero they descend. Both zeros are one.
    const auto bits = std::bit_cast<std::int64_t>(real(row) + 0.0);
    return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

void Column::take(std::span<const std::uint32_t> rows)
{
    std::visit([rows](auto &cells) { takeFrom(cells, rows); }, m_cells);
    if (!m_null.empty())
        takeFrom(m_null, rows);
    m_nulls = static_cast<std::size_t>(std::count(m_null.begin(), m_null.end(), true));
}

Column &Table::addColumn(std::string name, Unit unit, CellType type)
{
    assert(!find(name));
    return m_columns.emplace_back(std::move(name), unit, type);
}

std::optional<std::size_t> Table::find(std::string_view name) const
{
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        if (m_columns[i].name() == name)
            return i;
    }
    return {};
}

const Column *Table::findColumn(std::string_view name) const
{
    const auto at = find(name);
    return at ? &m_columns[*at] : nullptr;
}

void Table::expectMore(std::size_t rows)
{
    for (Column &column : m_columns)
        column.expectMore(rows);
}

std::size_t Table::depth(std::size_t row) const
{
    std::size_t depth = 0;
    for (std::uint32_t up = parent(row); up != kNoParent; up = parent(up))
        ++depth;
    return depth;
}

void Table::sort(SortOrder order)
{
    const std::vector<std::uint32_t> rows = rowsInOrder(*this, order);
    if (!isTree()) {
        take(rows);
        return;
    }
    // Depth first: the children of each row in the order just found.
    std::vector<std::vector<std::uint32_t>> children(rows.size() + 1); // the last: those without a parent
    for (const std::uint32_t row : rows)
        children[m_parents[row] == kNoParent ? rows.size() : m_parents[row]].push_back(row);
    std::vector<std::uint32_t> ordered;
    ordered.reserve(rows.size());
    std::vector<std::uint32_t> open(children.back().rbegin(), children.back().rend());
    while (!open.empty()) {
        const std::uint32_t row = open.back();
        open.pop_back();
        ordered.push_back(row);
        open.insert(open.end(), children[row].rbegin(), children[row].rend());
    }
    take(ordered);
}

void Table::limit(std::size_t rows)
{
    if (rows >= rowCount())
        return;
    std::vector<std::uint32_t> kept(rows);
    std::iota(kept.begin(), kept.end(), 0U);
    take(kept);
}

void Table::insertBelow(std::uint32_t row, const Table &children)
{
    m_parents.resize(rowCount(), kNoParent);
    m_parents.insert(m_parents.end(), children.rowCount(), row);
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        for (std::size_t i = 0; i < children.rowCount(); ++i)
            m_columns[column].appendCell(children.column(column), i);
    }
}

void Table::take(std::span<const std::uint32_t> rows)
{
    if (isTree()) {
        std::vector<std::uint32_t> place(rowCount(), kNoParent);
        for (std::size_t i = 0; i < rows.size(); ++i)
            place[rows[i]] = static_cast<std::uint32_t>(i);
        std::vector<std::uint32_t> parents;
        parents.reserve(rows.size());
        for (const std::uint32_t row : rows)
            parents.push_back(m_parents[row] == kNoParent ? kNoParent : place[m_parents[row]]);
        m_parents = std::move(parents);
    }
    for (Column &column : m_columns)
        column.take(rows);
}

std::string jsonList(std::span<const std::string_view> texts)
{
    return listOf(texts);
}

std::string jsonList(std::span<const std::string> texts)
{
    return listOf(texts);
}

std::string jsonList(std::span<const std::int64_t> numbers)
{
    return listOf(numbers);
}

} // namespace ks
