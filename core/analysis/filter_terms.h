// SPDX-License-Identifier: GPL-3.0-or-later
// Does a term of a filter hold for a value, whatever event has it?
#pragma once

#include "core/analysis/filter_node.h"
#include "core/trace/args.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ks {

template<typename Number>
bool compareHolds(FilterCompare compare, Number a, Number b)
{
    switch (compare) {
    case FilterCompare::Has:
    case FilterCompare::Equal: return !(a < b) && !(b < a);
    case FilterCompare::NotEqual: return a < b || b < a;
    case FilterCompare::Less: return a < b;
    case FilterCompare::LessOrEqual: return !(b < a);
    case FilterCompare::Greater: return b < a;
    case FilterCompare::GreaterOrEqual: return !(a < b);
    }
    return false;
}

bool textHolds(const FilterNode &term, std::string_view text);
bool argumentsHold(const FilterNode &term, const Args &args); // of shape, dtype, arg.KEY

// Of no number: no.
inline bool numberHolds(const FilterNode &term, const std::optional<std::int64_t> &number)
{
    return number && (term.isAny || (term.number && compareHolds(term.compare, *number, *term.number)));
}

} // namespace ks
