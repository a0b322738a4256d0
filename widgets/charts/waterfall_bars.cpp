// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/waterfall_bars.h"

#include "widgets/state/to_qstring.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::WaterfallBars)
};

struct Change
{
    QString label;
    double delta = 0;
    std::optional<std::uint32_t> row;
};

// Families of kernels, causes of idle time and the like stand below the parts.
std::vector<Change> changesIn(const Table &table, const Column &delta)
{
    constexpr std::size_t kDepth = 2;
    const Column *item = table.findColumn("item");
    std::vector<Change> changes;
    for (std::uint32_t row = 0; row < table.rowCount(); ++row) {
        const double change = delta.number(row).value_or(0);
        if (table.depth(row) == kDepth && change != 0)
            changes.push_back({item->isNull(row) ? QString() : toQString(item->text(row)), change, row});
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change &a, const Change &b) { return std::abs(a.delta) > std::abs(b.delta); });
    return changes;
}

} // namespace

std::vector<WaterfallBar> waterfallBars(const Table &table, std::size_t most)
{
    const Column *before = table.findColumn("baseline_ns");
    const Column *after = table.findColumn("candidate_ns");
    const Column *delta = table.findColumn("delta_ns");
    if (!before || !after || !delta || !table.findColumn("item") || !table.isTree() || table.rowCount() == 0)
        return {};
    std::vector<Change> changes = changesIn(table, *delta);
    if (changes.empty())
        return {};
    // What nobody would see is one bar.
    constexpr double kSmallest = 0.01;
    const double visible = kSmallest * std::abs(changes.front().delta);
    std::size_t shown = 0;
    while (shown < std::min(most, changes.size()) && std::abs(changes[shown].delta) >= visible)
        ++shown;
    Change rest{Text::tr("other"), 0, {}};
    for (std::size_t i = shown; i < changes.size(); ++i)
        rest.delta += changes[i].delta;
    changes.resize(shown);
    if (rest.delta != 0)
        changes.push_back(rest);
    // What became more comes first: so no bar reaches below zero.
    std::stable_partition(changes.begin(), changes.end(), [](const Change &change) { return change.delta > 0; });
    std::uint32_t root = 0;
    while (table.parent(root) != Table::kNoParent)
        root = table.parent(root);
    std::vector<WaterfallBar> bars;
    double at = before->number(root).value_or(0);
    bars.push_back({Text::tr("before"), WaterfallBar::Kind::Total, 0, at, root});
    for (const Change &change : changes) {
        const bool isMore = change.delta > 0;
        bars.push_back({change.label, isMore ? WaterfallBar::Kind::More : WaterfallBar::Kind::Less,
                        std::max(0.0, isMore ? at : at + change.delta), std::abs(change.delta), change.row});
        at += change.delta;
    }
    bars.push_back({Text::tr("after"), WaterfallBar::Kind::Total, 0, after->number(root).value_or(0), root});
    return bars;
}

} // namespace ks
