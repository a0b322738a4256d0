// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/event_columns.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>

namespace ks {
namespace {

// The events lane by lane, within one in file order.
struct EventsByLane
{
    LargeArray<LaneEvent> events;
    LargeArray<std::uint32_t> fileIndex; // of each
    std::vector<TimeNs> longEnds;
    std::vector<std::size_t> first; // by lane, one more than lanes

    LaneEvents of(std::size_t lane) const { return {partOf(std::span(events), lane), longEnds}; }
    std::span<const std::uint32_t> fileIndexOf(std::size_t lane) const { return partOf(std::span(fileIndex), lane); }

private:
    template<typename T>
    std::span<T> partOf(std::span<T> all, std::size_t lane) const
    {
        return all.subspan(first[lane], first[lane + 1] - first[lane]);
    }
};

// Stretches of the file in parallel: how many events each has on each lane is known.
EventsByLane sortByLane(const RawEvents &raw, std::size_t lanes, const LanesOfEvents &lanesOf, unsigned workers,
                        const std::function<void()> &throwIfStopped)
{
    std::vector<std::vector<std::size_t>> next = lanesOf.eventsOfStretch; // by lane: how many, then where they go
    EventsByLane sorted;
    sorted.first.reserve(lanes + 1);
    std::size_t place = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        sorted.first.push_back(place);
        for (std::vector<std::size_t> &ofStretch : next) {
            const std::size_t count = ofStretch[lane];
            ofStretch[lane] = place;
            place += count;
        }
    }
    sorted.first.push_back(place);
    sorted.events.resize(place);
    sorted.fileIndex.resize(place);

    std::mutex longEnds;
    const auto laneEventOf = [&](const RawEvents::Part &part, const RawEvent &event, EventKind kind) {
        const TimeNs duration = part.durations.of(event);
        if (LaneEvent::fits(duration)) [[likely]]
            return LaneEvent(event.begin, duration, kind);
        const std::lock_guard lock(longEnds);
        sorted.longEnds.push_back(part.durations.endOf(event));
        return LaneEvent::ofLongEnd(event.begin, sorted.longEnds.size() - 1, kind);
    };
    const std::vector<std::span<const RawEvents::Part>> stretches = raw.stretches(workers);
    parallelFor(stretches.size(), workers, [&](std::size_t stretch) {
        for (const RawEvents::Part &part : stretches[stretch]) {
            throwIfStopped();
            std::uint32_t position = part.first;
            for (const RawEvent &event : part.events) {
                const LanesOfEvents::Place &at = lanesOf.places[part.placeOf(event)];
                const std::size_t to = next[stretch][index(at.lane)]++;
                sorted.events[to] = laneEventOf(part, event, at.kind);
                sorted.fileIndex[to] = position++;
            }
        }
    });
    return sorted;
}

// What is known of a lane when its events have their ids.
struct PlacedLane
{
    std::vector<Row> rows;
    LargeArray<std::pair<EventId, EventId>> operatorOfLaunch;
    std::vector<LaneOrder::Island> islands;
    std::uint64_t overlaps = 0;
    std::uint32_t firstOverlap = LaneOrder::kNone; // fileIndex
};

// Ids go row by row, within a row by begin. Tells the events their ids and their parents. The ids take the room of the depths. A long lane
// is placed piece by piece.
PlacedLane placeLane(LaneId lane, const EventsByLane &byLane, LaneOrder order, unsigned workers, EventColumns &columns)
{
    const LaneEvents events = byLane.of(index(lane));
    const std::span<const std::uint32_t> fileIndex = byLane.fileIndexOf(index(lane));
    PlacedLane placed;
    std::array<std::size_t, kRowGroups> firstRow{};
    std::vector<std::uint32_t> firstOfRow;
    auto id = static_cast<std::uint32_t>(byLane.first[index(lane)]);
    for (std::size_t group = 0; group < kRowGroups; ++group) {
        firstRow[group] = firstOfRow.size();
        std::uint32_t depth = 0;
        for (const std::uint32_t count : order.eventsOfRow[group]) {
            placed.rows.push_back({lane, static_cast<RowGroup>(group), depth++, EventId{id}, EventId{id + count}});
            firstOfRow.push_back(id);
            id += count;
        }
    }
    const std::size_t pieces = order.cuts.size() + 1;
    const auto begin = [&](std::size_t piece) { return piece == 0 ? 0 : order.cuts[piece - 1].position; };
    const auto end = [&](std::size_t piece) {
        return piece == order.cuts.size() ? events.size() : order.cuts[piece].position;
    };
    LargeArray<std::uint32_t> &ids = order.depth;
    parallelFor(pieces, workers, [&](std::size_t piece) {
        std::vector<std::uint32_t> next = firstOfRow; // by row: the id of its next event
        for (std::size_t group = 0; piece != 0 && group < kRowGroups; ++group) {
            const std::vector<std::uint32_t> &before = order.cuts[piece - 1].before[group];
            for (std::size_t row = 0; row < before.size(); ++row)
                next[firstRow[group] + row] += before[row];
        }
        for (std::size_t i = begin(piece); i < end(piece); ++i) {
            const std::uint32_t position = order.events[i];
            const auto group = static_cast<std::size_t>(rowGroupOf(events[position].kind()));
            ids[i] = next[firstRow[group] + order.depth[i]]++;
            columns.idOfFileIndex[fileIndex[position]] = EventId{ids[i]};
        }
    });
    parallelFor(pieces, workers, [&](std::size_t piece) {
        for (std::size_t i = begin(piece); i < end(piece); ++i) {
            const std::uint32_t parent = order.parent[i];
            columns.events.parent[ids[i]] = parent == LaneOrder::kNone ? kNoEvent : EventId{ids[parent]};
        }
    });
    for (const auto &[launch, op] : order.operatorOfLaunch)
        placed.operatorOfLaunch.emplace_back(EventId{ids[launch]}, EventId{ids[op]});
    placed.islands = std::move(order.islands);
    placed.overlaps = order.overlaps;
    if (order.overlaps != 0)
        placed.firstOverlap = fileIndex[order.firstOverlap];
    return placed;
}

// What only some events have; joined afterwards.
struct Extras
{
    LargeArray<std::pair<EventId, TimeNs>> longDurations;
    std::vector<EventId> unfinished;
};

// The columns of the events of a part that come straight from the file.
void writeColumns(const RawEvents::Part &part, const LanesOfEvents &lanesOf, std::int64_t origin, EventColumns &columns,
                  Extras &extras)
{
    EventTable &table = columns.events;
    std::uint32_t position = part.first;
    for (const RawEvent &event : part.events) {
        const EventId id = columns.idOfFileIndex[position];
        const std::size_t at = index(id);
        table.begin[at] = saturatingSubtract(event.begin, origin);
        const TimeNs duration = part.durations.of(event);
        if (duration < TimeNs{EventTable::kLong}) {
            table.duration[at] = static_cast<std::uint32_t>(duration);
        } else {
            table.duration[at] = EventTable::kLong;
            extras.longDurations.emplace_back(id, duration);
        }
        table.name[at] = part.nameOf(event);
        table.category[at] = lanesOf.places[part.placeOf(event)].category;
        table.fileIndex[at] = position++;
        const std::uint64_t offset = part.base + event.offset;
        table.recordOffsetLow[at] = static_cast<std::uint32_t>(offset);
        table.recordOffsetHigh[at] = static_cast<std::uint8_t>(offset >> 32U);
        if (event.isUnfinished)
            extras.unfinished.push_back(id);
    }
}

// Rows of all lanes, and what was met while they were put in order.
void joinLanes(const std::vector<PlacedLane> &placed, const std::vector<std::size_t> &firstEvent,
               std::vector<Lane> &lanes, EventColumns &columns)
{
    LargeArray<std::pair<EventId, EventId>> operatorOfLaunch;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const PlacedLane &lane = placed[i];
        lanes[i].firstEvent = static_cast<EventId>(firstEvent[i]);
        lanes[i].endEvent = static_cast<EventId>(firstEvent[i + 1]);
        lanes[i].firstRow = static_cast<RowId>(columns.rows.size());
        columns.rows.insert(columns.rows.end(), lane.rows.begin(), lane.rows.end());
        lanes[i].endRow = static_cast<RowId>(columns.rows.size());
        operatorOfLaunch.insert(operatorOfLaunch.end(), lane.operatorOfLaunch.begin(), lane.operatorOfLaunch.end());
        columns.islands.insert(columns.islands.end(), lane.islands.begin(), lane.islands.end());
        columns.overlaps += lane.overlaps;
    }
    columns.operatorOfLaunch = SparseColumn<EventId>::fromPairs(std::move(operatorOfLaunch));
}

void joinExtras(const std::vector<Extras> &extras, EventTable &table)
{
    LargeArray<std::pair<EventId, TimeNs>> longDurations;
    for (const Extras &extra : extras) {
        longDurations.insert(longDurations.end(), extra.longDurations.begin(), extra.longDurations.end());
        table.unfinished.insert(table.unfinished.end(), extra.unfinished.begin(), extra.unfinished.end());
    }
    std::sort(table.unfinished.begin(), table.unfinished.end());
    table.longDurations = SparseColumn<TimeNs>::fromPairs(std::move(longDurations));
}

} // namespace

EventColumns buildColumns(RawEvents raw, std::vector<Lane> &lanes, const LanesOfEvents &lanesOf, std::int64_t origin,
                          unsigned workers, const std::function<void()> &throwIfStopped)
{
    EventColumns columns;
    const std::size_t count = raw.size();
    columns.idOfFileIndex.resize(count);
    columns.events.parent.resize(count);
    {
        const EventsByLane events = sortByLane(raw, lanes.size(), lanesOf, workers, throwIfStopped);
        // The longest lanes first, so that no worker ends up alone with one.
        std::vector<std::size_t> bySize(lanes.size());
        std::iota(bySize.begin(), bySize.end(), std::size_t{0});
        std::stable_sort(bySize.begin(), bySize.end(),
                         [&](std::size_t a, std::size_t b) { return events.of(a).size() > events.of(b).size(); });
        std::vector<PlacedLane> placed(lanes.size());
        parallelFor(lanes.size(), workers, [&](std::size_t i) {
            const std::size_t lane = bySize[i];
            placed[lane] = placeLane(static_cast<LaneId>(lane), events, orderLane(events.of(lane), throwIfStopped),
                                     workers, columns);
        });
        joinLanes(placed, events.first, lanes, columns);
        for (const PlacedLane &lane : placed) {
            if (lane.overlaps != 0)
                columns.firstOverlap = std::min(columns.firstOverlap, raw.recordOffset(lane.firstOverlap));
        }
    }
    EventTable &table = columns.events;
    table.begin.resize(count);
    table.duration.resize(count);
    table.name.resize(count);
    table.category.resize(count);
    table.fileIndex.resize(count);
    table.recordOffsetLow.resize(count);
    table.recordOffsetHigh.resize(count);
    std::vector<RawEvents::Part> &parts = raw.parts();
    std::vector<Extras> extras(parts.size());
    parallelFor(parts.size(), workers, [&](std::size_t i) {
        throwIfStopped();
        writeColumns(parts[i], lanesOf, origin, columns, extras[i]);
        parts[i].events = {};
    });
    joinExtras(extras, table);
    return columns;
}

} // namespace ks
