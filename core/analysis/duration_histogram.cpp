// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/duration_histogram.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ks {
namespace {

// The edges around [least, most], `perDecade` to a power of ten.
std::vector<TimeNs> edgesFor(TimeNs least, TimeNs most, int perDecade)
{
    const auto edge = [perDecade](int i) {
        const double power = static_cast<double>(i) / perDecade;
        constexpr double kLargest = 18.9; // 10 to that is no more than the largest TimeNs
        return power >= kLargest ? kMaxTime : static_cast<TimeNs>(std::llround(std::pow(10.0, power)));
    };
    std::vector<TimeNs> edges;
    if (least <= 0)
        edges.push_back(0);
    int i = least <= 1 ? 0 : static_cast<int>(std::floor(std::log10(static_cast<double>(least)) * perDecade)) - 1;
    while (edge(i + 1) <= std::max<TimeNs>(least, 1))
        ++i;
    // Of few nanoseconds several edges are one.
    for (TimeNs at = edge(i);; at = edge(++i)) {
        if (edges.empty() || at > edges.back())
            edges.push_back(at);
        if (at > most || at == kMaxTime)
            break;
    }
    return edges;
}

} // namespace

std::size_t DurationHistogram::binOf(TimeNs duration) const
{
    const auto after = std::upper_bound(edges.begin(), edges.end(), std::max<TimeNs>(duration, 0));
    const auto bin = static_cast<std::size_t>(after - edges.begin());
    return std::min(bin == 0 ? 0 : bin - 1, counts.size() - 1);
}

DurationHistogram DurationHistogram::counted(std::span<const TimeNs> durations) const
{
    DurationHistogram histogram{edges, std::vector<std::uint64_t>(counts.size(), 0)};
    for (const TimeNs duration : durations) {
        if (!counts.empty())
            ++histogram.counts[binOf(duration)];
    }
    return histogram;
}

DurationHistogram durationHistogram(std::span<const TimeNs> durations, std::size_t mostBins)
{
    DurationHistogram histogram;
    if (durations.empty())
        return histogram;
    const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
    constexpr std::array kPerDecade = {500, 200, 100, 50, 20, 10, 5, 2, 1};
    for (const int perDecade : kPerDecade) {
        histogram.edges = edgesFor(std::max<TimeNs>(*least, 0), std::max<TimeNs>(*most, 0), perDecade);
        if (histogram.edges.size() <= mostBins + 1)
            break;
    }
    histogram.counts.assign(histogram.edges.size() - 1, 0);
    return histogram.counted(durations);
}

} // namespace ks
