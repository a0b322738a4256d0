// SPDX-License-Identifier: GPL-3.0-or-later
// What calls were given, where the profiler recorded it: dimensions, types and values of their inputs, and what follows
// from them. Read and computed on first use, then kept with the trace: each distinct text is parsed once.
#pragma once

#include "core/analysis/model_cost.h"
#include "core/analysis/torch_nesting.h"
#include "core/trace/arg_columns.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ks {

// By call of torchNesting(trace). Launches have none.
struct CallInputs
{
    ArgColumn dims;     // Input Dims
    ArgColumn types;    // Input type
    ArgColumn concrete; // Concrete Inputs
};
// Cost of the first call: about 0.15 us an operator from a plain file. Throws SourceChanged, Cancelled.
const CallInputs &callInputs(const Trace &trace, const Progress &progress = {});

struct CallCost
{
    std::int64_t flops = 0;         // as the profiler counts, see operator_flops.h
    std::optional<ModelCost> model; // as we do
};

struct CallCosts
{
    LargeArray<std::uint32_t> numbers; // by call; costs[0] is that of a call nothing is known of
    std::vector<CallCost> costs;
};
// Reads the arguments of the operators that have a model, costs as callInputs. Who needs those of all operators anyway
// gives them, `inputs`, and nothing is read twice.
const CallCosts &callCosts(const Trace &trace, const Progress &progress = {}, const CallInputs *inputs = nullptr);

} // namespace ks
