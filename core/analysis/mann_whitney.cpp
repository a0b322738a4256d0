// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace ks {
namespace {

constexpr std::size_t kMostExact = 8; // values of the smaller sample

struct Ranks
{
    double sumOfA = 0;
    double ties = 0; // Σ (t³ − t) over groups of t equal values
};

Ranks ranksOf(std::span<const double> a, std::span<const double> b)
{
    std::vector<std::pair<double, bool>> all; // value, is it of a?
    for (const double value : a)
        all.emplace_back(value, true);
    for (const double value : b)
        all.emplace_back(value, false);
    std::sort(all.begin(), all.end());
    Ranks ranks;
    for (std::size_t first = 0; first < all.size();) {
        std::size_t end = first;
        while (end < all.size() && all[end].first == all[first].first)
            ++end;
        const double rank = static_cast<double>(first + end + 1) / 2; // equal values share the mean of their ranks
        for (std::size_t i = first; i < end; ++i)
            ranks.sumOfA += all[i].second ? rank : 0;
        const auto equal = static_cast<double>(end - first);
        ranks.ties += equal * equal * equal - equal;
        first = end;
    }
    return ranks;
}

// How many of the orders of m and n values have each U = 0 … mn, as shares.
std::vector<double> sharesOfOrders(std::size_t m, std::size_t n)
{
    // counts[j][u] for i values of one sample and j of the other: the largest value is of one or of the other sample.
    std::vector<std::vector<double>> counts(n + 1, std::vector<double>(m * n + 1, 0));
    for (auto &ofJ : counts)
        ofJ[0] = 1;
    for (std::size_t i = 1; i <= m; ++i) {
        for (std::size_t j = 1; j <= n; ++j) {
            // It is of the first sample: then it is above all j of the other.
            const auto total = static_cast<double>(i + j);
            std::vector<double> next(m * n + 1, 0);
            for (std::size_t u = 0; u <= i * j; ++u) {
                next[u] = counts[j - 1][u] * static_cast<double>(j) / total;
                if (u >= j)
                    next[u] += counts[j][u - j] * static_cast<double>(i) / total;
            }
            counts[j] = std::move(next);
        }
    }
    return counts[n];
}

double exactP(double u, std::size_t m, std::size_t n)
{
    const std::vector<double> shares = sharesOfOrders(m, n);
    const auto larger = static_cast<std::size_t>(std::max(u, static_cast<double>(m * n) - u));
    double above = 0;
    for (std::size_t i = larger; i < shares.size(); ++i)
        above += shares[i];
    return std::min(1.0, 2 * above);
}

} // namespace

double mannWhitneyP(std::span<const double> a, std::span<const double> b)
{
    if (a.empty() || b.empty())
        return 1;
    const auto m = static_cast<double>(a.size());
    const auto n = static_cast<double>(b.size());
    const Ranks ranks = ranksOf(a, b);
    const double u = ranks.sumOfA - m * (m + 1) / 2;
    if (ranks.ties == 0 && std::min(a.size(), b.size()) <= kMostExact)
        return exactP(u, std::min(a.size(), b.size()), std::max(a.size(), b.size()));
    const double all = m + n;
    const double variance = m * n / 12 * (all + 1 - ranks.ties / (all * (all - 1)));
    if (variance <= 0)
        return 1;
    const double distance = std::max(0.0, std::abs(u - m * n / 2) - 0.5);
    return std::min(1.0, std::erfc(distance / std::sqrt(2 * variance)));
}

} // namespace ks
