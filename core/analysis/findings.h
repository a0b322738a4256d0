// SPDX-License-Identifier: GPL-3.0-or-later
// What should I look at first? Rules over the other analyses, each with its evidence: the events it rests on.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/table/table.h"

#include <span>
#include <string>
#include <vector>

namespace ks {

enum class FindingSeverity : std::uint8_t { High, Medium, Low };
std::string_view severityId(FindingSeverity);

struct Finding
{
    FindingSeverity severity = FindingSeverity::Low;
    std::string code; // stable: "host-bound", "exposed-communication" …
    std::string title;
    std::string detail;          // with the figures
    std::optional<double> share; // of the time of the trace it could save
    std::vector<EventId> events; // at most 20, the worst first
};

// Of one trace, by severity, then share.
//   host-bound              device idle because calls came late         idle of class host wait / window
//   exposed-communication   collectives not hidden by computation       exposed communication / window
//   short-kernels           kernels shorter than the calls that launch them
//   pageable-copy           copies from or to pageable host memory, which make the host wait
//   synchronisation         calls that wait for the device
//   data-loading            the training loop waiting for its data loader
//   out-of-memory           allocations that failed
//   recompilation           torch.compile compiled the same code again
std::vector<Finding> findingsOf(const Trace &trace, const Scope &scope, const Progress &progress = {});

// rank severity code title detail share events
Table findingsTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

} // namespace ks
