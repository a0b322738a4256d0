// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/callers_tree.h"

#include <cstdint>
#include <vector>

namespace ks {
namespace {

constexpr TimeNs kLeastShare = 2000; // of callers, the inverse
constexpr int kMostCallers = 200;    // above one another

} // namespace

PathTree callersTree(const PathTree &tree, bool byDevice, const Progress &progress)
{
    TimeNs whole = 0;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        if (tree[node].isSelected)
            whole = saturatingAdd(whole, byDevice ? tree[node].costs.deviceSelf : tree[node].costs.self);
    }
    PathTree inverted;
    const std::vector<bool> isOutermost = tree.outermost();
    const auto add = [&](PathTree::Costs &sum, std::uint32_t node) {
        const PathTree::Costs &costs = tree[node].costs;
        sum.calls += costs.calls;
        sum.self = saturatingAdd(sum.self, costs.self);
        sum.deviceSelf = saturatingAdd(sum.deviceSelf, costs.deviceSelf);
        if (!isOutermost[node]) // calls itself: the outer one has it all
            return;
        sum.total = saturatingAdd(sum.total, costs.total);
        sum.deviceTotal = saturatingAdd(sum.deviceTotal, costs.deviceTotal);
    };
    // Level by level, so that only rows that cost enough get rows below them.
    struct Way
    {
        std::uint32_t node; // whose numbers they are
        std::uint32_t at;   // how far up it was followed
        std::uint32_t row;
    };
    std::vector<Way> ways;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        const bool counts =
            tree[node].costs.calls != 0 || tree[node].costs.total != 0 || tree[node].costs.deviceSelf != 0;
        if (!tree[node].isSelected || !counts)
            continue;
        const std::uint32_t row = inverted.childOf(PathTree::kNoNode, tree[node].name, tree[node].kind);
        add(inverted[row].costs, node);
        ways.push_back({node, node, row});
    }
    const auto isWorth = [&](std::uint32_t row) {
        const PathTree::Costs &costs = inverted[row].costs;
        const TimeNs cost = byDevice ? costs.deviceSelf : costs.self;
        return cost > 0 && cost >= whole / kLeastShare;
    };
    for (int level = 0; !ways.empty() && level < kMostCallers; ++level) {
        progress.throwIfStopped();
        std::vector<Way> next;
        for (const Way &way : ways) {
            const std::uint32_t caller = tree[way.at].parent;
            if (caller == PathTree::kNoNode || !isWorth(way.row))
                continue;
            const std::uint32_t row = inverted.childOf(way.row, tree[caller].name, tree[caller].kind);
            add(inverted[row].costs, way.node);
            next.push_back({way.node, caller, row});
        }
        ways = std::move(next);
    }
    for (std::uint32_t row = 0; row < inverted.size(); ++row)
        inverted[row].isSelected = inverted[row].parent == PathTree::kNoNode || isWorth(row);
    return inverted;
}

} // namespace ks
