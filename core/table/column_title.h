// SPDX-License-Identifier: GPL-3.0-or-later
// What stands above a column in the window. Columns of one name mean the same in all tables, so titles go by name.
#pragma once

#include "core/table/table.h"

#include <string>
#include <string_view>

namespace ks {

// "cpu_self_ns" -> "CPU self": the unit shows in the cells. Translatable (context "Column"); of a name nobody knows the
// words of the name.
std::string columnTitle(std::string_view name);
inline std::string columnTitle(const Column &column)
{
    return columnTitle(column.name());
}

} // namespace ks
