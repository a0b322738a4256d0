// SPDX-License-Identifier: GPL-3.0-or-later
// What the value of a term means to its field: a time, a whole number, a kind, or just its text.
#pragma once

#include "core/analysis/filter_node.h"

#include <optional>
#include <string>
#include <string_view>

namespace ks {

bool isOrder(FilterCompare compare); // less or greater, with or without equal
bool hasOrder(FilterField field);    // can its values be less or greater?
// The same word in any case; `keyword` is in small letters.
bool isKeyword(std::string_view text, std::string_view keyword);

// Fills in the numbers of a term whose field, comparison and value are known. Returns what is wrong with the value.
std::optional<std::string> readOperand(FilterNode &term);

} // namespace ks
