// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/curve.h"

#include "core/base/gallop.h"

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

Extremes extremesOf(double value)
{
    return {value, value};
}
Extremes extremesOf(const Extremes &of)
{
    return of;
}

} // namespace

Curve::Curve(std::string name, std::vector<TimeNs> times, std::vector<double> values)
    : m_name(std::move(name))
    , m_times(std::move(times))
    , m_values(std::move(values))
{
    for (std::size_t i = 0; i < m_times.size(); i += kFan)
        m_groupTimes.push_back(m_times[i]);
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
    // The ragged ends on each level, the full groups between them one level up; fewer than two groups all on one.
    const auto take = [&result](auto from, auto to) {
        for (; from != to; ++from)
            widen(result, extremesOf(*from));
    };
    const auto takeLevel = [&](const auto &values, bool isTop) {
        const auto at = [&values](std::size_t i) { return values.data() + i; };
        const std::size_t left = (first + kFan - 1) / kFan * kFan;
        const std::size_t right = end / kFan * kFan;
        if (isTop || left >= right) {
            take(at(first), at(end));
            return false;
        }
        take(at(first), at(left));
        take(at(right), at(end));
        first = left / kFan;
        end = right / kFan;
        return true;
    };
    bool goesOn = takeLevel(m_values, m_levels.empty());
    for (std::size_t level = 0; goesOn; ++level)
        goesOn = takeLevel(m_levels[level], level + 1 == m_levels.size());
    return result;
}

std::size_t Curve::firstAtOrAfter(TimeNs t) const
{
    return static_cast<std::size_t>(std::lower_bound(m_times.begin(), m_times.end(), t) - m_times.begin());
}

void Curve::appendExtremes(std::span<const TimeNs> borders, std::vector<Extremes> &into) const
{
    // Each stretch begins somewhere else in memory. What is read there is asked for a round ahead, so that one does not wait for it
    // a thousand times.
    const auto fetch = [](const auto &column, std::size_t i) { __builtin_prefetch(column.data() + i); };
    constexpr std::size_t kNear = 8;
    const std::size_t groups = m_groupTimes.size();
    std::vector<std::size_t> firsts; // of each border the group that holds the first sample there, or the one before
    firsts.reserve(borders.size());
    std::size_t next = 0;
    for (const TimeNs border : borders) {
        const std::size_t near = std::min(groups, next + kNear);
        while (next < near && m_groupTimes[next] < border)
            ++next;
        if (next == near && next < groups)
            next = gallop(next, groups, [&](std::size_t group) { return m_groupTimes[group] >= border; });
        const std::size_t first = next > 0 ? (next - 1) * kFan : 0;
        firsts.push_back(first);
        fetch(m_times, first);
        fetch(m_times, std::min(first + kFan, size()) - 1);
    }
    for (std::size_t i = 0; i < borders.size(); ++i) {
        // Which of a group it is cannot be foreseen: counted without branches.
        const std::size_t first = firsts[i];
        const std::size_t end = std::min(first + kFan, size());
        for (std::size_t at = first; at < end; ++at)
            firsts[i] += static_cast<std::size_t>(m_times[at] < borders[i]);
        fetch(m_values, first);
        fetch(m_values, end - 1);
    }
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        const std::size_t from = firsts[i] > 0 ? firsts[i] - 1 : 0;
        into.push_back(extremes(from, std::max(firsts[i + 1], from + 1)));
    }
}

const double *Curve::valueAt(TimeNs t) const
{
    const auto after = std::upper_bound(m_times.begin(), m_times.end(), t);
    return after == m_times.begin() ? nullptr : &m_values[static_cast<std::size_t>(after - m_times.begin() - 1)];
}

} // namespace ks
