// SPDX-License-Identifier: GPL-3.0-or-later
// A table as a value: the result of every analysis, shown by a pane, printed by the command line, joined by a comparison.
// Columns are typed and hold nulls (unknown is null, never 0). Rows may form a tree: a parent stands before its children.
#pragma once

#include "core/base/ids.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ks {

// What a column counts; the names are those of the command line. A change is a ratio, too, shown as how much more or less it is.
enum class Unit : std::uint8_t { Text, Count, Ns, Bytes, Ratio, Change, Percent, Flop, GbPerS, Number, Id, List };
std::string_view unitId(Unit); // "text", "count" … "GB/s"

// How a column stores its cells.
enum class CellType : std::uint8_t {
    Integer, // std::int64_t
    Real,    // double
    Text,    // std::string
    Name,    // NameId: text of the name pool, 4 bytes a cell
    List,    // JSON text of an array
};

class Column
{
public:
    Column(std::string name, Unit unit, CellType type);

    const std::string &name() const { return m_name; }
    Unit unit() const { return m_unit; }
    // What is compared in it, by the name of another table's column; "" of most.
    const std::string &measure() const { return m_measure; }
    void setMeasure(std::string_view column) { m_measure = column; }
    CellType type() const { return m_type; }
    bool isText() const { return m_type == CellType::Text || m_type == CellType::Name; }
    bool isNumeric() const { return m_type == CellType::Integer || m_type == CellType::Real; }
    std::size_t size() const;
    void expectMore(std::size_t cells); // room for so many more; may be said again and again

    // Each appends one cell; it must be of the column's type (an integer may go into a Real column). A NaN is null.
    template<std::integral Int>
    void append(Int value)
    {
        appendInteger(static_cast<std::int64_t>(value));
    }
    void append(double value);
    void append(std::string value); // Text: the text; List: the JSON text
    void append(std::string_view value) { append(std::string(value)); }
    void append(const char *value) { append(std::string(value)); }
    void append(NameId value);
    void appendNull();
    void appendCell(const Column &from, std::size_t row); // names as texts, numbers as numbers; else of the same type
    template<typename T>
    void append(const std::optional<T> &value)
    {
        if (value)
            append(*value);
        else
            appendNull();
    }

    bool isNull(std::size_t row) const { return row < m_null.size() && m_null[row]; }
    std::int64_t integer(std::size_t row) const { return std::get<std::vector<std::int64_t>>(m_cells)[row]; }
    double real(std::size_t row) const { return std::get<std::vector<double>>(m_cells)[row]; }
    std::string_view text(std::size_t row) const; // Text, Name; of List the JSON
    NameId nameId(std::size_t row) const { return std::get<std::vector<NameId>>(m_cells)[row]; }
    std::size_t nullCount() const { return m_nulls; }
    // Integer and Real cells as one type, for charts and bars; none for null and text.
    std::optional<double> number(std::size_t row) const;

    // <0, 0, >0; text bytewise, nulls above everything else.
    int compare(std::size_t a, std::size_t b) const;
    // A number in the order of the numeric cells; 0 for null and for other types.
    std::int64_t sortKey(std::size_t row) const;
    // Keeps the cells of `rows`, in that order.
    void take(std::span<const std::uint32_t> rows);

private:
    void appendInteger(std::int64_t value);
    void markNull(std::size_t row);

    std::string m_name;
    std::string m_measure;
    Unit m_unit;
    CellType m_type;
    std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>, std::vector<NameId>> m_cells;
    std::vector<bool> m_null; // may be shorter than the column: the rest is not null
    std::size_t m_nulls = 0;
};

struct SortOrder
{
    std::size_t column = 0;
    bool ascending = false;
};

class Table
{
public:
    static constexpr std::uint32_t kNoParent = std::numeric_limits<std::uint32_t>::max();

    // Returns the column; the reference is valid until the next one is added.
    Column &addColumn(std::string name, Unit unit, CellType type);
    Column &integers(std::string name, Unit unit) { return addColumn(std::move(name), unit, CellType::Integer); }
    Column &reals(std::string name, Unit unit) { return addColumn(std::move(name), unit, CellType::Real); }
    Column &texts(std::string name) { return addColumn(std::move(name), Unit::Text, CellType::Text); }
    Column &names(std::string name) { return addColumn(std::move(name), Unit::Text, CellType::Name); }
    Column &lists(std::string name) { return addColumn(std::move(name), Unit::List, CellType::List); }

    std::span<const Column> columns() const { return m_columns; }
    Column &column(std::size_t i) { return m_columns[i]; }
    const Column &column(std::size_t i) const { return m_columns[i]; }
    std::optional<std::size_t> find(std::string_view name) const;
    const Column *findColumn(std::string_view name) const; // null if there is none
    void expectMore(std::size_t rows);                     // room for so many more
    std::size_t rowCount() const { return m_columns.empty() ? 0 : m_columns.front().size(); }

    // A tree has one entry a row: the row of the parent, which stands before it, or kNoParent.
    bool isTree() const { return !m_parents.empty(); }
    void setParents(std::vector<std::uint32_t> parents) { m_parents = std::move(parents); }
    std::uint32_t parent(std::size_t row) const { return m_parents.empty() ? kNoParent : m_parents[row]; }
    std::size_t depth(std::size_t row) const;

    // By that column, nulls last; ties by the text columns from left to right (bytewise), then by `start_ns` if there is such a column,
    // then as the rows stood. In a tree the children of each row are ordered among themselves.
    void sort(SortOrder order);
    // Appends rows below one that has none yet. `children` has the same columns and is no tree.
    void insertBelow(std::uint32_t row, const Table &children);
    // Keeps the first rows.
    void limit(std::size_t rows);

private:
    void take(std::span<const std::uint32_t> rows);

    std::vector<Column> m_columns;
    std::vector<std::uint32_t> m_parents;
};

// Cells of a List column.
std::string jsonList(std::span<const std::string_view> texts);
std::string jsonList(std::span<const std::string> texts);
std::string jsonList(std::span<const std::int64_t> numbers);

} // namespace ks
