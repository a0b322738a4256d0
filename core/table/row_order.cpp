// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/row_order.h"

#include "core/base/name_pool.h"
#include "core/base/radix_order.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace ks {
namespace {

constexpr std::size_t kMany = 2048; // rows that are worth counting

// By cell its place among the texts of a column of names, nulls behind all. Equal texts are one name.
std::vector<std::uint32_t> ranksOf(const Column &column)
{
    constexpr std::uint32_t kNull = std::numeric_limits<std::uint32_t>::max();
    const NameId noText = internName("");
    const auto nameOf = [&](std::size_t row) {
        const NameId name = column.nameId(row);
        return name != kNoName ? name : noText;
    };
    std::vector<std::uint32_t> rankOfName;
    std::vector<NameId> names;
    for (std::size_t row = 0; row < column.size(); ++row) {
        if (column.isNull(row))
            continue;
        const NameId name = nameOf(row);
        if (index(name) >= rankOfName.size())
            rankOfName.resize(index(name) + 1, kNull);
        if (std::exchange(rankOfName[index(name)], 0) == kNull)
            names.push_back(name);
    }
    std::sort(names.begin(), names.end(), [](NameId a, NameId b) { return nameText(a) < nameText(b); });
    for (std::uint32_t rank = 0; rank < names.size(); ++rank)
        rankOfName[index(names[rank])] = rank;
    std::vector<std::uint32_t> ranks(column.size(), kNull);
    for (std::size_t row = 0; row < ranks.size(); ++row) {
        if (!column.isNull(row))
            ranks[row] = rankOfName[index(nameOf(row))];
    }
    return ranks;
}

// Decides between rows the columns before do not tell apart. Names are looked up once, not for each comparison.
class Tie
{
public:
    Tie(const Column &column, bool ascending)
        : m_column(&column)
        , m_ascending(ascending)
    {
        if (column.type() == CellType::Name)
            m_ranks = ranksOf(column);
    }
    int compare(std::uint32_t a, std::uint32_t b) const
    {
        const int by =
            m_ranks.empty() ? m_column->compare(a, b) : (m_ranks[a] > m_ranks[b]) - (m_ranks[a] < m_ranks[b]);
        return m_ascending ? by : (by < 0) - (by > 0);
    }

private:
    const Column *m_column;
    bool m_ascending;
    std::vector<std::uint32_t> m_ranks;
};

std::vector<Tie> tiesOf(const Table &table, const Column &first, bool ascending)
{
    std::vector<Tie> ties;
    if (!first.isNumeric())
        ties.emplace_back(first, ascending);
    for (const Column &column : table.columns()) {
        if (column.isText() && &column != &first)
            ties.emplace_back(column, true);
    }
    if (const Column *start = table.findColumn("start_ns"); start && start != &first)
        ties.emplace_back(*start, true);
    return ties;
}

// Sorts rows by their keys; equal ones stay as they stand.
void sortByKeys(std::vector<std::uint64_t> &keys, std::vector<std::uint32_t> &rows)
{
    if (rows.size() >= kMany) {
        radixOrder(keys, rows);
        return;
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs;
    for (std::size_t i = 0; i < rows.size(); ++i)
        pairs.emplace_back(keys[i], rows[i]);
    std::sort(pairs.begin(), pairs.end()); // rows ascend
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::tie(keys[i], rows[i]) = pairs[i];
}

} // namespace

std::vector<std::uint32_t> rowsInOrder(const Table &table, SortOrder order)
{
    const Column &first = table.columns()[order.column];
    std::vector<std::uint32_t> rows, nulls;
    std::vector<std::uint64_t> keys;
    rows.reserve(table.rowCount());
    keys.reserve(table.rowCount());
    for (std::uint32_t row = 0; row < table.rowCount(); ++row) {
        if (first.isNull(row)) {
            nulls.push_back(row);
            continue;
        }
        const std::int64_t key = first.sortKey(row);
        keys.push_back(static_cast<std::uint64_t>(order.ascending ? key : ~key) ^ (std::uint64_t{1} << 63U));
        rows.push_back(row);
    }
    sortByKeys(keys, rows);

    const std::vector<Tie> ties = tiesOf(table, first, order.ascending);
    const auto isBefore = [&ties](std::uint32_t a, std::uint32_t b) {
        for (const Tie &tie : ties) {
            if (const int by = tie.compare(a, b); by != 0)
                return by < 0;
        }
        return a < b;
    };
    for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
        while (end < rows.size() && keys[end] == keys[begin])
            ++end;
        if (end - begin > 1)
            std::sort(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                      rows.begin() + static_cast<std::ptrdiff_t>(end), isBefore);
    }
    std::sort(nulls.begin(), nulls.end(), isBefore);
    rows.insert(rows.end(), nulls.begin(), nulls.end());
    return rows;
}

} // namespace ks
