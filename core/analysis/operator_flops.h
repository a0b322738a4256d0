// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point operations of one call as the profiler's with_flops counts them: seven operators (mm, addmm, bmm,
// baddbmm, add, mul, conv2d), from recorded shapes; everything else is 0 there, the operators inside it count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

// What was recorded of a call, as JSON text; "" if it was not.
struct OperatorInputs
{
    std::string_view dims;     // Input Dims
    std::string_view types;    // Input type
    std::string_view concrete; // Concrete Inputs
};

// One dimension list for each argument of an operator; none for what is no tensor shape (nested lists).
using Shapes = std::vector<std::optional<std::vector<std::int64_t>>>;

// Of the JSON text of `Input Dims`; empty if it is no list.
Shapes parseShapes(std::string_view json);
// Of a JSON list of strings, as `Input type` and `Concrete Inputs`; empty if it is none.
std::vector<std::string> parseTexts(std::string_view json);

bool hasTorchFlops(std::string_view operatorName);
// 0 if the name does not count, a shape is missing or does not fit, or the result would not fit into 63 bits.
std::int64_t torchFlops(std::string_view operatorName, const OperatorInputs &inputs);

} // namespace ks
