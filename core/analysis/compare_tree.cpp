// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_tree.h"

#include "core/analysis/call_tree.h"
#include "core/analysis/step_table.h"
#include "core/base/hash.h"
#include "core/base/name_pool.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ks {
namespace {

enum Run : std::size_t { Before, After };

struct Node
{
    NameId name = kNoName;
    NameId kind = kNoName;
    std::string replacement; // of what went and what came: "a, b → c"
    std::array<std::int64_t, 2> calls{};
    std::array<double, 2> value{};
    std::array<bool, 2> present{};
    bool isReplaced = false;
    bool isShown = true;
    std::uint32_t parent = Table::kNoParent;
    std::vector<std::uint32_t> children;

    double delta() const { return value[After] - value[Before]; }
    std::string_view status() const
    {
        if (isReplaced)
            return "replaced";
        if (present[Before] && present[After])
            return "both";
        return present[Before] ? "baseline" : "candidate";
    }
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isHexDigit(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Names by what they are compared by, which is looked at once for each.
class ComparedNames
{
public:
    NameId operator()(NameId name)
    {
        if (index(name) >= m_known.size())
            m_known.resize(index(name) + 1, kNoName);
        NameId &known = m_known[index(name)];
        if (known == kNoName)
            known = internName(comparedName(nameText(name)));
        return known;
    }

private:
    std::vector<NameId> m_known; // by name
};

class MergedTree
{
public:
    std::vector<Node> nodes{1}; // the first stands above all

    void add(const Table &tree, const Column &metric, double divisor, Run run)
    {
        const Column &name = *tree.findColumn("name");
        const Column &kind = *tree.findColumn("kind");
        const Column &calls = *tree.findColumn("calls");
        std::vector<std::uint32_t> nodeOf(tree.rowCount());
        nodes.reserve(nodes.size() + tree.rowCount());
        for (std::uint32_t row = 0; row < tree.rowCount(); ++row) { // parents before their children
            const std::uint32_t parent = tree.parent(row) == Table::kNoParent ? 0 : nodeOf[tree.parent(row)];
            const std::uint32_t node = child(parent, name.nameId(row), kind.nameId(row));
            nodeOf[row] = node;
            nodes[node].present[run] = true;
            nodes[node].calls[run] += calls.integer(row);
            nodes[node].value[run] += metric.number(row).value_or(0) / divisor;
            if (parent == 0)
                nodes[0].value[run] += metric.number(row).value_or(0) / divisor;
        }
    }

    // Puts what went and what came below one parent into one node.
    void joinReplaced()
    {
        for (std::uint32_t parent = 0; parent < nodes.size(); ++parent) {
            std::vector<std::uint32_t> went, came, rest;
            for (const std::uint32_t child : nodes[parent].children)
                (nodes[child].present[Before] && nodes[child].present[After] ? rest
                 : nodes[child].present[Before]                              ? went
                                                                             : came)
                    .push_back(child);
            if (nodes[parent].isReplaced || went.empty() || came.empty())
                continue;
            Node joined;
            joined.replacement = namesOf(went) + " → " + namesOf(came);
            joined.isReplaced = true;
            joined.present = {true, true};
            joined.parent = parent;
            const auto number = static_cast<std::uint32_t>(nodes.size());
            for (const auto *some : {&went, &came}) {
                for (const std::uint32_t child : *some) {
                    for (const Run run : {Before, After}) {
                        joined.calls[run] += nodes[child].calls[run];
                        joined.value[run] += nodes[child].value[run];
                    }
                    nodes[child].parent = number;
                    joined.children.push_back(child);
                }
            }
            rest.push_back(number);
            nodes[parent].children = std::move(rest);
            nodes.push_back(std::move(joined));
        }
    }

    void sortAndPrune()
    {
        constexpr double kSmallest = 1e-4; // of the whole
        const double limit = kSmallest * std::max(nodes[0].value[Before], nodes[0].value[After]);
        // Nodes of a merge may stand before their parents, so the order is that of a walk.
        std::vector<std::uint32_t> order{0};
        for (std::size_t i = 0; i < order.size(); ++i)
            order.insert(order.end(), nodes[order[i]].children.begin(), nodes[order[i]].children.end());
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            Node &node = nodes[*at];
            const bool anyShown = std::any_of(node.children.begin(), node.children.end(),
                                              [this](std::uint32_t child) { return nodes[child].isShown; });
            const bool isBoth = node.present[Before] && node.present[After] && !node.isReplaced;
            node.isShown = anyShown || !isBoth || std::abs(node.delta()) >= limit;
            std::stable_sort(node.children.begin(), node.children.end(), [this](std::uint32_t a, std::uint32_t b) {
                return std::abs(nodes[a].delta()) > std::abs(nodes[b].delta());
            });
        }
    }

private:
    std::uint32_t child(std::uint32_t parent, NameId name, NameId kind)
    {
        const auto [known, isNew] =
            m_children.try_emplace(Key{parent, m_comparedName(name), kind}, static_cast<std::uint32_t>(nodes.size()));
        if (isNew) {
            Node node;
            node.name = name;
            node.kind = kind;
            node.parent = parent;
            nodes.push_back(std::move(node));
            nodes[parent].children.push_back(known->second);
        }
        return known->second;
    }

    // The costliest first; of many some.
    std::string namesOf(std::vector<std::uint32_t> children) const
    {
        constexpr std::size_t kMost = 4;
        std::stable_sort(children.begin(), children.end(), [this](std::uint32_t a, std::uint32_t b) {
            return std::abs(nodes[a].delta()) > std::abs(nodes[b].delta());
        });
        std::string names;
        for (std::size_t i = 0; i < std::min(children.size(), kMost); ++i)
            names += (i == 0 ? "" : ", ") + std::string(nameText(nodes[children[i]].name));
        return children.size() > kMost ? names + ", …" : names;
    }

    struct Key
    {
        std::uint32_t parent;
        NameId name; // as it is compared
        NameId kind;
        friend bool operator==(const Key &, const Key &) = default;
    };
    struct KeyHash
    {
        std::size_t operator()(const Key &key) const
        {
            return foldMultiply((std::uint64_t{key.parent} << 32U) | index(key.name),
                                0x9e3779b97f4a7c15ULL + index(key.kind));
        }
    };

    ComparedNames m_comparedName;
    std::unordered_map<Key, std::uint32_t, KeyHash> m_children;
};

bool hasTime(const Table &tree, std::string_view column)
{
    for (std::size_t row = 0; row < tree.rowCount(); ++row) {
        if (tree.findColumn(column)->number(row).value_or(0) != 0)
            return true;
    }
    return false;
}

} // namespace

std::string comparedName(std::string_view name)
{
    std::string result;
    for (std::size_t i = 0; i < name.size();) {
        if (name.substr(i).starts_with(".py(")) {
            std::size_t end = i + 4;
            while (end < name.size() && isDigit(name[end]))
                ++end;
            if (end < name.size() && name[end] == ')') {
                result += ".py";
                i = end + 1;
                continue;
            }
        }
        if (name.substr(i).starts_with("0x")) {
            std::size_t end = i + 2;
            while (end < name.size() && isHexDigit(name[end]))
                ++end;
            result += "0x";
            i = end;
            continue;
        }
        result += name[i++];
    }
    if (result.starts_with("hip"))
        result.replace(0, 3, "cuda");
    return result;
}

Table compareTreeTable(Baseline baseline, Candidate candidate, const Scope &scope, const CompareOptions &options,
                       const Progress &progress)
{
    const Table a = callTreeTable(baseline.traces, scope, {false, true}, progress.part(0, 0.4));
    const Table b = callTreeTable(candidate.traces, scope, {false, true}, progress.part(0.4, 0.8));
    const bool ofDevice = hasTime(a, "device_total_ns") || hasTime(b, "device_total_ns");
    const std::string_view metric = ofDevice ? "device_total_ns" : "cpu_total_ns";
    const auto divisor = [&](std::span<const RankTrace> traces) {
        return options.perStep ? static_cast<double>(std::max<std::size_t>(1, stepCount(traces, scope))) : 1.0;
    };
    MergedTree tree;
    tree.add(a, *a.findColumn(metric), divisor(baseline.traces), Before);
    tree.add(b, *b.findColumn(metric), divisor(candidate.traces), After);
    tree.joinReplaced();
    tree.sortAndPrune();

    Table table;
    table.texts("name");
    table.texts("kind");
    table.texts("status");
    table.integers("baseline_calls", Unit::Count);
    table.integers("candidate_calls", Unit::Count);
    const CellType type = options.perStep ? CellType::Real : CellType::Integer;
    for (const char *name : {"baseline", "candidate"})
        table.addColumn(name, Unit::Ns, type).setMeasure(metric);
    table.addColumn("delta", Unit::Ns, type);
    table.reals("ratio", Unit::Change);
    std::vector<std::uint32_t> parents;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, Table::kNoParent}}; // node, row of its parent
    while (!open.empty()) {
        const auto [number, parent] = open.back();
        open.pop_back();
        const Node &node = tree.nodes[number];
        std::uint32_t row = Table::kNoParent;
        if (number != 0) {
            if (!node.isShown)
                continue;
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(node.isReplaced ? std::string_view(node.replacement) : nameText(node.name));
            put(node.kind != kNoName ? std::optional(nameText(node.kind)) : std::nullopt);
            put(node.status());
            put(node.calls[Before]);
            put(node.calls[After]);
            for (const double value : {node.value[Before], node.value[After], node.delta()}) {
                if (options.perStep)
                    put(value);
                else
                    put(static_cast<std::int64_t>(std::llround(value)));
            }
            put(node.value[Before] != 0 ? std::optional(node.value[After] / node.value[Before]) : std::nullopt);
            row = static_cast<std::uint32_t>(parents.size());
            parents.push_back(parent);
        }
        for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
            open.emplace_back(*child, row);
    }
    table.setParents(std::move(parents));
    return table;
}

} // namespace ks
