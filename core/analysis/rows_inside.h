// SPDX-License-Identifier: GPL-3.0-or-later
// What a row of an analysis opens to: an operator to the kernels it launched, a kernel to the operators that launched it. The rows come from an
// analysis, too, restricted to the events of the row, so their numbers are those of that analysis.
#pragma once

#include "core/analysis/analysis.h"

#include <cstddef>
#include <span>
#include <string>

namespace ks {

// Only while the options are as they are at first: else rows differ by more than the name that the filter goes by. O(1)
bool opens(const Analysis &analysis, const AnalysisOptions &options, const Table &table, std::size_t row);

struct RowsInsideInput
{
    std::span<const RankTrace> traces;
    const Scope &scope;             // that the table was made for, without its filter
    std::string filter;             // … and that
};

// With the columns of `table`, null where there is nothing to tell. The row must open. Any thread. Throws as Analysis::run() does.
Table rowsInside(const Analysis &analysis, const Table &table, std::size_t row, const RowsInsideInput &input,
                 const Progress &progress = {});

} // namespace ks
