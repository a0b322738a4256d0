// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/curve.h"

#include <algorithm>
#include <limits>

namespace ks {
namespace {

constexpr std::size_t kFan = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void widen(Extremes &into, Extremes by)
{
    into.least = std::min(into.least, by.least);
    into.greatest = std::max(into.greatest, by.greatest);
}

} // namespace

Curve::Curve(std::string name, std::vector<TimeNs> times, std::vector<double> values)
    : m_name(std::move(name))
    , m_times(std::move(times))
    , m_values(std::move(values))
{
    const auto grow = [this](std::size_t count, auto at) {
        std::vector<Extremes> level((count + kFan - 1) / kFan, Extremes{kInfinity, -kInfinity});
        for (std::size_t i = 0; i < count; ++i)
            widen(level[i / kFan], at(i));
        m_levels.push_back(std::move(level));
    };
    if (m_values.size() > kFan)
        grow(m_values.size(), [this](std::size_t i) { return Extremes{m_values[i], m_values[i]}; });
    while (!m_levels.empty() && m_levels.back().size() > kFan) {
        const std::vector<Extremes> below = m_levels.back();
        grow(below.size(), [&below](std::size_t i) { return below[i]; });
    }
}

Extremes Curve::extremes(std::size_t first, std::size_t end) const
{
    Extremes result{kInfinity, -kInfinity};
    std::size_t level = 0; // 0: samples, k: m_levels[k - 1]
    const auto take = [this, &result, &level](std::size_t i) {
        widen(result, level == 0 ? Extremes{m_values[i], m_values[i]} : m_levels[level - 1][i]);
    };
    while (first < end) {
        // The ragged ends on this level, the full groups between them one level up.
        while (first < end && (first % kFan != 0 || level == m_levels.size()))
            take(first++);
        while (end > first && end % kFan != 0)
            take(--end);
        first /= kFan;
        end /= kFan;
        ++level;
    }
    return result;
}

std::size_t Curve::firstAtOrAfter(TimeNs t) const
{
    return static_cast<std::size_t>(std::lower_bound(m_times.begin(), m_times.end(), t) - m_times.begin());
}

const double *Curve::valueAt(TimeNs t) const
{
    const auto after = std::upper_bound(m_times.begin(), m_times.end(), t);
    return after == m_times.begin() ? nullptr : &m_values[static_cast<std::size_t>(after - m_times.begin() - 1)];
}

} // namespace ks
