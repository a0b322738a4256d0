// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/call_tree.h"

#include "core/analysis/device_work.h"
#include "core/analysis/host_scope.h"
#include "core/analysis/nearest_above.h"
#include "core/analysis/torch_nesting.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ks {
namespace {

constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();
constexpr TimeNs kLeastShare = 2000; // of callers, the inverse
constexpr int kMostCallers = 200;    // above one another

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
    Costs costs;
    bool isSelected = false; // has something of the scope, itself or below
    bool hasWork = false;
};

class Tree
{
public:
    std::uint32_t childOf(std::uint32_t parent, NameId name, EventKind kind)
    {
        const auto node = static_cast<std::uint32_t>(m_nodes.size());
        const Key key{parent, name, kind};
        if (const auto [known, isNew] = m_children.try_emplace(key, node); !isNew)
            return known->second;
        Node &added = m_nodes.emplace_back();
        added.parent = parent;
        added.name = name;
        added.kind = kind;
        return node;
    }
    Node &operator[](std::uint32_t node) { return m_nodes[node]; }
    const Node &operator[](std::uint32_t node) const { return m_nodes[node]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_nodes.size()); } // parents before children

private:
    struct Key
    {
        std::uint32_t parent;
        NameId name;
        EventKind kind;
        friend bool operator==(const Key &, const Key &) = default;
    };
    struct KeyHash
    {
        std::size_t operator()(const Key &key) const
        {
            const std::size_t hash = ((std::size_t{key.parent} << 32U) | index(key.name)) * 0x9e3779b97f4a7c15U;
            return (hash ^ (hash >> 29U)) + static_cast<std::size_t>(key.kind);
        }
    };
    std::vector<Node> m_nodes;
    std::unordered_map<Key, std::uint32_t, KeyHash> m_children;
};

// Adds one trace to the tree.
class TraceCalls
{
public:
    TraceCalls(const Trace &trace, Tree &tree, const Progress &progress)
        : m_trace(trace)
        , m_tree(tree)
        , m_progress(progress)
        , m_frameAbove(trace, IsFrame{&trace}, Parent{&trace})
        , m_nodeOf(trace.eventCount(), kNoNode)
    {}

    // Do rows without work stay out?
    bool add(const Scope &scope)
    {
        const HostScope selected = hostScope(m_trace, scope, [this](const CallVisitor &visit) {
            forEachHostEvent([&visit](EventId event, LaneId) { return visit(event); });
        });
        const TraceScope host(m_trace, selected.host);
        addCalls(host);
        addWork(TraceScope(m_trace, selected.work), host, TraceScope(m_trace, scope));
        return selected.onlyWithWork;
    }

private:
    struct IsFrame
    {
        const Trace *trace;
        bool operator()(EventId event) const { return trace->kind(event) == EventKind::Python; }
    };
    struct Parent
    {
        const Trace *trace;
        EventId operator()(EventId event) const { return trace->parent(event); }
    };

    template<typename Visit>
    void forEachHostEvent(Visit visit) const
    {
        for (std::size_t l = 0; l < m_trace.lanes().size(); ++l) {
            const Lane &lane = m_trace.lanes()[l];
            if (lane.kind != LaneKind::Cpu)
                continue;
            for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
                if ((index(id) & 0xffffU) == 0)
                    m_progress.throwIfStopped();
                if (!visit(id, static_cast<LaneId>(l)))
                    return;
            }
        }
    }

    // The caller told, unless what encloses the frame only adds calls between the two.
    EventId above(EventId event)
    {
        const EventId around = m_trace.parent(event);
        const EventId caller = m_trace.kind(event) == EventKind::Python ? m_trace.caller(event) : kNoEvent;
        return caller == kNoEvent || caller == event || m_frameAbove(event) == caller ? around : caller;
    }

    NameId rowName(NameId name)
    {
        if (index(name) >= m_names.size())
            m_names.resize(index(name) + 1, kNoName);
        NameId &known = m_names[index(name)];
        if (known == kNoName)
            known = nameText(name).starts_with(kStepPrefix) ? internName(kStepRow) : name;
        return known;
    }

    std::uint32_t nodeOf(EventId event)
    {
        m_path.clear();
        std::uint32_t node = kNoNode;
        for (EventId at = event; at != kNoEvent; at = above(at)) {
            std::uint32_t &known = m_nodeOf[index(at)];
            if (known == kOnTheWay) // callers in a circle
                break;
            if (known != kNoNode) {
                node = known;
                break;
            }
            known = kOnTheWay;
            m_path.push_back(at);
        }
        for (; !m_path.empty(); m_path.pop_back()) {
            const EventId at = m_path.back();
            node = m_tree.childOf(node, rowName(m_trace.nameId(at)), m_trace.kind(at));
            m_nodeOf[index(at)] = node;
        }
        return node;
    }

    void addCalls(const TraceScope &host)
    {
        m_isSelected.assign(m_trace.eventCount(), false);
        std::vector<TimeNs> self(m_trace.eventCount(), 0);
        const auto clamped = [&host](TimeRange range) { return host.range() ? range.clampedTo(*host.range()) : range; };
        forEachHostEvent([&](EventId event, LaneId lane) {
            m_isSelected[index(event)] = host.includesLane(lane) && host.part(event);
            const TimeRange range = clamped(m_trace.range(event));
            self[index(event)] += range.duration();
            if (const EventId around = m_trace.parent(event); around != kNoEvent)
                self[index(around)] -= range.clampedTo(clamped(m_trace.range(around))).duration();
            return true;
        });
        NearestAbove selectedAbove(
            m_trace, [this](EventId event) { return m_isSelected[index(event)]; },
            [this](EventId event) { return above(event); });
        forEachHostEvent([&](EventId event, LaneId) {
            if (!m_isSelected[index(event)])
                return true;
            const TimeNs duration = clamped(m_trace.range(event)).duration();
            const std::uint32_t own = nodeOf(event);
            Node &node = m_tree[own];
            node.costs.calls += host.counts(event) ? 1 : 0;
            node.costs.self = saturatingAdd(node.costs.self, self[index(event)]);
            node.costs.total = saturatingAdd(node.costs.total, duration);
            node.isSelected = true;
            // From the next selected one up that one's duration counts instead; finish() adds up.
            if (const EventId next = selectedAbove(event); next != kNoEvent) {
                Costs &costs = m_tree[nodeOf(next)].costs;
                costs.total = saturatingSubtract(costs.total, duration);
            }
            return true;
        });
    }

    // `all`: what is selected, for work that nothing stands above.
    void addWork(const TraceScope &scope, const TraceScope &host, const TraceScope &all)
    {
        const bool restrictsHost = !host.isEverything();
        NearestAbove selectedAbove(
            m_trace, [this](EventId event) { return m_isSelected[index(event)]; },
            [this](EventId event) { return above(event); });
        const auto isBelowSelected = [&](EventId starter) {
            return m_isSelected[index(starter)] || selectedAbove(starter) != kNoEvent;
        };
        for (const DeviceWork &work : selectedWork(scope, m_progress)) {
            const LaunchLink link = m_trace.launchLink(work.event);
            const EventId starter = link.launch != kNoEvent ? link.launch : link.op;
            if (restrictsHost && (starter == kNoEvent ? !all.part(work.event) : !isBelowSelected(starter)))
                continue;
            const std::uint32_t around = starter != kNoEvent ? nodeOf(starter) : kNoNode;
            Node &node = m_tree[m_tree.childOf(around, m_trace.nameId(work.event), work.kind)];
            node.costs.calls += work.isCall ? 1 : 0;
            node.costs.deviceSelf = saturatingAdd(node.costs.deviceSelf, work.part.duration());
            node.isSelected = true;
            node.hasWork = true;
        }
    }

    static constexpr std::uint32_t kOnTheWay = kNoNode - 1;

    const Trace &m_trace;
    Tree &m_tree;
    const Progress &m_progress;
    NearestAbove<IsFrame, Parent> m_frameAbove;
    std::vector<std::uint32_t> m_nodeOf; // by event
    std::vector<bool> m_isSelected;      // by event
    std::vector<NameId> m_names;         // of rows, by name
    std::vector<EventId> m_path;
};

// Adds up what is below each node.
void finish(Tree &tree, bool onlyWithWork)
{
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        tree[i].costs.deviceTotal = tree[i].costs.deviceSelf;
    for (std::uint32_t i = tree.size(); i-- > 0;) {
        const Node &node = tree[i];
        if (node.parent == kNoNode)
            continue;
        Node &above = tree[node.parent];
        above.costs.total = saturatingAdd(above.costs.total, node.costs.total);
        above.costs.deviceTotal = saturatingAdd(above.costs.deviceTotal, node.costs.deviceTotal);
        above.isSelected = above.isSelected || node.isSelected;
        above.hasWork = above.hasWork || node.hasWork;
    }
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        tree[i].isSelected = tree[i].isSelected && (!onlyWithWork || tree[i].hasWork);
}

// By node: does none of the same row stand above it?
std::vector<bool> outermostNodes(const Tree &tree)
{
    std::vector<std::vector<std::uint32_t>> children(std::size_t{tree.size()} + 1);
    for (std::uint32_t node = 0; node < tree.size(); ++node)
        children[tree[node].parent == kNoNode ? tree.size() : tree[node].parent].push_back(node);
    std::vector<bool> isOutermost(tree.size(), false);
    std::unordered_map<std::uint64_t, int> open; // rows on the way down
    const auto key = [&tree](std::uint32_t node) {
        return (std::uint64_t{index(tree[node].name)} << 8U) | static_cast<std::uint64_t>(tree[node].kind);
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

// Names below which their callers stand.
Tree invertedTree(const Tree &tree, bool byDevice, const Progress &progress)
{
    TimeNs whole = 0;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        if (tree[node].isSelected)
            whole = saturatingAdd(whole, byDevice ? tree[node].costs.deviceSelf : tree[node].costs.self);
    }
    Tree inverted;
    const std::vector<bool> isOutermost = outermostNodes(tree);
    const auto add = [&](Costs &sum, std::uint32_t node) {
        const Costs &costs = tree[node].costs;
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
        const std::uint32_t row = inverted.childOf(kNoNode, tree[node].name, tree[node].kind);
        add(inverted[row].costs, node);
        ways.push_back({node, node, row});
    }
    const auto isWorth = [&](std::uint32_t row) {
        const Costs &costs = inverted[row].costs;
        const TimeNs cost = byDevice ? costs.deviceSelf : costs.self;
        return cost > 0 && cost >= whole / kLeastShare;
    };
    for (int level = 0; !ways.empty() && level < kMostCallers; ++level) {
        progress.throwIfStopped();
        std::vector<Way> next;
        for (const Way &way : ways) {
            const std::uint32_t caller = tree[way.at].parent;
            if (caller == kNoNode || !isWorth(way.row))
                continue;
            const std::uint32_t row = inverted.childOf(way.row, tree[caller].name, tree[caller].kind);
            add(inverted[row].costs, way.node);
            next.push_back({way.node, caller, row});
        }
        ways = std::move(next);
    }
    for (std::uint32_t row = 0; row < inverted.size(); ++row)
        inverted[row].isSelected = inverted[row].parent == kNoNode || isWorth(row);
    return inverted;
}

TimeNs costOf(const Costs &costs, const CallTreeOptions &options)
{
    if (options.bottomUp)
        return options.byDevice ? costs.deviceSelf : costs.self;
    return options.byDevice ? costs.deviceTotal : costs.total;
}

Table tableOf(const Tree &tree, const CallTreeOptions &options)
{
    Table table;
    table.names("name");
    table.texts("kind");
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
        const bool isRoot = tree[node].parent == kNoNode;
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
    while (!pending.empty()) {
        const Pending next = pending.back();
        pending.pop_back();
        const Node &node = tree[next.node];
        std::size_t at = 0;
        const auto put = [&](auto value) { table.column(at++).append(value); };
        put(node.name);
        put(eventKindId(node.kind));
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
    Tree tree;
    bool onlyWithWork = false;
    for (const RankTrace &rank : traces) {
        progress.throwIfStopped();
        if (scope.includesRank(rank.rank))
            onlyWithWork = TraceCalls(*rank.trace, tree, progress).add(scope) || onlyWithWork;
    }
    finish(tree, onlyWithWork);
    return options.bottomUp ? tableOf(invertedTree(tree, options.byDevice, progress), options) : tableOf(tree, options);
}

} // namespace ks
