// SPDX-License-Identifier: GPL-3.0-or-later
// The bars of a waterfall: the step before, what became more, what became less, the step after; each begins where the
// one before it ended.
#pragma once

#include "core/table/table.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace ks {

struct WaterfallBar
{
    enum class Kind : std::uint8_t { Total, More, Less };
    QString label;
    Kind kind = Kind::Total;
    double bottom = 0; // ns, like the height; never below 0
    double height = 0;
    std::optional<std::uint32_t> row; // of the table; none for what is small and many
};

// Of a table as waterfall.h makes it; empty if it is none, or nothing differs. At most `most` bars between the totals.
std::vector<WaterfallBar> waterfallBars(const Table &table, std::size_t most = 5);

} // namespace ks
