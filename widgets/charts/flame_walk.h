// SPDX-License-Identifier: GPL-3.0-or-later
// From box to box of a flame chart, and the way to one by names.
#pragma once

#include "core/table/table.h"
#include "widgets/charts/flame_layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ks {

std::optional<std::uint32_t> parentOf(const Table &table, std::uint32_t row);
std::optional<std::uint32_t> widestBelow(const FlameLayout &layout, std::uint32_t row);
// Before (step -1) or after it (+1), below the same box.
std::optional<std::uint32_t> besideOf(const Table &table, const FlameLayout &layout, std::uint32_t row, int step);

// Names from the outermost row to this one.
std::vector<std::string> pathOf(const Table &table, std::uint32_t row);
// The first row of that path, which is not empty.
std::optional<std::uint32_t> rowOfPath(const Table &table, const FlameLayout &layout,
                                       const std::vector<std::string> &path);

} // namespace ks
