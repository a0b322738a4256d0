// SPDX-License-Identifier: GPL-3.0-or-later
// --where EXPR of search and trim.
#pragma once

#include "app/cli/options.h"
#include "core/analysis/filter.h"

namespace ks::cli {

inline constexpr OptionSpec kWhereOption = {"--where", "EXPR", "a filter such as \"dur > 100us and kind == kernel\""};

Filter filterFrom(const Options &options); // throws UsageError

} // namespace ks::cli
