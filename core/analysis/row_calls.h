// SPDX-License-Identifier: GPL-3.0-or-later
// The single calls behind a row of the tables of operators and of kernels: what its counts, sums and means are made of.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ks {

struct RowCall
{
    TimeNs begin = 0; // of the part that counts, trace time
    TimeNs duration = 0;
    EventId event = kNoEvent;
    std::uint32_t trace = 0; // position among the traces
};

// Which row. Nothing told: those of all rows.
struct RowCallsOf
{
    std::optional<NameId> name;
    std::optional<EventKind> kind;
};

// Their durations add up to the row's total_ns or cpu_total_ns. By begin, those of several traces each on its own clock.
// Cost: as the table. Throws Cancelled.
std::vector<RowCall> kernelCalls(std::span<const RankTrace> traces, const Scope &scope, const RowCallsOf &row = {},
                                 const Progress &progress = {});
std::vector<RowCall> operatorCalls(std::span<const RankTrace> traces, const Scope &scope, const RowCallsOf &row = {},
                                   const Progress &progress = {});

} // namespace ks
