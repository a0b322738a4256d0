// SPDX-License-Identifier: GPL-3.0-or-later
// What one call must compute and move at least, from its recorded shapes and types: matrix products, convolutions and
// attention. Other than the profiler's FLOPs these count biases, and know convolutions of every rank and attention.
//
//   mm, addmm, bmm, baddbmm, _scaled_mm   2MNK, + MN with a bias; bytes of all operands and the result
//   convolution                           2 · the weights of one output channel · the elements of the output (transposed:
//                                         of the input), + the output with a bias
//   scaled dot product attention          2 · B · H · Nq · Nkv · (d + dv), half of it if causal and Nq = Nkv; forward only
//
// Bytes count each operand once, in the type of the first factor.
#pragma once

#include "core/trace/args.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ks {

struct ModelCost
{
    std::int64_t flops = 0;
    std::optional<std::int64_t> bytes; // none if a type is not told
};

bool hasModel(std::string_view operatorName);
// None without a model, or if shapes are missing or do not fit.
std::optional<ModelCost> modelCost(std::string_view operatorName, const Args &args);

} // namespace ks
