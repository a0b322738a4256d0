// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/lane_order.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace ks {
namespace {

constexpr TimeNs kIslandGap = TimeNs{60} * 1'000'000'000;
constexpr std::size_t kCheckEvery = std::size_t{1} << 16U;
constexpr std::size_t kCutEvery = std::size_t{1} << 17U;
constexpr std::size_t kMostRowsOfCut = 4096;

// Positions of events by LaneEvents::isBefore(), in file order where it does not tell: files hold a few runs (operators, then python, then launches of a
// thread), in order but for neighbours that exporters round to the same time. Neighbours are put right in place, then runs are merged.
class SortedRuns
{
public:
    SortedRuns(const LaneEvents &events, const std::function<void()> &throwIfStopped)
        : m_events(events)
        , m_throwIfStopped(throwIfStopped)
        , m_sorted(events.size())
    {}

    LargeArray<std::uint32_t> take()
    {
        findRuns();
        if (m_borders.size() > 2)
            m_merged.resize(m_sorted.size());
        while (m_borders.size() > 2)
            mergePairs();
        return std::move(m_sorted);
    }

private:
    static constexpr std::size_t kNear = 32;

    bool isBeforeAt(std::uint32_t a, std::uint32_t b) const { return m_events.isBefore(m_events[a], m_events[b]); }

    void findRuns()
    {
        std::size_t run = 0;
        m_borders.push_back(0);
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            const auto event = static_cast<std::uint32_t>(i);
            std::size_t place = i;
            if (i != run && isBeforeAt(event, m_sorted[i - 1])) [[unlikely]] {
                const std::size_t nearest = i - run > kNear ? i - kNear : run;
                while (place > nearest && isBeforeAt(event, m_sorted[place - 1]))
                    --place;
                if (place > run && isBeforeAt(event, m_sorted[place - 1])) {
                    m_borders.push_back(run = place = i);
                } else {
                    std::copy_backward(at(m_sorted, place), at(m_sorted, i), at(m_sorted, i + 1));
                }
            }
            m_sorted[place] = event;
        }
        m_borders.push_back(m_sorted.size());
    }

    // Every second run with the one behind it.
    void mergePairs()
    {
        std::vector<std::size_t> left{0};
        std::size_t run = 0;
        for (; run + 2 < m_borders.size(); run += 2) {
            m_throwIfStopped();
            merge(m_borders[run], m_borders[run + 1], m_borders[run + 2]);
            left.push_back(m_borders[run + 2]);
        }
        if (run + 1 < m_borders.size()) {
            std::copy(at(m_sorted, m_borders[run]), m_sorted.end(), at(m_merged, m_borders[run]));
            left.push_back(m_sorted.size());
        }
        m_sorted.swap(m_merged);
        m_borders.swap(left);
    }

    void merge(std::size_t first, std::size_t middle, std::size_t end)
    {
        const std::uint32_t *a = m_sorted.data() + first;
        const std::uint32_t *b = m_sorted.data() + middle;
        const std::uint32_t *const endA = b;
        const std::uint32_t *const endB = m_sorted.data() + end;
        std::uint32_t *to = m_merged.data() + first;
        while (a != endA && b != endB) {
            const bool takesB = isBeforeAt(*b, *a);
            *to++ = takesB ? *b : *a;
            a += takesB ? 0 : 1;
            b += takesB ? 1 : 0;
        }
        std::copy(b, endB, std::copy(a, endA, to));
    }

    static LargeArray<std::uint32_t>::iterator at(LargeArray<std::uint32_t> &values, std::size_t place)
    {
        return values.begin() + static_cast<std::ptrdiff_t>(place);
    }

    const LaneEvents m_events;
    const std::function<void()> &m_throwIfStopped;
    LargeArray<std::uint32_t> m_sorted;
    LargeArray<std::uint32_t> m_merged;
    std::vector<std::size_t> m_borders; // where runs begin, and the end
};

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
        if (!m_open.empty() && fits(m_open.back(), begin, end))
            return m_open.back();
        const auto after = std::partition_point(m_open.begin(), m_open.end(),
                                                [&](const Entry &entry) { return fits(entry, begin, end); });
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
    // With a nanosecond of grace for what exporters round.
    static bool fits(const Entry &entry, TimeNs begin, TimeNs end)
    {
        return entry.end >= end || (entry.end == end - 1 && begin < entry.end); // end is greater than some other
    }

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

std::size_t rowCount(const LaneOrder::RowCounts &counts)
{
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0},
                           [](std::size_t sum, const auto &ofGroup) { return sum + ofGroup.size(); });
}

} // namespace

LaneOrder orderLane(const LaneEvents &events, const std::function<void()> &throwIfStopped)
{
    LaneOrder order;
    order.events = SortedRuns(events, throwIfStopped).take();
    const std::size_t count = events.size();
    order.parent.resize(count);
    order.depth.resize(count);
    Enclosers all;
    std::array<Enclosers, kRowGroups> enclosers; // of each group, once there are several: till then `all` are of one
    bool areMixed = false;
    std::size_t firstGroup = kRowGroups;
    Enclosers operators;
    std::uint32_t nextOperator = 0; // those before are in `operators`, where an operator is asked for
    std::array<FreeRows, kRowGroups> rows;
    LaneOrder::Island island;
    TimeNs openUntil = kMinTime;   // latest end so far
    TimeNs deviceUntil = kMinTime; // … of device work

    for (std::size_t i = 0; i < count; ++i) {
        if (i % kCheckEvery == 0)
            throwIfStopped();
        if (i % kCutEvery == 0 && i != 0 && rowCount(order.eventsOfRow) <= kMostRowsOfCut)
            order.cuts.push_back({i, order.eventsOfRow});
        const auto position = static_cast<std::uint32_t>(i);
        const LaneEvent &event = events[order.events[i]];
        const EventKind kind = event.kind();
        const auto g = static_cast<std::size_t>(rowGroupOf(kind));
        const TimeNs begin = event.begin();
        const TimeNs end = events.end(event);

        if (!areMixed && g != firstGroup) {
            if (i == 0) {
                firstGroup = g;
            } else {
                areMixed = true;
                enclosers[firstGroup] = all;
            }
        }
        Enclosers &own = enclosers[g];
        all.advance(begin);
        const Enclosers::Entry around = all.innermost(begin, end);
        order.parent[i] = around.event;
        // An event that overshoots what encloses it by the nanosecond of grace takes its row no longer than that.
        Enclosers::Entry above = around;
        if (areMixed) {
            own.advance(begin);
            above = own.innermost(begin, end);
        }
        const std::uint32_t lowest = above.event == LaneOrder::kNone ? 0 : order.depth[above.event] + 1;
        const std::uint32_t depth = rows[g].place(lowest, begin, std::min(end, above.end));
        order.depth[i] = depth;
        std::vector<std::uint32_t> &eventsOfRow = order.eventsOfRow[g];
        if (depth >= eventsOfRow.size())
            eventsOfRow.resize(depth + std::size_t{1});
        ++eventsOfRow[depth];

        const bool overlaps = isDeviceWork(kind) && begin < deviceUntil && begin < end;
        if (overlaps || (begin < openUntil && all.isCrossed(begin, end))) {
            ++order.overlaps;
            order.firstOverlap = std::min(order.firstOverlap, order.events[i]);
        }
        if (isDeviceWork(kind))
            deviceUntil = std::max(deviceUntil, end);

        if (const std::uint32_t parent = order.parent[i];
            kind == EventKind::Launch && parent != LaneOrder::kNone
            && events[order.events[parent]].kind() != EventKind::Operator) {
            for (; nextOperator < position; ++nextOperator) {
                const LaneEvent &earlier = events[order.events[nextOperator]];
                if (earlier.kind() == EventKind::Operator)
                    operators.push(nextOperator, events.end(earlier));
            }
            if (const std::uint32_t op = operators.innermost(begin, end).event; op != LaneOrder::kNone)
                order.operatorOfLaunch.emplace_back(position, op);
        }
        if (i == 0 || begin > saturatingAdd(openUntil, kIslandGap)) {
            if (i != 0)
                order.islands.push_back(island);
            island = {begin, end, 0};
        }
        ++island.events;
        island.end = std::max(island.end, end);
        openUntil = std::max(openUntil, end);

        all.push(position, end);
        if (areMixed)
            own.push(position, end);
    }
    if (count != 0)
        order.islands.push_back(island);
    return order;
}

} // namespace ks
