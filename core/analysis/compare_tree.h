// SPDX-License-Identifier: GPL-3.0-or-later
// Where do two runs part? Their call trees (call_tree.h) laid over each other: what has one name and kind below the same
// parents is one row. Line numbers and addresses in names do not count, nor whether a launch is CUDA's or HIP's.
#pragma once

#include "core/analysis/compare.h"

#include <string>
#include <string_view>

namespace ks {

// Time of the device where either run has any, else of the host; with perStep divided by the steps of the run.
//
//   name kind status                  status: both, baseline, candidate, replaced
//   baseline_calls candidate_calls baseline candidate delta ratio   as compareTable()
//
// Where calls of one parent went and others came, a row "a, b → c" of status replaced holds them all: operators that
// were fused are one change. Rows of one parent by |delta|, descending. What both runs have and differs by less than a
// 10,000th of the whole is left out.
Table compareTreeTable(Baseline baseline, Candidate candidate, const Scope &scope, const CompareOptions &options,
                       const Progress &progress = {});

// A name as it is compared: "train.py(12): step" -> "train.py: step", "hipLaunchKernel" -> "cudaLaunchKernel".
std::string comparedName(std::string_view name);

} // namespace ks
