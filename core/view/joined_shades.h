// SPDX-License-Identifier: GPL-3.0-or-later
// Of some neighbouring buckets of a pyramid: what takes most of them, the first of equals, and how much of all is covered. Two ways with one
// answer, which the tests hold against each other: plainly, and in a register where the compiler has vectors of its own.
#pragma once

#include "core/view/level_of_detail.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

// The one place that decides: GCC and Clang have vectors, whatever the processor. Little endian: `busy` is the upper byte
// of a Shade. KS_PLAIN_SHADES: as if there were none, for the tests.
#if defined(__has_builtin) && !defined(KS_PLAIN_SHADES)
#if __has_builtin(__builtin_shufflevector) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define KS_HAS_VECTORS 1
#endif
#endif

namespace ks {

// Any number of them.
inline Shade joinedPlainly(std::span<const Shade> buckets)
{
    unsigned sum = 0;
    Shade most;
    for (const Shade shade : buckets) {
        sum += shade.busy;
        if (shade.busy > most.busy)
            most = shade;
    }
    if (sum > 0) {
        const auto count = static_cast<unsigned>(buckets.size());
        most.busy = static_cast<std::uint8_t>(std::max(1U, (sum + count / 2) / count));
    }
    return most;
}

// At most kShadeRoom of them; so many can be read (see RowPyramid::Level). Where nothing is busy, the colour may be any.
inline Shade joinedPlainly(const Shade *buckets, std::size_t count)
{
    return joinedPlainly(std::span(buckets, count));
}

#ifdef KS_HAS_VECTORS

// Without a jump that depends on how many there are, which would be mispredicted in every other column.
inline Shade joinedInARegister(const Shade *buckets, std::size_t count)
{
    using Lanes = std::int16_t __attribute__((vector_size(16)));
    using Raw = std::uint16_t __attribute__((vector_size(16)));
    static_assert(sizeof(Raw) == kShadeRoom * sizeof(Shade) && kShadeRoom == 8);
    // `busy` of the first n.
    static constexpr std::uint16_t kBusy = 0xff00;
    static constexpr std::array<Raw, kShadeRoom + 1> kMasks = {
        Raw{},
        Raw{kBusy},
        Raw{kBusy, kBusy},
        Raw{kBusy, kBusy, kBusy},
        Raw{kBusy, kBusy, kBusy, kBusy},
        Raw{kBusy, kBusy, kBusy, kBusy, kBusy},
        Raw{kBusy, kBusy, kBusy, kBusy, kBusy, kBusy},
        Raw{kBusy, kBusy, kBusy, kBusy, kBusy, kBusy, kBusy},
        Raw{kBusy, kBusy, kBusy, kBusy, kBusy, kBusy, kBusy, kBusy},
    };
    // 2^16 / n, rounded up: exact for sums of n bytes.
    static constexpr std::array<unsigned, kShadeRoom + 1> kReciprocals = [] {
        std::array<unsigned, kShadeRoom + 1> values{};
        for (unsigned n = 1; n < values.size(); ++n)
            values[n] = (65536 + n - 1) / n;
        return values;
    }();
    constexpr Raw kRanks = {7, 6, 5, 4, 3, 2, 1, 0};
    constexpr unsigned kSumOfRanks = 28;
    constexpr auto greater = [](Lanes a, Lanes b) { return a > b ? a : b; };

    Raw raw;
    std::memcpy(&raw, buckets, sizeof raw);
    // Eight times `busy`, below it which one it is: of equals the first is the greatest. The sum goes over the same.
    const auto ranked = std::bit_cast<Lanes>(((raw & kMasks[count]) >> 5) | kRanks);
    const Lanes half = __builtin_shufflevector(ranked, ranked, 4, 5, 6, 7, 0, 1, 2, 3);
    const Lanes most4 = greater(ranked, half);
    const Lanes sum4 = ranked + half;
    const Lanes most2 = greater(most4, __builtin_shufflevector(most4, most4, 2, 3, 0, 1, 6, 7, 4, 5));
    const Lanes sum2 = sum4 + __builtin_shufflevector(sum4, sum4, 2, 3, 0, 1, 6, 7, 4, 5);
    const Lanes most1 = greater(most2, __builtin_shufflevector(most2, most2, 1, 0, 3, 2, 4, 5, 6, 7));
    const Lanes sum1 = sum2 + __builtin_shufflevector(sum2, sum2, 1, 0, 3, 2, 4, 5, 6, 7);
    const auto most = static_cast<unsigned>(most1[0]);
    const unsigned total = (static_cast<unsigned>(sum1[0]) - kSumOfRanks) / 8;
    const unsigned mean = ((total + static_cast<unsigned>(count) / 2) * kReciprocals[count]) >> 16U;
    Shade shade;
    shade.colour = buckets[kShadeRoom - 1 - most % kShadeRoom].colour;
    shade.busy = static_cast<std::uint8_t>(std::max(mean, std::min(total, 1U))); // 0 says that nothing is there
    return shade;
}

inline Shade joined(const Shade *buckets, std::size_t count)
{
    return joinedInARegister(buckets, count);
}

#else

inline Shade joined(const Shade *buckets, std::size_t count)
{
    return joinedPlainly(buckets, count);
}

#endif

} // namespace ks
