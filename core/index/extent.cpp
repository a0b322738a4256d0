// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/extent.h"

#include <algorithm>

namespace ks {
namespace {

constexpr TimeNs kMinGap = TimeNs{60} * 1'000'000'000;

} // namespace

void addMoment(std::vector<LaneOrder::Island> &islands, TimeNs time)
{
    if (islands.empty() || time < islands.back().begin || time > saturatingAdd(islands.back().end, kMinGap))
        islands.push_back({time, time, 0});
    islands.back().end = std::max(islands.back().end, time);
    ++islands.back().events;
}

MainRange findMainRange(std::vector<LaneOrder::Island> islands)
{
    std::sort(islands.begin(), islands.end(), [](const auto &a, const auto &b) { return a.begin < b.begin; });
    std::vector<LaneOrder::Island> merged;
    for (const LaneOrder::Island &island : islands) {
        if (!merged.empty() && island.begin <= saturatingAdd(merged.back().end, kMinGap)) {
            merged.back().end = std::max(merged.back().end, island.end);
            merged.back().events += island.events;
        } else {
            merged.push_back(island);
        }
    }
    TimeNs covered = 0;
    for (const LaneOrder::Island &island : merged)
        covered = saturatingAdd(covered, saturatingSubtract(island.end, island.begin));
    // Parts between cuts.
    std::vector<LaneOrder::Island> parts;
    std::uint64_t total = 0;
    for (const LaneOrder::Island &island : merged) {
        total += island.events;
        const bool isCut = parts.empty() || saturatingSubtract(island.begin, parts.back().end) / 10 > covered;
        if (isCut) {
            parts.push_back(island);
        } else {
            parts.back().end = island.end;
            parts.back().events += island.events;
        }
    }
    const auto main =
        std::max_element(parts.begin(), parts.end(), [](const auto &a, const auto &b) { return a.events < b.events; });
    return {{main->begin, main->end}, total - main->events};
}

} // namespace ks
