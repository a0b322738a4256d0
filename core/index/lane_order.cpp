// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/lane_order.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace ks {
namespace {

constexpr TimeNs kIslandGap = TimeNs{60} * 1'000'000'000;
constexpr std::size_t kCheckEvery = std::size_t{1} << 16U;

// Sorts by merging the ascending runs the input consists of: files hold few (operators, then python, then launches of a thread).
template<typename Less>
void sortRuns(std::vector<std::uint32_t> &values, Less less, const std::function<void()> &throwIfStopped)
{
    std::vector<std::size_t> borders{0};
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (less(values[i], values[i - 1]))
            borders.push_back(i);
    }
    borders.push_back(values.size());
    if (borders.size() <= 2)
        return;
    std::vector<std::uint32_t> merged(values.size());
    while (borders.size() > 2) {
        std::vector<std::size_t> left{0};
        std::size_t run = 0;
        for (; run + 2 < borders.size(); run += 2) {
            throwIfStopped();
            const auto at = [&](std::size_t border) {
                return values.begin() + static_cast<std::ptrdiff_t>(borders[border]);
            };
            std::merge(at(run), at(run + 1), at(run + 1), at(run + 2),
                       merged.begin() + static_cast<std::ptrdiff_t>(borders[run]), less);
            left.push_back(borders[run + 2]);
        }
        if (run + 1 < borders.size()) {
            std::copy(values.begin() + static_cast<std::ptrdiff_t>(borders[run]), values.end(),
                      merged.begin() + static_cast<std::ptrdiff_t>(borders[run]));
            left.push_back(values.size());
        }
        values.swap(merged);
        borders.swap(left);
    }
}

// Events that can still enclose something, innermost last, their ends strictly falling: an event that ends no later than a later one can
// never be the answer. So the innermost that encloses an interval is found by binary search, crossing events or not.
class Enclosers
{
public:
    struct Entry
    {
        TimeNs end = kMaxTime;
        std::uint32_t event = LaneOrder::kNone;
    };

    // Events from now on begin at `begin` or later: what ended before it can enclose or cross none of them.
    void advance(TimeNs begin)
    {
        while (!m_open.empty() && m_open.back().end < begin)
            m_open.pop_back();
    }
    // The innermost that encloses an event [begin, end]; none: kNone, which never ends.
    Entry innermost(TimeNs begin, TimeNs end) const
    {
        const TimeNs almost = saturatingSubtract(end, 1);
        const auto fits = [&](const Entry &entry) {
            return entry.end >= end || (entry.end == almost && begin < entry.end);
        };
        if (!m_open.empty() && fits(m_open.back()))
            return m_open.back();
        const auto after = std::partition_point(m_open.begin(), m_open.end(), fits);
        return after == m_open.begin() ? Entry{} : *std::prev(after);
    }
    // Is something open at `begin` that ends inside the event, so that neither encloses the other?
    bool isCrossed(TimeNs begin, TimeNs end) const
    {
        const TimeNs almost = saturatingSubtract(end, 1);
        if (m_open.empty() || m_open.back().end >= almost)
            return false;
        const auto first =
            std::partition_point(m_open.begin(), m_open.end(), [&](const Entry &entry) { return entry.end >= almost; });
        return first != m_open.end() && first->end > begin;
    }
    void push(std::uint32_t event, TimeNs end)
    {
        while (!m_open.empty() && m_open.back().end <= end)
            m_open.pop_back();
        m_open.push_back({end, event});
    }

private:
    std::vector<Entry> m_open;
};

// The rows of one group: where each is free again. Few rows are looked at one by one; many (thousands of events that cross) by a tree of
// minima, so that the cost of an event is logarithmic at worst.
class FreeRows
{
public:
    std::uint32_t place(std::uint32_t lowest, TimeNs begin, TimeNs end)
    {
        const std::size_t row = firstFree(lowest, begin);
        if (row >= m_count)
            grow(row + 1);
        TimeNs &freeFrom = m_nodes[m_leaves + row];
        freeFrom = std::max(freeFrom, end);
        if (m_leaves > kFewRows) {
            for (std::size_t node = (m_leaves + row) / 2; node != 0; node /= 2) {
                const TimeNs least = std::min(m_nodes[node * 2], m_nodes[node * 2 + 1]);
                if (m_nodes[node] == least)
                    break;
                m_nodes[node] = least;
            }
        }
        return static_cast<std::uint32_t>(row);
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(m_count); }

private:
    static constexpr std::size_t kFewRows = 64; // a power of two

    // The first row from `lowest` on that is free at `begin`; at most m_count or `lowest` itself.
    std::size_t firstFree(std::size_t lowest, TimeNs begin) const
    {
        const std::size_t near = std::min(m_count, lowest + kFewRows);
        std::size_t row = lowest;
        while (row < near && m_nodes[m_leaves + row] > begin)
            ++row;
        if (row < near || row >= m_count)
            return row;
        // Up, until a subtree to the right holds a free row, then down to the first in it. Rows not yet used are free.
        std::size_t node = m_leaves + row;
        while (m_nodes[node] > begin) {
            while ((node & 1U) != 0)
                node /= 2;
            if (node == 0)
                return m_leaves; // all rows taken
            ++node;
        }
        while (node < m_leaves) {
            node *= 2;
            if (m_nodes[node] > begin)
                ++node;
        }
        return node - m_leaves;
    }

    void grow(std::size_t count)
    {
        if (count > m_leaves) {
            const std::size_t leaves = std::bit_ceil(std::max(count, kFewRows));
            std::vector<TimeNs> nodes(leaves * 2, kMinTime);
            std::copy_n(m_nodes.begin() + static_cast<std::ptrdiff_t>(m_leaves), m_count,
                        nodes.begin() + static_cast<std::ptrdiff_t>(leaves));
            for (std::size_t node = leaves - 1; node != 0; --node)
                nodes[node] = std::min(nodes[node * 2], nodes[node * 2 + 1]);
            m_nodes.swap(nodes);
            m_leaves = leaves;
        }
        m_count = count;
    }

    std::vector<TimeNs> m_nodes; // leaves from m_leaves on, the minimum of nodes 2i and 2i + 1 at i
    std::size_t m_leaves = 0;
    std::size_t m_count = 0;
};

} // namespace

LaneOrder orderLane(std::span<const RawEvent> events, std::span<const EventKind> kindOfCategory,
                    const std::function<void()> &throwIfStopped)
{
    LaneOrder order;
    order.events.resize(events.size());
    std::iota(order.events.begin(), order.events.end(), 0U);
    sortRuns(
        order.events,
        [&](std::uint32_t a, std::uint32_t b) {
            const RawEvent &x = events[a];
            const RawEvent &y = events[b];
            if (x.begin != y.begin)
                return x.begin < y.begin;
            const TimeNs endX = x.end();
            const TimeNs endY = y.end();
            return endX != endY ? endX > endY : a < b;
        },
        throwIfStopped);

    const std::size_t count = order.events.size();
    order.parent.resize(count);
    order.depth.resize(count);
    order.group.resize(count);
    std::array<Enclosers, kRowGroups> enclosers; // of each group
    Enclosers all;
    Enclosers operators;
    std::array<FreeRows, kRowGroups> rows;
    TimeNs openUntil = kMinTime;   // latest end so far
    TimeNs deviceUntil = kMinTime; // … of device work

    const bool hasLaunches = std::any_of(events.begin(), events.end(), [&](const RawEvent &event) {
        return kindOfCategory[event.category] == EventKind::Launch;
    });

    for (std::size_t i = 0; i < count; ++i) {
        if (i % kCheckEvery == 0)
            throwIfStopped();
        const auto position = static_cast<std::uint32_t>(i);
        const RawEvent &event = events[order.events[i]];
        const EventKind kind = kindOfCategory[event.category];
        const RowGroup group = rowGroupOf(kind);
        const auto g = static_cast<std::size_t>(group);
        const TimeNs begin = event.begin;
        const TimeNs end = event.end();

        all.advance(begin);
        enclosers[g].advance(begin);
        order.parent[i] = all.innermost(begin, end).event;
        order.group[i] = group;
        // An event that overshoots what encloses it by the nanosecond of grace takes its row no longer than that.
        const Enclosers::Entry above = enclosers[g].innermost(begin, end);
        const std::uint32_t lowest = above.event == LaneOrder::kNone ? 0 : order.depth[above.event] + 1;
        order.depth[i] = rows[g].place(lowest, begin, std::min(end, above.end));

        const bool overlaps = isDeviceWork(kind) && begin < deviceUntil && begin < end;
        if (overlaps || (begin < openUntil && all.isCrossed(begin, end))) {
            ++order.overlaps;
            order.firstOverlap = std::min(order.firstOverlap, event.recordOffset());
        }
        if (isDeviceWork(kind))
            deviceUntil = std::max(deviceUntil, end);

        if (kind == EventKind::Launch) {
            if (const std::uint32_t op = operators.innermost(begin, end).event; op != LaneOrder::kNone)
                order.operatorOfLaunch.emplace_back(position, op);
        }
        if (order.islands.empty() || begin > saturatingAdd(openUntil, kIslandGap))
            order.islands.push_back({begin, end, 0});
        ++order.islands.back().events;
        order.islands.back().end = std::max(order.islands.back().end, end);
        openUntil = std::max(openUntil, end);

        all.push(position, end);
        enclosers[g].push(position, end);
        if (hasLaunches && kind == EventKind::Operator) {
            operators.advance(begin);
            operators.push(position, end);
        }
    }
    for (std::size_t g = 0; g < kRowGroups; ++g)
        order.depths[g] = rows[g].count();
    return order;
}

} // namespace ks
