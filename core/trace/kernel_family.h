// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel computes, guessed from its name: what colours and groups. (Its class, which decides what adds up, is another matter.)
// Cost: one pass over the name per keyword group, 0.2-1 us; cache by NameId.
#pragma once

#include <cstdint>
#include <string_view>

namespace ks {

enum class KernelFamily : std::uint8_t {
    Gemm,
    Attention,
    Convolution,
    Elementwise,
    Reduction,
    Normalization,
    Communication,
    Copy,
    Other,
};
inline constexpr std::size_t kKernelFamilyCount = 9;

KernelFamily kernelFamilyOf(std::string_view kernelName);
std::string_view kernelFamilyId(KernelFamily family); // "gemm", "attention" …: stable, for filters and the command line

} // namespace ks
