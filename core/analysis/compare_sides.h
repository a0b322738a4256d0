// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison joins: the same table of each run.
#pragma once

#include "core/analysis/compare.h"

#include <span>
#include <string>
#include <string_view>

namespace ks {

Table comparedTable(std::span<const RankTrace> traces, const Scope &scope, const CompareOptions &options,
                    const Progress &progress);
// The column whose cells rows are joined by: name, path of modules, family.
std::string_view keyColumn(CompareBy by);
// What is compared unless told: time of the device, of the host where no run has any.
std::string usualMetric(CompareBy by, const Table &baseline, const Table &candidate);

} // namespace ks
