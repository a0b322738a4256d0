// SPDX-License-Identifier: GPL-3.0-or-later
// Calls merged by path of names: one node for all calls of one name and kind below the same node, with what they cost.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/event_kind.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ks {

class PathTree
{
public:
    static constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

    struct Costs
    {
        std::int64_t calls = 0;
        TimeNs total = 0;
        TimeNs self = 0;
        TimeNs deviceTotal = 0;
        TimeNs deviceSelf = 0;
    };
    struct Node
    {
        std::uint32_t parent = kNoNode;
        NameId name = kNoName;
        EventKind kind = EventKind::Other;
        bool isSelected = false; // has something of the scope, itself or below
        bool hasWork = false;
        Costs costs;
    };

    // The node of that name and kind below `parent` (kNoNode: at the top), a new one if there is none. About 10 ns.
    std::uint32_t childOf(std::uint32_t parent, NameId name, EventKind kind);

    Node &operator[](std::uint32_t node) { return m_nodes[node]; }
    const Node &operator[](std::uint32_t node) const { return m_nodes[node]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_nodes.size()); } // parents before children

    // Once all calls are in: adds what is below each node to its totals and marks. Nodes without device work are
    // selected no longer where only those with some are wanted.
    void finish(bool onlyWithWork);
    // By node: does none of the same name and kind stand above it?
    std::vector<bool> outermost() const;

private:
    void grow();

    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_slots; // open addressing by (parent, name, kind); a power of two, at most half full
};

} // namespace ks
