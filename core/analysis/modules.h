// SPDX-License-Identifier: GPL-3.0-or-later
// Which nn.Module costs most: a tree of the module calls python recorded (with_stack), one row per path of names. A
// module stands in the module that called it (`Python parent id`; where the file gives none, the innermost one around
// it).
//
//   path (names without "nn.Module: ", root first) name depth calls
//   operators                        those directly in the module: with no other operator, annotation or module between
//   host_total_ns host_self_ns       self: without the modules, operators, annotations and launches directly in it
//   device_total_ns device_self_ns   sums of the work launched in the module; self: and in no module inside it
//   device_with_backward_ns          device_total_ns and the work of backward calls whose forward mates are inside
//
// Depth first, children by first call. Several traces are ranks of one run: rows of one path are added up.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/table/table.h"

#include <span>
#include <string_view>

namespace ks {

inline constexpr std::string_view kModulePrefix = "nn.Module: ";

// Rows that a selection leaves empty stay where a selected row stands below them. Cost: about 100 ns an event. Throws
// Cancelled.
Table moduleTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

} // namespace ks
