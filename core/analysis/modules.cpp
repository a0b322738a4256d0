// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/modules.h"

#include "core/analysis/device_work.h"
#include "core/analysis/host_scope.h"
#include "core/analysis/nearest_above.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ks {
namespace {

constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

struct Node
{
    std::uint32_t parent = kNoNode;
    NameId name = kNoName;
    std::vector<std::uint32_t> children; // by first call
    std::int64_t calls = 0;
    std::int64_t operators = 0;
    TimeNs total = 0;
    TimeNs self = 0;
    TimeNs deviceTotal = 0;
    TimeNs deviceSelf = 0;
    TimeNs withBackward = 0;
    bool isKept = false; // has something of the scope, itself or below
    bool hasWork = false;
};

class Tree
{
public:
    std::uint32_t childOf(std::uint32_t parent, NameId name)
    {
        const auto node = static_cast<std::uint32_t>(m_nodes.size());
        const std::uint64_t key = (std::uint64_t{parent} << 32U) | index(name);
        if (const auto [known, isNew] = m_children.try_emplace(key, node); !isNew)
            return known->second;
        (parent != kNoNode ? m_nodes[parent].children : m_roots).push_back(node);
        Node &added = m_nodes.emplace_back();
        added.parent = parent;
        added.name = name;
        return node;
    }

    Node &operator[](std::uint32_t node) { return m_nodes[node]; }
    const std::vector<std::uint32_t> &roots() const { return m_roots; }

private:
    std::vector<std::uint32_t> m_roots;
    std::vector<Node> m_nodes;
    std::unordered_map<std::uint64_t, std::uint32_t> m_children; // by parent and name
};

// Adds one trace to the tree.
class TraceModules
{
public:
    TraceModules(const Trace &trace, Tree &tree)
        : m_trace(trace)
        , m_tree(tree)
    {
        for (std::size_t i = 0; i < trace.eventCount(); ++i) {
            const auto id = static_cast<EventId>(i);
            if (isModule(id))
                m_modules.push_back(id);
        }
        std::sort(m_modules.begin(), m_modules.end(), [&trace](EventId a, EventId b) {
            return std::tuple(trace.begin(a), trace.fileIndex(a)) < std::tuple(trace.begin(b), trace.fileIndex(b));
        });
    }

    // Do rows without work stay out?
    bool add(const Scope &scope, const Progress &progress)
    {
        if (m_modules.empty())
            return false;
        const HostScope selected = hostScope(m_trace, scope, [this](const CallVisitor &visit) {
            for (const EventId module : m_modules) {
                if (!visit(module))
                    return;
            }
        });
        const TraceScope host(m_trace, selected.host);
        addCalls(host);
        addChildren(host, progress);
        addWork(TraceScope(m_trace, selected.work), progress);
        return selected.onlyWithWork;
    }

private:
    bool isModule(EventId event)
    {
        if (m_trace.kind(event) != EventKind::Python)
            return false;
        const std::size_t name = index(m_trace.nameId(event));
        if (name >= m_isModule.size())
            m_isModule.resize(name + 1, -1);
        if (m_isModule[name] < 0)
            m_isModule[name] = m_trace.name(event).starts_with(kModulePrefix) ? 1 : 0;
        return m_isModule[name] == 1;
    }

    void addCalls(const TraceScope &host)
    {
        const auto caller = [this](EventId event) {
            const EventId told = m_trace.caller(event);
            return told != kNoEvent ? told : m_trace.parent(event);
        };
        NearestAbove above(
            m_trace, [this](EventId event) { return isModule(event); }, caller);
        std::vector<EventId> path;
        for (const EventId module : m_modules) {
            path.clear();
            std::uint32_t node = kNoNode;
            for (EventId at = module; at != kNoEvent; at = above(at)) {
                const auto [known, isNew] =
                    m_nodeOf.try_emplace(at, kNoNode); // kNoNode for those on the way: callers in a circle
                if (!isNew) {
                    node = known->second;
                    break;
                }
                path.push_back(at);
            }
            for (; !path.empty(); path.pop_back()) {
                const std::string_view name = m_trace.name(path.back()).substr(kModulePrefix.size());
                node = m_tree.childOf(node, internName(name));
                m_nodeOf[path.back()] = node;
            }
            const std::optional<TimeRange> part = selectedPart(host, module);
            if (!part)
                continue;
            Node &row = m_tree[node];
            row.calls += host.counts(module) ? 1 : 0;
            row.total = saturatingAdd(row.total, part->duration());
            row.self = saturatingAdd(row.self, part->duration());
            keep(node);
        }
    }

    // What stands directly in a selected module.
    void addChildren(const TraceScope &host, const Progress &progress)
    {
        const auto isHolder = [this](EventId event) {
            const EventKind kind = m_trace.kind(event);
            return kind == EventKind::Operator || kind == EventKind::Annotation || kind == EventKind::Launch
                   || isModule(event);
        };
        NearestAbove above(m_trace, isHolder, [this](EventId event) { return m_trace.parent(event); });
        for (const Lane &lane : m_trace.lanes()) {
            if (lane.kind != LaneKind::Cpu)
                continue;
            progress.throwIfStopped();
            for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
                if (!isHolder(id))
                    continue;
                const EventId around = above(id);
                if (around == kNoEvent || !isModule(around) || !selectedPart(host, around))
                    continue;
                Node &row = m_tree[m_nodeOf.at(around)];
                TimeRange range = m_trace.range(id).clampedTo(m_trace.range(around));
                if (host.range())
                    range = range.clampedTo(*host.range());
                row.self = saturatingSubtract(row.self, range.duration());
                if (m_trace.kind(id) == EventKind::Operator && host.counts(id))
                    ++row.operators;
            }
        }
    }

    void addWork(const TraceScope &scope, const Progress &progress)
    {
        NearestAbove above(
            m_trace, [this](EventId event) { return isModule(event); },
            [this](EventId event) { return m_trace.parent(event); });
        const auto &mates = m_trace.mates().forwardOfBackward;
        NearestAbove backward(
            m_trace, [&mates](EventId event) { return mates.find(event) != nullptr; },
            [this](EventId event) { return m_trace.parent(event); });
        const auto nodeOf = [&](EventId event) {
            const EventId module = event != kNoEvent ? above(event) : kNoEvent;
            return module != kNoEvent ? m_nodeOf.at(module) : kNoNode;
        };
        for (const DeviceWork &work : selectedWork(scope, progress)) {
            const EventId host = work.isLinked() ? work.launch : m_trace.launchLink(work.event).op;
            const std::uint32_t own = nodeOf(host);
            const EventId mate = host != kNoEvent && !mates.isEmpty() ? backward(host) : kNoEvent;
            const std::uint32_t forward = mate != kNoEvent ? nodeOf(m_trace.forwardOf(mate)) : kNoNode;
            if (own != kNoNode)
                m_tree[own].deviceSelf = saturatingAdd(m_tree[own].deviceSelf, work.part.duration());
            for (std::uint32_t node = own; node != kNoNode; node = m_tree[node].parent) {
                m_tree[node].deviceTotal = saturatingAdd(m_tree[node].deviceTotal, work.part.duration());
                m_tree[node].withBackward = saturatingAdd(m_tree[node].withBackward, work.part.duration());
                m_tree[node].hasWork = true;
            }
            for (std::uint32_t node = forward; node != kNoNode; node = m_tree[node].parent) {
                if (!isOnPath(node, own))
                    m_tree[node].withBackward = saturatingAdd(m_tree[node].withBackward, work.part.duration());
            }
        }
    }

    bool isOnPath(std::uint32_t node, std::uint32_t path)
    {
        while (path != kNoNode && path != node)
            path = m_tree[path].parent;
        return path == node;
    }

    std::optional<TimeRange> selectedPart(const TraceScope &host, EventId module) const
    {
        return host.includesLane(m_trace.lane(module)) ? host.part(module) : std::nullopt;
    }

    void keep(std::uint32_t node)
    {
        for (; node != kNoNode && !m_tree[node].isKept; node = m_tree[node].parent)
            m_tree[node].isKept = true;
    }

    const Trace &m_trace;
    Tree &m_tree;
    std::vector<std::int8_t> m_isModule; // by name: −1 not looked at yet
    std::vector<EventId> m_modules;      // by begin
    std::unordered_map<EventId, std::uint32_t> m_nodeOf;
};

Table tableOf(Tree &tree, bool onlyWithWork)
{
    Table table;
    table.lists("path");
    table.names("name");
    table.integers("depth", Unit::Count);
    table.integers("calls", Unit::Count);
    table.integers("operators", Unit::Count);
    for (const char *name :
         {"host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns", "device_with_backward_ns"})
        table.integers(name, Unit::Ns);
    struct Pending
    {
        std::uint32_t node;
        std::uint32_t parentRow;
        std::size_t depth;
    };
    std::vector<Pending> pending;
    const auto push = [&](const std::vector<std::uint32_t> &nodes, std::uint32_t parentRow, std::size_t depth) {
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
            pending.push_back({*node, parentRow, depth});
    };
    push(tree.roots(), Table::kNoParent, 0);
    std::vector<std::uint32_t> parents;
    std::vector<std::string_view> path;
    while (!pending.empty()) {
        const Pending next = pending.back();
        pending.pop_back();
        const Node &node = tree[next.node];
        if (!node.isKept || (onlyWithWork && !node.hasWork))
            continue;
        path.resize(next.depth);
        path.push_back(nameText(node.name));
        std::size_t at = 0;
        const auto put = [&](auto value) { table.column(at++).append(value); };
        put(jsonList(path));
        put(node.name);
        put(next.depth);
        put(node.calls);
        put(node.operators);
        for (const TimeNs time : {node.total, node.self, node.deviceTotal, node.deviceSelf, node.withBackward})
            put(time);
        const auto row = static_cast<std::uint32_t>(parents.size());
        parents.push_back(next.parentRow);
        push(node.children, row, next.depth + 1);
    }
    table.setParents(std::move(parents));
    return table;
}

} // namespace

Table moduleTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Tree tree;
    bool onlyWithWork = false;
    for (const RankTrace &rank : traces) {
        progress.throwIfStopped();
        if (scope.includesRank(rank.rank))
            onlyWithWork = TraceModules(*rank.trace, tree).add(scope, progress) || onlyWithWork;
    }
    return tableOf(tree, onlyWithWork);
}

} // namespace ks
