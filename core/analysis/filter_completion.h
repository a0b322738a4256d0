// SPDX-License-Identifier: GPL-3.0-or-later
// What may be written at a place of a filter: fields, then their values as the open traces have them.
#pragma once

#include "core/analysis/filter_values.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

struct FilterCompletion
{
    std::size_t from = 0;             // a choice takes the place of the text from here to the cursor; bytes
    std::vector<std::string> choices; // best first: what begins as the text does, then what has it inside; at most 50
};

// `cursor` in bytes. Nothing is offered for what is complete already or cannot be completed (regular expressions, times). Behind a blank,
// where nothing is written yet, the fields.
FilterCompletion completeFilter(std::string_view text, std::size_t cursor, const FilterValues &values);

} // namespace ks
