// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/call_tree.h"

#include "core/analysis/callers_tree.h"
#include "core/analysis/path_tree.h"
#include "core/analysis/trace_paths.h"
#include "core/base/name_pool.h"

#include <algorithm>
#include <vector>

namespace ks {
namespace {

// The texts of kinds, one look-up for each.
class KindNames
{
public:
    NameId operator()(EventKind kind)
    {
        NameId &known = m_known[static_cast<std::size_t>(kind)];
        if (known == kNoName)
            known = internName(eventKindId(kind));
        return known;
    }

private:
    std::vector<NameId> m_known = std::vector<NameId>(static_cast<std::size_t>(EventKind::Other) + 1, kNoName);
};

TimeNs costOf(const PathTree::Costs &costs, const CallTreeOptions &options)
{
    if (options.bottomUp)
        return options.byDevice ? costs.deviceSelf : costs.self;
    return options.byDevice ? costs.deviceTotal : costs.total;
}

Table tableOf(const PathTree &tree, const CallTreeOptions &options)
{
    Table table;
    table.names("name");
    table.names("kind");
    table.integers("depth", Unit::Count);
    table.integers("calls", Unit::Count);
    for (const char *name : {"cpu_total_ns", "cpu_self_ns", "device_total_ns", "device_self_ns"})
        table.integers(name, Unit::Ns);
    table.reals("share", Unit::Ratio);

    // Children of each node, then of none, the costliest first.
    std::vector<std::vector<std::uint32_t>> children(std::size_t{tree.size()} + 1);
    double whole = 0;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        const TimeNs cost = costOf(tree[node].costs, options);
        if (!tree[node].isSelected || (options.byDevice && cost == 0))
            continue;
        const bool isRoot = tree[node].parent == PathTree::kNoNode;
        children[isRoot ? tree.size() : tree[node].parent].push_back(node);
        whole += isRoot ? static_cast<double>(cost) : 0;
    }
    for (std::vector<std::uint32_t> &list : children) {
        std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
            const TimeNs ofA = costOf(tree[a].costs, options);
            const TimeNs ofB = costOf(tree[b].costs, options);
            if (ofA != ofB)
                return ofA > ofB;
            if (tree[a].name != tree[b].name)
                return nameText(tree[a].name) < nameText(tree[b].name);
            return tree[a].kind < tree[b].kind;
        });
    }
    struct Pending
    {
        std::uint32_t node;
        std::uint32_t parentRow;
        std::uint32_t depth;
    };
    std::vector<Pending> pending;
    const auto push = [&](const std::vector<std::uint32_t> &nodes, std::uint32_t parentRow, std::uint32_t depth) {
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
            pending.push_back({*node, parentRow, depth});
    };
    push(children.back(), Table::kNoParent, 0);
    std::vector<std::uint32_t> parents;
    KindNames kinds;
    while (!pending.empty()) {
        const Pending next = pending.back();
        pending.pop_back();
        const PathTree::Node &node = tree[next.node];
        std::size_t at = 0;
        const auto put = [&](auto value) { table.column(at++).append(value); };
        put(node.name);
        put(kinds(node.kind));
        put(next.depth);
        put(node.costs.calls);
        for (const TimeNs time : {node.costs.total, node.costs.self, node.costs.deviceTotal, node.costs.deviceSelf})
            put(time);
        put(whole > 0 ? std::optional(static_cast<double>(costOf(node.costs, options)) / whole) : std::nullopt);
        const auto row = static_cast<std::uint32_t>(parents.size());
        parents.push_back(next.parentRow);
        push(children[next.node], row, next.depth + 1);
    }
    table.setParents(std::move(parents));
    return table;
}

} // namespace

Table callTreeTable(std::span<const RankTrace> traces, const Scope &scope, const CallTreeOptions &options,
                    const Progress &progress)
{
    PathTree tree;
    bool onlyWithWork = false;
    for (const RankTrace &rank : traces) {
        progress.throwIfStopped();
        if (scope.includesRank(rank.rank))
            onlyWithWork = addTracePaths(*rank.trace, scope, tree, progress) || onlyWithWork;
    }
    tree.finish(onlyWithWork);
    return options.bottomUp ? tableOf(callersTree(tree, options.byDevice, progress), options) : tableOf(tree, options);
}

} // namespace ks
