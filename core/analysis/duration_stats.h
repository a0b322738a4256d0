// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of durations: sums exact; variance by Welford's method, or in two passes over what is kept; quantiles by
// rank.
#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace ks {

class DurationStats
{
public:
    DurationStats() = default;
    explicit DurationStats(std::span<const TimeNs> durations)
        : m_count(durations.size())
    {
        for (const TimeNs duration : durations) {
            m_min = std::min(m_min, duration);
            m_max = std::max(m_max, duration);
        }
        std::uint64_t sum = 0; // as quick as it goes where it cannot overflow
        for (const TimeNs duration : durations)
            sum += static_cast<std::uint64_t>(duration);
        const bool fits = m_count == 0
                          || (m_min >= 0 && static_cast<std::uint64_t>(m_max) <= std::uint64_t{kMaxTime} / m_count);
        m_total = fits ? static_cast<TimeNs>(sum) : saturatingSum(durations);
        m_mean = mean();
        for (const TimeNs duration : durations) {
            const double delta = static_cast<double>(duration) - m_mean;
            m_squares += delta * delta;
        }
    }

    void add(TimeNs duration)
    {
        ++m_count;
        m_total = saturatingAdd(m_total, duration);
        m_min = std::min(m_min, duration);
        m_max = std::max(m_max, duration);
        const double delta = static_cast<double>(duration) - m_mean;
        m_mean += delta / static_cast<double>(m_count);
        m_squares += delta * (static_cast<double>(duration) - m_mean);
    }

    std::uint64_t count() const { return m_count; }
    TimeNs total() const { return m_total; }
    TimeNs min() const { return m_count != 0 ? m_min : 0; }
    TimeNs max() const { return m_count != 0 ? m_max : 0; }
    double mean() const { return m_count != 0 ? static_cast<double>(m_total) / static_cast<double>(m_count) : 0; }
    double sampleDeviation() const { return m_count > 1 ? std::sqrt(m_squares / static_cast<double>(m_count - 1)) : 0; }

private:
    static TimeNs saturatingSum(std::span<const TimeNs> durations)
    {
        TimeNs sum = 0;
        for (const TimeNs duration : durations)
            sum = saturatingAdd(sum, duration);
        return sum;
    }

    std::uint64_t m_count = 0;
    TimeNs m_total = 0;
    TimeNs m_min = std::numeric_limits<TimeNs>::max();
    TimeNs m_max = std::numeric_limits<TimeNs>::min();
    double m_mean = 0;
    double m_squares = 0;
};

// Moves those that cannot be any of the wanted ranks away: the rest stays in `values` in any order, and each rank becomes the one
// among them. Two passes that count, where the search by swapping takes several; not for negative values.
void narrowToRanks(std::vector<TimeNs> &values, std::span<std::size_t> ranks);

// Of each share, in ascending order, the smallest value that is not below that share of all; `values` not empty,
// reordered and perhaps fewer afterwards.
template<std::size_t n>
std::array<TimeNs, n> quantilesOf(std::vector<TimeNs> &values, const std::array<double, n> &shares)
{
    constexpr std::size_t kMany = 1 << 14;
    std::array<std::size_t, n> ranks{};
    for (std::size_t i = 0; i < n; ++i) {
        const auto rank = static_cast<std::size_t>(std::ceil(shares[i] * static_cast<double>(values.size())));
        ranks[i] = std::clamp<std::size_t>(rank, 1, values.size()) - 1;
    }
    if (values.size() >= kMany)
        narrowToRanks(values, ranks);
    std::array<TimeNs, n> quantiles{};
    auto from = values.begin(); // everything before is smaller than what comes
    for (std::size_t i = 0; i < n; ++i) {
        const auto at = values.begin() + static_cast<std::ptrdiff_t>(ranks[i]);
        std::nth_element(from, at, values.end());
        quantiles[i] = *at;
        from = at;
    }
    return quantiles;
}

} // namespace ks
