// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/event_columns.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <numeric>

namespace ks {
namespace {

// The events lane by lane, within one in file order. Their `track` is now their position in the file.
struct LaneEvents
{
    LargeArray<RawEvent> events;
    std::vector<std::size_t> first; // by lane, one more than lanes

    std::span<const RawEvent> of(std::size_t lane) const
    {
        return std::span(events).subspan(first[lane], first[lane + 1] - first[lane]);
    }
};

// Stretches of the file are counted and moved in parallel, part by part; each part is freed behind.
LaneEvents sortByLane(RawEvents raw, std::size_t lanes, unsigned workers, const std::function<void()> &throwIfStopped)
{
    std::vector<RawEvents::Part> &parts = raw.parts();
    const std::size_t stretches = std::min<std::size_t>(workerCount(workers), std::max<std::size_t>(parts.size(), 1));
    const auto partsOf = [&](std::size_t stretch) {
        const std::size_t begin = parts.size() * stretch / stretches;
        return std::span(parts).subspan(begin, parts.size() * (stretch + 1) / stretches - begin);
    };
    std::vector<std::vector<std::size_t>> next(stretches); // by lane: how many events, then where they go
    parallelFor(stretches, workers, [&](std::size_t stretch) {
        next[stretch].assign(lanes, 0);
        for (const RawEvents::Part &part : partsOf(stretch)) {
            throwIfStopped();
            for (const RawEvent &event : part.events)
                ++next[stretch][event.track];
        }
    });
    LaneEvents sorted;
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
    parallelFor(stretches, workers, [&](std::size_t stretch) {
        for (RawEvents::Part &part : partsOf(stretch)) {
            throwIfStopped();
            std::uint32_t position = part.first;
            for (const RawEvent &event : part.events) {
                RawEvent &to = sorted.events[next[stretch][event.track]++];
                to = event;
                to.track = position++;
            }
            part.events = {};
        }
    });
    return sorted;
}

// What only some events have; joined afterwards.
struct Extras
{
    std::vector<std::pair<EventId, TimeNs>> longDurations;
    std::vector<EventId> unfinished;
};

// A lane with its rows and the ids of its events.
struct PlacedLane
{
    LaneOrder order;
    std::vector<Row> rows;
    std::span<const std::uint32_t> ids; // by position in order.events
};

// Row by row, within a row by begin. The ids take the room of the depths.
PlacedLane placeLane(LaneId lane, std::size_t firstId, LaneOrder order)
{
    PlacedLane placed;
    std::array<std::size_t, kRowGroups + 1> firstRow{};
    for (std::size_t group = 0; group < kRowGroups; ++group)
        firstRow[group + 1] = firstRow[group] + order.depths[group];
    const auto rowOf = [&](std::size_t i) {
        return firstRow[static_cast<std::size_t>(order.group[i])] + order.depth[i];
    };
    std::vector<std::size_t> next(firstRow.back() + 1, 0);
    for (std::size_t i = 0; i < order.events.size(); ++i)
        ++next[rowOf(i) + std::size_t{1}];
    next.front() = firstId;
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::size_t group = 0; group < kRowGroups; ++group) {
        for (std::uint32_t depth = 0; depth < order.depths[group]; ++depth) {
            const std::size_t row = firstRow[group] + depth;
            placed.rows.push_back({lane, static_cast<RowGroup>(group), depth, static_cast<EventId>(next[row]),
                                   static_cast<EventId>(next[row + 1])});
        }
    }
    for (std::size_t i = 0; i < order.events.size(); ++i)
        order.depth[i] = static_cast<std::uint32_t>(next[rowOf(i)]++);
    placed.order = std::move(order);
    placed.ids = placed.order.depth;
    return placed;
}

class ColumnWriter
{
public:
    ColumnWriter(std::size_t count, std::int64_t origin, EventColumns &columns)
        : m_origin(origin)
        , m_columns(columns)
    {
        EventTable &table = columns.events;
        table.begin.resize(count);
        table.duration.resize(count);
        table.name.resize(count);
        table.category.resize(count);
        table.parent.resize(count);
        table.fileIndex.resize(count);
        table.recordOffsetLow.resize(count);
        table.recordOffsetHigh.resize(count);
        columns.idOfFileIndex.resize(count);
    }

    void write(EventId id, const RawEvent &event, EventId parent, Extras &extras)
    {
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
        table.fileIndex[at] = event.track;
        table.recordOffsetLow[at] = event.offset;
        table.recordOffsetHigh[at] = event.offsetHigh;
        m_columns.idOfFileIndex[event.track] = id;
        if ((event.flags & RawEvent::kUnfinished) != 0)
            extras.unfinished.push_back(id);
    }

private:
    std::int64_t m_origin;
    EventColumns &m_columns;
};

// Some events of a lane, in its order.
struct Stretch
{
    std::size_t lane = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::vector<Stretch> stretchesOf(const LaneEvents &events, std::size_t lanes)
{
    constexpr std::size_t kMost = std::size_t{1} << 16U;
    std::vector<Stretch> stretches;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t count = events.of(lane).size();
        for (std::size_t begin = 0; begin < count; begin += kMost)
            stretches.push_back({lane, begin, std::min(count, begin + kMost)});
    }
    return stretches;
}

// Rows of all lanes, and what was met while they were put in order.
void joinLanes(std::vector<PlacedLane> &placed, const LaneEvents &events, std::vector<Lane> &lanes,
               EventColumns &columns)
{
    std::vector<std::pair<EventId, EventId>> operatorOfLaunch;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const PlacedLane &lane = placed[i];
        lanes[i].firstEvent = static_cast<EventId>(events.first[i]);
        lanes[i].endEvent = static_cast<EventId>(events.first[i + 1]);
        lanes[i].firstRow = static_cast<RowId>(columns.rows.size());
        columns.rows.insert(columns.rows.end(), lane.rows.begin(), lane.rows.end());
        lanes[i].endRow = static_cast<RowId>(columns.rows.size());
        for (const auto &[launch, op] : lane.order.operatorOfLaunch)
            operatorOfLaunch.emplace_back(EventId{lane.ids[launch]}, EventId{lane.ids[op]});
        columns.islands.insert(columns.islands.end(), lane.order.islands.begin(), lane.order.islands.end());
        columns.overlaps += lane.order.overlaps;
        columns.firstOverlap = std::min(columns.firstOverlap, lane.order.firstOverlap);
    }
    columns.operatorOfLaunch = SparseColumn<EventId>::fromPairs(std::move(operatorOfLaunch));
}

} // namespace

EventColumns buildColumns(RawEvents raw, std::vector<Lane> &lanes, std::span<const EventKind> kindOfCategory,
                          std::int64_t origin, unsigned workers, const std::function<void()> &throwIfStopped)
{
    EventColumns columns;
    const LaneEvents events = sortByLane(std::move(raw), lanes.size(), workers, throwIfStopped);
    // The longest lanes first, so that no worker ends up alone with one.
    std::vector<std::size_t> bySize(lanes.size());
    std::iota(bySize.begin(), bySize.end(), std::size_t{0});
    std::stable_sort(bySize.begin(), bySize.end(),
                     [&](std::size_t a, std::size_t b) { return events.of(a).size() > events.of(b).size(); });
    std::vector<PlacedLane> placed(lanes.size());
    parallelFor(lanes.size(), workers, [&](std::size_t i) {
        const std::size_t lane = bySize[i];
        placed[lane] = placeLane(static_cast<LaneId>(lane), events.first[lane],
                                 orderLane(events.of(lane), kindOfCategory, throwIfStopped));
    });

    ColumnWriter writer(events.events.size(), origin, columns);
    const std::vector<Stretch> stretches = stretchesOf(events, lanes.size());
    std::vector<Extras> extras(stretches.size());
    parallelFor(stretches.size(), workers, [&](std::size_t s) {
        throwIfStopped();
        const Stretch &stretch = stretches[s];
        const PlacedLane &lane = placed[stretch.lane];
        const std::span<const RawEvent> ofLane = events.of(stretch.lane);
        for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
            const std::uint32_t parent = lane.order.parent[i];
            writer.write(EventId{lane.ids[i]}, ofLane[lane.order.events[i]],
                         parent == LaneOrder::kNone ? kNoEvent : EventId{lane.ids[parent]}, extras[s]);
        }
    });
    joinLanes(placed, events, lanes, columns);
    std::vector<std::pair<EventId, TimeNs>> longDurations;
    for (const Extras &extra : extras) {
        longDurations.insert(longDurations.end(), extra.longDurations.begin(), extra.longDurations.end());
        columns.events.unfinished.insert(columns.events.unfinished.end(), extra.unfinished.begin(),
                                         extra.unfinished.end());
    }
    std::sort(columns.events.unfinished.begin(), columns.events.unfinished.end());
    columns.events.longDurations = SparseColumn<TimeNs>::fromPairs(std::move(longDurations));
    return columns;
}

} // namespace ks
