// SPDX-License-Identifier: GPL-3.0-or-later
// What the fields of a filter can have in the open traces: what completion offers.
#pragma once

#include "core/analysis/filter_node.h"
#include "core/analysis/scope.h"
#include "core/base/progress.h"

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ks {

struct FilterValues
{
    using Texts = std::vector<std::string>; // most frequent first, none twice

    std::array<Texts, static_cast<std::size_t>(FilterField::Start) + 1> ofField; // of names the 20,000 most frequent
    std::map<std::string, Texts> ofArgument;                                     // by key

    const Texts &of(FilterField field) const { return ofField[static_cast<std::size_t>(field)]; }
    Texts &of(FilterField field) { return ofField[static_cast<std::size_t>(field)]; }
};

// One pass over the events. `stepPattern`: see stepsOf(). Shapes, types and arguments are those of 2,000 events of each trace, spread over it; none of a file that changed.
FilterValues filterValues(std::span<const RankTrace> traces, const std::string &stepPattern = {},
                          const Progress &progress = {});

} // namespace ks
