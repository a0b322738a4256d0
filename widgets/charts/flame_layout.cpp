// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/flame_layout.h"

#include <algorithm>

namespace ks {

FlameLayout flameLayout(const Table &table, std::string_view cost)
{
    FlameLayout layout;
    const Column *column = table.findColumn(cost);
    const auto rows = static_cast<std::uint32_t>(table.rowCount());
    if (!column || rows == 0)
        return layout;
    layout.boxes.resize(rows);
    const auto costOf = [column](std::uint32_t row) { return std::max(0.0, column->number(row).value_or(0)); };
    std::vector<double> below(rows, 0); // cost of the rows directly below
    for (std::uint32_t row = 0; row < rows; ++row)
        (table.parent(row) == Table::kNoParent ? layout.whole : below[table.parent(row)]) += costOf(row);
    std::vector<double> next(rows, 0); // where the next row below begins
    double nextRoot = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
        const std::uint32_t parent = table.parent(row);
        FlameBox &box = layout.boxes[row];
        double width = layout.whole > 0 ? costOf(row) / layout.whole : 0;
        double *place = &nextRoot;
        if (parent != Table::kNoParent) {
            const FlameBox &above = layout.boxes[parent];
            const double unit = std::max(below[parent], costOf(parent));
            width = unit > 0 ? (above.end - above.begin) * costOf(row) / unit : 0;
            place = &next[parent];
            box.depth = above.depth + 1;
        }
        box.begin = *place;
        box.end = box.begin + width;
        *place = box.end;
        next[row] = box.begin;
        box.endRow = row + 1;
        layout.depth = std::max(layout.depth, box.depth + 1);
    }
    for (std::uint32_t row = rows; row-- > 0;) {
        if (const std::uint32_t parent = table.parent(row); parent != Table::kNoParent)
            layout.boxes[parent].endRow = std::max(layout.boxes[parent].endRow, layout.boxes[row].endRow);
    }
    return layout;
}

std::optional<std::uint32_t> boxAt(const FlameLayout &layout, double place, std::uint32_t depth)
{
    std::uint32_t row = 0;
    while (row < layout.boxes.size()) {
        const FlameBox &box = layout.boxes[row];
        if (place < box.begin || place >= box.end || box.depth > depth)
            row = box.endRow;
        else if (box.depth == depth)
            return row;
        else
            ++row;
    }
    return {};
}

} // namespace ks
