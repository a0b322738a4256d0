// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/duration_stats.h"

#include <bit>

namespace ks {
namespace {

// Ascends with the duration: exponent and some bits behind it, so that each stands for a hundredth more or less.
constexpr unsigned kDropped = 16;
constexpr std::size_t kKeys = std::size_t{1} << (31 - kDropped);

std::size_t keyOf(TimeNs duration)
{
    return std::bit_cast<std::uint32_t>(static_cast<float>(duration)) >> kDropped;
}

} // namespace

void narrowToRanks(std::vector<TimeNs> &values, std::span<std::size_t> ranks)
{
    std::vector<std::uint32_t> counts(kKeys, 0);
    for (const TimeNs value : values) {
        if (value < 0)
            return;
        ++counts[keyOf(value)];
    }
    std::vector<bool> isWanted(kKeys, false);
    std::size_t before = 0; // values of smaller keys
    std::size_t kept = 0;   // of those that stay
    std::size_t next = 0;
    for (std::size_t key = 0; key < kKeys && next < ranks.size(); ++key) {
        const std::size_t end = before + counts[key];
        if (ranks[next] < end) {
            isWanted[key] = true;
            for (; next < ranks.size() && ranks[next] < end; ++next)
                ranks[next] = ranks[next] - before + kept;
            kept += counts[key];
        }
        before = end;
    }
    std::erase_if(values, [&isWanted](TimeNs value) { return !isWanted[keyOf(value)]; });
}

} // namespace ks
