// SPDX-License-Identifier: GPL-3.0-or-later
// Why does a step take longer than before? A step of the baseline and one of the candidate, each cut into the same parts
// that add up to it (step_parts.h), so that the differences of the parts add up to the difference of the steps.
#pragma once

#include "core/analysis/compare.h"

#include <optional>
#include <string_view>

namespace ks {

// Which steps: the medians by duration, all (the parts are means over them), or one number on each side.
struct StepPair
{
    enum class Kind : std::uint8_t { Median, All, Numbers };
    Kind kind = Kind::Median;
    std::int64_t baseline = 0;
    std::int64_t candidate = 0;
};
std::optional<StepPair> parseStepPair(std::string_view text); // "", "median", "all", "3:5"

// A tree: the step; its kernels, communication, copies, idle time, or where a run has no device work its host time; in
// these families, kernels, causes, calls; in families operators. Rows of one parent add up to it, exactly.
//
//   part item                           step kernels communication copies idle host
//   baseline_ns candidate_ns delta_ns   means over devices, ranks and steps
//   share                               of the difference of the steps, null if there is none
//   start_ns length_ns event            the longest piece of it in the candidate, times of its file, and the event in
//                                       it (of idle time: that ends it); null if there is none, or the candidate has
//                                       several ranks
//   baseline_start_ns baseline_length_ns baseline_event
//                                       the same in the baseline
//
// Seen from the device a step ends with the last work it launched and begins where the step before it ended, so it holds
// its own work (torch-tb-profiler's steps). Runs without steps are one step each. Parts by |delta|, descending. Throws AnalysisError ("pair") if there is no such
// step, Cancelled. Cost: some 100 ns for each piece of work in the steps.
Table waterfallTable(Baseline baseline, Candidate candidate, const Scope &scope, const StepPair &pair,
                     const Progress &progress = {});

} // namespace ks
