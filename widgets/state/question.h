// SPDX-License-Identifier: GPL-3.0-or-later
// What the panes ask the analyses: which traces, which part of them, and that in words. The selected area if there is one, else what is
// in view (if analyses follow it), else everything; of that the events the filter lets pass. A view that is exactly a step counts as that
// step, so that picking one counts the device work it launched.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "widgets/state/shared_matches.h"
#include "widgets/state/view_state.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace ks {

struct Question
{
    std::vector<RankTrace> traces;        // the ranks of one run; of two runs the candidate
    std::vector<std::uint32_t> positions; // of `traces` in the TraceSet
    std::vector<RankTrace> baseline;      // of two runs the other one
    Scope scope;                          // without the filter, which takes work: see withFilter()
    std::string filter;
    std::shared_ptr<SharedMatches> matches; // of the filter, shared with whoever else asks
    QString words;                          // "visible 12.3 ms, name:gemm"
};

// Are the open traces different ranks of one world? As somebody said, else as their files tell.
bool isOneRun(const TraceSet &traces);

// Ranks of one run are asked about together. Else the baseline is one run, the first of the others is asked about if `comparing`, and the
// baseline alone if not.
Question questionOf(const ViewState &state, bool comparing = false);

// Of two runs the same asked about the other one; a part of time is left out, since it says nothing about that. None of a single run.
std::optional<Question> questionOfOtherRun(const ViewState &state, const Question &question);

// Of a filter that reads arguments, which events have to be decided.
enum class FilterReach : std::uint8_t {
    Everything, // also elsewhere: a filter that matches a call anywhere selects calls (host_scope.h), comparisons look at whole steps
    Scope, // what the scope holds
};

// The scope with the events of the filter. Any thread. Throws FilterError, SourceChanged, Cancelled.
Scope withFilter(const Question &question, const Progress &progress, FilterReach reach = FilterReach::Everything);

} // namespace ks
