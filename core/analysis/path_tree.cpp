// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/path_tree.h"

#include "core/base/hash.h"

#include <unordered_map>
#include <utility>

namespace ks {
namespace {

std::size_t hashOf(std::uint32_t parent, NameId name, EventKind kind)
{
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
    return foldMultiply((std::uint64_t{parent} << 32U) | index(name), kOdd + static_cast<std::uint64_t>(kind));
}

} // namespace

std::uint32_t PathTree::childOf(std::uint32_t parent, NameId name, EventKind kind)
{
    if (m_nodes.size() * 2 >= m_slots.size())
        grow();
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = hashOf(parent, name, kind) & mask;
    for (; m_slots[slot] != kNoNode; slot = (slot + 1) & mask) {
        const Node &node = m_nodes[m_slots[slot]];
        if (node.parent == parent && node.name == name && node.kind == kind)
            return m_slots[slot];
    }
    m_slots[slot] = size();
    m_nodes.push_back({parent, name, kind, false, false, {}});
    return m_slots[slot];
}

void PathTree::grow()
{
    constexpr std::size_t kFirst = 1024;
    m_slots.assign(m_slots.empty() ? kFirst : m_slots.size() * 2, kNoNode);
    const std::size_t mask = m_slots.size() - 1;
    for (std::uint32_t i = 0; i < size(); ++i) {
        std::size_t slot = hashOf(m_nodes[i].parent, m_nodes[i].name, m_nodes[i].kind) & mask;
        while (m_slots[slot] != kNoNode)
            slot = (slot + 1) & mask;
        m_slots[slot] = i;
    }
}

void PathTree::finish(bool onlyWithWork)
{
    for (Node &node : m_nodes)
        node.costs.deviceTotal = node.costs.deviceSelf;
    for (std::uint32_t i = size(); i-- > 0;) {
        const Node &node = m_nodes[i];
        if (node.parent == kNoNode)
            continue;
        Node &above = m_nodes[node.parent];
        above.costs.total = saturatingAdd(above.costs.total, node.costs.total);
        above.costs.deviceTotal = saturatingAdd(above.costs.deviceTotal, node.costs.deviceTotal);
        above.isSelected = above.isSelected || node.isSelected;
        above.hasWork = above.hasWork || node.hasWork;
    }
    for (Node &node : m_nodes)
        node.isSelected = node.isSelected && (!onlyWithWork || node.hasWork);
}

std::vector<bool> PathTree::outermost() const
{
    std::vector<std::vector<std::uint32_t>> children(m_nodes.size() + 1); // the last: of none
    for (std::uint32_t node = 0; node < size(); ++node)
        children[m_nodes[node].parent == kNoNode ? size() : m_nodes[node].parent].push_back(node);
    std::vector<bool> isOutermost(m_nodes.size(), false);
    std::unordered_map<std::uint64_t, int> open; // names on the way down
    const auto key = [this](std::uint32_t node) {
        return (std::uint64_t{index(m_nodes[node].name)} << 8U) | static_cast<std::uint64_t>(m_nodes[node].kind);
    };
    std::vector<std::pair<std::uint32_t, bool>> pending; // node, on the way back
    for (const std::uint32_t root : children.back())
        pending.emplace_back(root, false);
    while (!pending.empty()) {
        const auto [node, isLeft] = pending.back();
        pending.pop_back();
        int &depth = open[key(node)];
        if (isLeft) {
            --depth;
            continue;
        }
        isOutermost[node] = depth == 0;
        ++depth;
        pending.emplace_back(node, true);
        for (const std::uint32_t child : children[node])
            pending.emplace_back(child, false);
    }
    return isOutermost;
}

} // namespace ks
