// SPDX-License-Identifier: GPL-3.0-or-later
// A fast hash of short byte strings (multiply-and-fold over 8 bytes at a time), and one of numbers. Tables of names and
// numbers from files start from processHashSeed(), so that no file can be made whose keys all collide.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ks {

inline std::uint64_t foldMultiply(std::uint64_t a, std::uint64_t b)
{
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

// Another number in every run.
std::uint64_t processHashSeed();

// For unordered maps whose keys are numbers of a file: addresses, correlation ids.
struct NumberHash
{
    template<std::integral Number>
    std::size_t operator()(Number number) const
    {
        constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
        return foldMultiply(static_cast<std::uint64_t>(number) ^ seed, kOdd ^ (seed << 1U));
    }
    std::uint64_t seed = processHashSeed();
};

inline std::uint64_t hashBytes(std::string_view bytes, std::uint64_t seed = 0)
{
    constexpr std::uint64_t kA = 0x9e3779b97f4a7c15ULL;
    constexpr std::uint64_t kB = 0xd6e8feb86659fd93ULL;
    std::uint64_t state = kA ^ seed ^ bytes.size();
    const char *at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t word = 0;
    for (; left >= 8; at += 8, left -= 8) {
        std::memcpy(&word, at, 8);
        state = foldMultiply(state ^ word, kB);
    }
    word = 0;
    if (left != 0 && bytes.size() >= 8) {
        std::memcpy(&word, at + left - 8, 8); // with some of what was taken already
    } else if (left >= 4) {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        std::memcpy(&first, at, 4);
        std::memcpy(&last, at + left - 4, 4);
        word = (std::uint64_t{last} << 32U) | first;
    } else if (left != 0) {
        const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(at[i])}; };
        word = byte(0) | (byte(left / 2) << 8U) | (byte(left - 1) << 16U);
    }
    return foldMultiply(state ^ word ^ kB, kA ^ left);
}

} // namespace ks
