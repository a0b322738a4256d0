// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a metric each operator, kernel or shape has in each step: what tells a difference from noise.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

struct StepValues
{
    std::size_t steps = 0;
    std::map<std::string, std::vector<double>, std::less<>> ofName; // one value a step

    // Of a name that does not occur: zeros.
    std::vector<double> of(std::string_view name) const;
};

// Ranks are added up step by step, as many as all have; of a range of time the steps that lie in it whole. A call belongs to the step
// it begins in, work to that of its launch. No steps if there are none, or the metric is no column of the table that adds up
// (operators: times, bytes, calls; kernels: total_ns, calls). Cost: as the table of all steps.
StepValues operatorSteps(std::span<const RankTrace> traces, const Scope &scope, std::string_view metric,
                         const Progress &progress = {});
StepValues kernelSteps(std::span<const RankTrace> traces, const Scope &scope, std::string_view metric,
                       const Progress &progress = {});

double mean(std::span<const double> values);            // 0 of none
double sampleDeviation(std::span<const double> values); // 0 of fewer than two

} // namespace ks
