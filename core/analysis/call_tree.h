// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time goes, along the calls: python frames, modules, annotations, operators, launches and the device work
// below them, merged by path of names over threads and ranks.
//
// A python frame stands below the one its `Python parent id` names, and below what encloses it in there; everything else
// below the innermost event around it; device work below its launch, else its operator, else at the top. All steps are
// one name, as in the table of operators.
//
//   name kind depth calls
//   cpu_total_ns cpu_self_ns        durations of the outermost selected calls at or below the row; self: without what
//                                   the calls enclose on their lane (the geometry of the timeline), never below 0
//   device_total_ns device_self_ns  sums of the work launched at or below the row; self: of the row itself, so only rows
//                                   of device work have one
//   share                           of the sum over the outermost rows, by the time asked for
//
// Bottom-up the outermost rows are names, the rows below them their callers; all numbers are those of that name when
// called on that way. Callers with less than 1/2000 of the whole are left out.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/table/table.h"

#include <span>

namespace ks {

struct CallTreeOptions
{
    bool bottomUp = false;
    bool byDevice = false; // order, shares and which rows are worth a row; else by host time
};

// Depth first, the costliest first. Cost: some 60 ns an event. Throws Cancelled.
Table callTreeTable(std::span<const RankTrace> traces, const Scope &scope, const CallTreeOptions &options = {},
                    const Progress &progress = {});

} // namespace ks
