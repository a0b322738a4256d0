// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/event_columns.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <numeric>

namespace ks {
namespace {

// Positions in file order, lane by lane.
struct LaneMembers
{
    std::vector<std::uint32_t> positions;
    std::vector<std::size_t> first; // by lane, one more than lanes

    std::span<const std::uint32_t> of(std::size_t lane) const
    {
        return std::span(positions).subspan(first[lane], first[lane + 1] - first[lane]);
    }
};

LaneMembers membersOfLanes(std::span<const RawEvent> events, std::size_t lanes)
{
    LaneMembers members;
    members.first.assign(lanes + 1, 0);
    for (const RawEvent &event : events)
        ++members.first[event.track + std::size_t{1}];
    std::partial_sum(members.first.begin(), members.first.end(), members.first.begin());
    std::vector<std::size_t> next(members.first.begin(), members.first.end() - 1);
    members.positions.resize(events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
        members.positions[next[events[i].track]++] = static_cast<std::uint32_t>(i);
    return members;
}

// What only some events of a lane have; joined lane by lane afterwards.
struct LaneExtras
{
    std::vector<std::pair<EventId, TimeNs>> longDurations;
    std::vector<EventId> unfinished;
    std::vector<std::pair<EventId, EventId>> operatorOfLaunch;
    std::vector<Row> rows;
    std::vector<LaneOrder::Island> islands;
    std::uint64_t overlaps = 0;
    std::uint64_t firstOverlap = ~std::uint64_t{0};
};

class ColumnBuilder
{
public:
    ColumnBuilder(std::span<const RawEvent> events, std::int64_t origin, EventColumns &columns)
        : m_events(events)
        , m_origin(origin)
        , m_columns(columns)
    {
        EventTable &table = columns.events;
        table.begin.resize(events.size());
        table.duration.resize(events.size());
        table.name.resize(events.size());
        table.category.resize(events.size());
        table.parent.resize(events.size());
        table.fileIndex.resize(events.size());
        table.recordOffsetLow.resize(events.size());
        table.recordOffsetHigh.resize(events.size());
        columns.idOfFileIndex.resize(events.size());
    }

    // Ids of the lane start at `firstId`.
    void build(LaneId lane, std::size_t firstId, const LaneOrder &order, LaneExtras &extras)
    {
        const std::vector<EventId> ids = placeRows(lane, firstId, order, extras);
        for (std::size_t i = 0; i < ids.size(); ++i)
            write(ids[i], order.events[i], order.parent[i] == LaneOrder::kNone ? kNoEvent : ids[order.parent[i]],
                  extras);
        for (const auto &[launch, op] : order.operatorOfLaunch)
            extras.operatorOfLaunch.emplace_back(ids[launch], ids[op]);
        std::sort(extras.unfinished.begin(), extras.unfinished.end());
        extras.islands = order.islands;
        extras.overlaps = order.overlaps;
        extras.firstOverlap = order.firstOverlap;
    }

private:
    // The id of each event: row by row, within a row by begin.
    static std::vector<EventId> placeRows(LaneId lane, std::size_t firstId, const LaneOrder &order, LaneExtras &extras)
    {
        std::array<std::size_t, kRowGroups + 1> firstRow{};
        for (std::size_t group = 0; group < kRowGroups; ++group)
            firstRow[group + 1] = firstRow[group] + order.depths[group];
        const auto rowOf = [&](std::size_t i) {
            return firstRow[static_cast<std::size_t>(order.group[i])] + order.depth[i];
        };
        std::vector<std::size_t> next(firstRow.back() + 1, 0);
        for (std::size_t i = 0; i < order.events.size(); ++i)
            ++next[rowOf(i) + std::size_t{1}];
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (std::size_t group = 0; group < kRowGroups; ++group) {
            for (std::uint32_t depth = 0; depth < order.depths[group]; ++depth) {
                const std::size_t row = firstRow[group] + depth;
                extras.rows.push_back({lane, static_cast<RowGroup>(group), depth,
                                       static_cast<EventId>(firstId + next[row]),
                                       static_cast<EventId>(firstId + next[row + 1])});
            }
        }
        std::vector<EventId> ids(order.events.size());
        for (std::size_t i = 0; i < ids.size(); ++i)
            ids[i] = static_cast<EventId>(firstId + next[rowOf(i)]++);
        return ids;
    }

    void write(EventId id, std::uint32_t position, EventId parent, LaneExtras &extras)
    {
        const RawEvent &event = m_events[position];
        EventTable &table = m_columns.events;
        const std::size_t at = index(id);
        table.begin[at] = saturatingSubtract(event.begin, m_origin);
        if (event.duration < TimeNs{EventTable::kLong}) {
            table.duration[at] = static_cast<std::uint32_t>(event.duration);
        } else {
            table.duration[at] = EventTable::kLong;
            extras.longDurations.emplace_back(id, event.duration);
        }
        table.name[at] = NameId{event.name};
        table.category[at] = CategoryId{event.category};
        table.parent[at] = parent;
        table.fileIndex[at] = position;
        table.recordOffsetLow[at] = event.offset;
        table.recordOffsetHigh[at] = event.offsetHigh;
        m_columns.idOfFileIndex[position] = id;
        if ((event.flags & RawEvent::kUnfinished) != 0)
            extras.unfinished.push_back(id);
    }

    std::span<const RawEvent> m_events;
    std::int64_t m_origin;
    EventColumns &m_columns;
};

} // namespace

EventColumns buildColumns(std::span<const RawEvent> events, std::vector<Lane> &lanes,
                          std::span<const EventKind> kindOfCategory, std::int64_t origin, unsigned workers,
                          const std::function<void()> &throwIfStopped)
{
    EventColumns columns;
    const LaneMembers members = membersOfLanes(events, lanes.size());
    ColumnBuilder builder(events, origin, columns);
    std::vector<LaneExtras> extras(lanes.size());
    // The longest lanes first, so that no worker ends up alone with one.
    std::vector<std::size_t> bySize(lanes.size());
    std::iota(bySize.begin(), bySize.end(), std::size_t{0});
    std::stable_sort(bySize.begin(), bySize.end(),
                     [&](std::size_t a, std::size_t b) { return members.of(a).size() > members.of(b).size(); });
    parallelFor(lanes.size(), workers, [&](std::size_t i) {
        const std::size_t lane = bySize[i];
        const LaneOrder order = orderLane(events, members.of(lane), kindOfCategory, throwIfStopped);
        builder.build(static_cast<LaneId>(lane), members.first[lane], order, extras[lane]);
    });

    std::vector<std::pair<EventId, TimeNs>> longDurations;
    std::vector<std::pair<EventId, EventId>> operatorOfLaunch;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const LaneExtras &extra = extras[i];
        lanes[i].firstEvent = static_cast<EventId>(members.first[i]);
        lanes[i].endEvent = static_cast<EventId>(members.first[i + 1]);
        lanes[i].firstRow = static_cast<RowId>(columns.rows.size());
        columns.rows.insert(columns.rows.end(), extra.rows.begin(), extra.rows.end());
        lanes[i].endRow = static_cast<RowId>(columns.rows.size());
        longDurations.insert(longDurations.end(), extra.longDurations.begin(), extra.longDurations.end());
        columns.events.unfinished.insert(columns.events.unfinished.end(), extra.unfinished.begin(),
                                         extra.unfinished.end());
        operatorOfLaunch.insert(operatorOfLaunch.end(), extra.operatorOfLaunch.begin(), extra.operatorOfLaunch.end());
        columns.islands.insert(columns.islands.end(), extra.islands.begin(), extra.islands.end());
        columns.overlaps += extra.overlaps;
        columns.firstOverlap = std::min(columns.firstOverlap, extra.firstOverlap);
    }
    columns.events.longDurations = SparseColumn<TimeNs>::fromPairs(std::move(longDurations));
    columns.operatorOfLaunch = SparseColumn<EventId>::fromPairs(std::move(operatorOfLaunch));
    return columns;
}

} // namespace ks
