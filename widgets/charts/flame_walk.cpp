// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/flame_walk.h"

#include <algorithm>

namespace ks {

std::vector<std::string> pathOf(const Table &table, std::uint32_t row)
{
    std::vector<std::string> path;
    const Column *names = table.findColumn("name");
    for (std::uint32_t at = row; names && at != Table::kNoParent; at = table.parent(at))
        path.emplace_back(names->text(at));
    std::reverse(path.begin(), path.end());
    return path;
}

std::optional<std::uint32_t> rowOfPath(const Table &table, const FlameLayout &layout,
                                       const std::vector<std::string> &path)
{
    const Column *names = table.findColumn("name");
    std::uint32_t row = 0;
    auto end = static_cast<std::uint32_t>(layout.boxes.size());
    for (std::size_t depth = 0; names && row < end;) {
        if (names->text(row) != path[depth]) {
            row = layout.boxes[row].endRow;
        } else if (++depth == path.size()) {
            return row;
        } else {
            end = layout.boxes[row].endRow;
            ++row;
        }
    }
    return {};
}

std::optional<std::uint32_t> parentOf(const Table &table, std::uint32_t row)
{
    const std::uint32_t parent = table.parent(row);
    return parent != Table::kNoParent ? std::optional(parent) : std::nullopt;
}

std::optional<std::uint32_t> widestBelow(const FlameLayout &layout, std::uint32_t row)
{
    std::optional<std::uint32_t> widest;
    const auto width = [&layout](std::uint32_t at) { return layout.boxes[at].end - layout.boxes[at].begin; };
    for (std::uint32_t at = row + 1; at < layout.boxes[row].endRow; at = layout.boxes[at].endRow) {
        if (!widest || width(at) > width(*widest))
            widest = at;
    }
    return widest;
}

std::optional<std::uint32_t> besideOf(const Table &table, const FlameLayout &layout, std::uint32_t row, int step)
{
    const std::optional<std::uint32_t> parent = parentOf(table, row);
    const std::uint32_t first = parent ? *parent + 1 : 0;
    const std::uint32_t end = parent ? layout.boxes[*parent].endRow : static_cast<std::uint32_t>(layout.boxes.size());
    std::optional<std::uint32_t> before;
    for (std::uint32_t at = first; at < end; at = layout.boxes[at].endRow) {
        if (step < 0 && at == row)
            return before;
        if (step > 0 && before == row)
            return at;
        before = at;
    }
    return {};
}

} // namespace ks
