// SPDX-License-Identifier: GPL-3.0-or-later
// What one call must compute and move at least, from its recorded shapes and types. Other than the profiler's FLOPs these
// count biases, and know far more operators. M, N, K: sizes of a product; n: elements.
//
//   mm, addmm, bmm, baddbmm, _scaled_mm   2MNK, + MN with a bias; bytes of all operands and the result
//   mv, addmv, dot                        the same with N = 1
//   linear_backward                       2MNK for each of dX and dW, MN for dB (linear itself: its children count)
//   convolution                           2 · the weights of one output channel · the elements of the output (transposed:
//                                         of the input), + the output with a bias
//   convolution_backward                  the same for each of dx and dw, the output for the bias
//   attention (SDPA, flash-attn)          2 · B · H · Nq · Nkv · (d + dv), half of it if causal and Nq = Nkv. Backward:
//                                         the same for dV and dP (dv), dQ and dK and the scores made again (d). Packed
//                                         sequences: one of the greatest length, the others share what is left
//   elementwise                           n of the result; every operand and the result moved once
//   reductions                            n of the input; input and result (known with recorded values only)
//   softmax; backward                     3n, 2n elements moved; 4n, 3n
//   layer, batch, group norm; backward    5n, + n each for weight and bias, 2n moved; 11n, 3n
//
// Bytes count each operand once; operands of one operator share the type of the first one, unless said otherwise.
#pragma once

#include "core/analysis/operator_flops.h"

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
// None without a model, or if shapes are missing or do not fit. Cost: some microseconds.
std::optional<ModelCost> modelCost(std::string_view operatorName, const OperatorInputs &inputs);

} // namespace ks
