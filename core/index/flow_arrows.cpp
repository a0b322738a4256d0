// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/flow_arrows.h"

#include "core/index/number_table.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

namespace ks {
namespace {

struct FlowRecord
{
    TimeNs time = 0; // trace time
    NameId category = kNoName;
    EventId before = kNoEvent; // the event whose record stands right before this one
    std::uint32_t track = 0;
    char phase = 's';
    bool bindsToEnclosing = true;
};

// The last event of the row that begins at or before `time`, or kNoEvent.
EventId lastBegunBy(const Trace &trace, const Row &row, TimeNs time)
{
    const auto &begins = trace.events().begin;
    const auto first = begins.begin() + static_cast<std::ptrdiff_t>(index(row.firstEvent));
    const auto last = begins.begin() + static_cast<std::ptrdiff_t>(index(row.endEvent));
    const auto after = std::upper_bound(first, last, time);
    return after == first ? kNoEvent : static_cast<EventId>(after - begins.begin() - 1);
}

std::span<const Row> rowsOf(const Trace &trace, LaneId lane)
{
    if (lane == kNoLane)
        return {};
    const Lane &where = trace.lane(lane);
    return trace.rows().subspan(index(where.firstRow), distance(where.firstRow, where.endRow));
}

bool isInnerThan(const Trace &trace, EventId event, EventId best)
{
    return best == kNoEvent
           || std::tuple(trace.begin(event), -trace.duration(event))
                  >= std::tuple(trace.begin(best), -trace.duration(best));
}

// The events of a lane by begin, with a tree of their latest ends: for lanes so deep that looking at each of their rows would be slow.
class DeepLane
{
public:
    static constexpr std::size_t kManyRows = 64;

    DeepLane(const Trace &trace, const Lane &lane)
        : m_trace(trace)
    {
        for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1))
            m_events.push_back(id);
        std::sort(m_events.begin(), m_events.end(), [&](EventId a, EventId b) {
            return std::tuple(trace.begin(a), -trace.duration(a), a)
                   < std::tuple(trace.begin(b), -trace.duration(b), b);
        });
        m_leaves = std::bit_ceil(m_events.size());
        m_latest.assign(m_leaves * 2, kMinTime);
        for (std::size_t i = 0; i < m_events.size(); ++i)
            m_latest[m_leaves + i] = trace.end(m_events[i]);
        for (std::size_t node = m_leaves - 1; node != 0; --node)
            m_latest[node] = std::max(m_latest[node * 2], m_latest[node * 2 + 1]);
    }

    EventId enclosing(TimeNs time) const
    {
        const auto after = std::upper_bound(m_events.begin(), m_events.end(), time,
                                            [&](TimeNs t, EventId event) { return t < m_trace.begin(event); });
        if (after == m_events.begin())
            return kNoEvent;
        if (m_trace.begin(*std::prev(after)) == time)
            return *std::prev(after);
        // The last before `after` that ends later than `time`: up to the left, then down to the right.
        std::size_t node = m_leaves + static_cast<std::size_t>(after - m_events.begin()) - 1;
        while (m_latest[node] <= time) {
            while (node != 0 && (node & 1U) == 0)
                node /= 2;
            if (node <= 1)
                return kNoEvent;
            --node;
        }
        while (node < m_leaves)
            node = m_latest[node * 2 + 1] > time ? node * 2 + 1 : node * 2;
        return m_events[node - m_leaves];
    }
    EventId next(TimeNs time) const
    {
        const auto at = std::lower_bound(m_events.begin(), m_events.end(), time,
                                         [&](EventId event, TimeNs t) { return m_trace.begin(event) < t; });
        return at == m_events.end() ? kNoEvent : *at;
    }

private:
    const Trace &m_trace;
    std::vector<EventId> m_events;
    std::vector<TimeNs> m_latest;
    std::size_t m_leaves = 1;
};

// Made when they are first asked for.
class DeepLanes
{
public:
    explicit DeepLanes(const Trace &trace)
        : m_trace(trace)
    {}
    const DeepLane *find(LaneId id)
    {
        if (id == kNoLane)
            return nullptr;
        const Lane &lane = m_trace.lane(id);
        if (distance(lane.firstRow, lane.endRow) <= DeepLane::kManyRows)
            return nullptr;
        return &m_lanes.try_emplace(id, m_trace, lane).first->second;
    }

private:
    const Trace &m_trace;
    std::map<LaneId, DeepLane> m_lanes;
};

// Innermost event open at `time`: the one that began last, of those the shortest.
EventId enclosingAt(const Trace &trace, DeepLanes &deep, LaneId lane, TimeNs time, EventId best)
{
    if (const DeepLane *known = deep.find(lane)) {
        const EventId event = known->enclosing(time);
        return event != kNoEvent && isInnerThan(trace, event, best) ? event : best;
    }
    for (const Row &row : rowsOf(trace, lane)) {
        const EventId event = lastBegunBy(trace, row, time);
        if (event == kNoEvent || (trace.end(event) <= time && trace.begin(event) != time))
            continue;
        if (isInnerThan(trace, event, best))
            best = event;
    }
    return best;
}

EventId nextAt(const Trace &trace, DeepLanes &deep, LaneId lane, TimeNs time, EventId best)
{
    if (const DeepLane *known = deep.find(lane)) {
        const EventId event = known->next(time);
        return event != kNoEvent && (best == kNoEvent || trace.begin(event) < trace.begin(best)) ? event : best;
    }
    for (const Row &row : rowsOf(trace, lane)) {
        const EventId before = lastBegunBy(trace, row, saturatingSubtract(time, 1));
        const EventId event = before == kNoEvent ? row.firstEvent : advance(before, 1);
        if (event < row.endEvent && (best == kNoEvent || trace.begin(event) < trace.begin(best)))
            best = event;
    }
    return best;
}

EventId bind(const Trace &trace, DeepLanes &deep, const FlowRecord &record, std::span<const TrackLanes> lanesOfTrack)
{
    if (record.phase == 'I' || record.phase == 'O')
        return record.before;
    const TrackLanes lanes = lanesOfTrack[record.track];
    const auto standsOn = [&](LaneId lane) {
        return lane != kNoLane && record.before >= trace.lane(lane).firstEvent
               && record.before < trace.lane(lane).endEvent;
    };
    if (record.before != kNoEvent && trace.begin(record.before) == record.time
        && (standsOn(lanes.host) || standsOn(lanes.device)))
        return record.before;
    if (!record.bindsToEnclosing)
        return nextAt(trace, deep, lanes.device, record.time, nextAt(trace, deep, lanes.host, record.time, kNoEvent));
    return enclosingAt(trace, deep, lanes.device, record.time,
                       enclosingAt(trace, deep, lanes.host, record.time, kNoEvent));
}

// Arrows of these categories go from a launch to device work; the exporter also writes them on every other runtime call.
bool isLaunchFlow(std::string_view category)
{
    return category == "ac2g" || category == "async_cpu_to_gpu" || category == "async_gpu";
}

// Positions of the flow records, chain by chain, within one in file order. Exporters count the ids of chains: they are sorted by counting
// where they are close together.
LargeArray<std::uint32_t> chainByChain(const FlowInput &input)
{
    const std::span<const RawFlow> flows = input.flows;
    const auto kindOf = [&](const RawFlow &flow) { return std::pair(flow.category, input.groupOfTrack[flow.track]); };
    struct Ids // of a category in a process group
    {
        NumberRange range;
        std::uint64_t firstPlace = 0; // of the least id
    };
    std::map<std::pair<std::uint16_t, std::uint32_t>, Ids> kinds;
    auto last = kinds.end();
    const auto idsOf = [&](const RawFlow &flow) -> Ids & {
        const auto kind = kindOf(flow);
        if (last == kinds.end() || last->first != kind)
            last = kinds.try_emplace(kind).first;
        return last->second;
    };
    for (const RawFlow &flow : flows)
        idsOf(flow).range.add(flow.id);
    std::uint64_t places = 0;
    bool isDense = true;
    for (auto &[kind, ids] : kinds) {
        ids.firstPlace = places;
        places += ids.range.places();
        isDense = isDense && ids.range.isDense();
    }
    LargeArray<std::uint32_t> order(flows.size());
    if (!isDense) {
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(kindOf(flows[a]), flows[a].id) < std::pair(kindOf(flows[b]), flows[b].id);
        });
        return order;
    }
    const auto placeOf = [&](const RawFlow &flow) {
        const Ids &ids = idsOf(flow);
        return static_cast<std::size_t>(ids.firstPlace + (flow.id - ids.range.least));
    };
    LargeArray<std::uint32_t> next;
    next.assign(static_cast<std::size_t>(places) + 1, 0);
    for (const RawFlow &flow : flows)
        ++next[placeOf(flow) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::uint32_t i = 0; i < flows.size(); ++i)
        order[next[placeOf(flows[i])]++] = i;
    return order;
}

class ArrowBuilder
{
public:
    ArrowBuilder(const Trace &trace, std::span<const TrackLanes> lanesOfTrack)
        : m_trace(trace)
        , m_lanesOfTrack(lanesOfTrack)
        , m_deep(trace)
    {}

    // Records of one chain, in file order; they are put in another.
    void addChain(std::vector<FlowRecord> &chain)
    {
        const bool isBindId = chain.front().phase == 'I' || chain.front().phase == 'O';
        const auto starts =
            std::count_if(chain.begin(), chain.end(), [](const FlowRecord &record) { return record.phase == 's'; });
        // An id that is used again starts a new chain at each s. With a single s its ends belong to it even when clocks are skewed.
        if (starts != 1 || isBindId)
            std::stable_sort(chain.begin(), chain.end(),
                             [](const FlowRecord &a, const FlowRecord &b) { return a.time < b.time; });
        else if (chain.front().phase != 's')
            std::stable_partition(chain.begin(), chain.end(),
                                  [](const FlowRecord &record) { return record.phase == 's'; });
        if (isBindId)
            addBindId(chain);
        else
            addSteps(chain);
    }

    Arrows take()
    {
        LargeArray<Arrow> &all = m_arrows.all;
        radixSort(all, [](const Arrow &arrow) { return static_cast<std::uint32_t>(arrow.from); });
        // The numbers of categories depend on who scanned what.
        const auto isBeforeOfSame = [](const Arrow &a, const Arrow &b) {
            return a.to != b.to ? a.to < b.to : nameText(a.category) < nameText(b.category);
        };
        for (auto first = all.begin(); first != all.end();) { // most events send one
            const auto end =
                std::find_if(first, all.end(), [&](const Arrow &arrow) { return arrow.from != first->from; });
            if (end - first > 1)
                std::stable_sort(first, end, isBeforeOfSame);
            first = end;
        }
        LargeArray<std::pair<EventId, std::uint32_t>> byTarget;
        byTarget.reserve(all.size());
        for (const Arrow &arrow : all)
            byTarget.emplace_back(arrow.to, static_cast<std::uint32_t>(byTarget.size()));
        sortById(byTarget);
        m_arrows.byTarget.reserve(byTarget.size());
        for (const auto &[to, arrow] : byTarget)
            m_arrows.byTarget.push_back(arrow);
        return std::move(m_arrows);
    }

private:
    void addSteps(const std::vector<FlowRecord> &chain)
    {
        EventId from = kNoEvent;
        bool started = false; // an s that waits for its partner
        bool used = false;
        for (const FlowRecord &record : chain) {
            const EventId event = bind(m_trace, m_deep, record, m_lanesOfTrack);
            if (record.phase == 's') {
                m_arrows.danglingEnds += started && !used ? 1 : 0;
                from = event;
                started = true;
                used = false;
            } else if (!started) {
                ++m_arrows.danglingEnds;
            } else {
                used = true;
                addArrow(from, event, record.category);
                if (record.phase == 't')
                    from = event;
            }
        }
        m_arrows.danglingEnds += started && !used ? 1 : 0;
    }

    // An event may both receive and send: "in" comes before "out" on the same event.
    void addBindId(const std::vector<FlowRecord> &chain)
    {
        EventId from = kNoEvent;
        for (const FlowRecord &record : chain) {
            if (record.phase == 'I' && from != kNoEvent)
                addArrow(from, record.before, record.category);
            if (record.phase == 'O')
                from = record.before;
        }
    }

    void addArrow(EventId from, EventId to, NameId category)
    {
        if (from == kNoEvent || to == kNoEvent || from == to)
            return;
        if (category != m_category) {
            m_category = category;
            m_isLaunchFlow = isLaunchFlow(nameText(category));
        }
        if (m_isLaunchFlow && !(m_trace.kind(from) == EventKind::Launch && isDeviceWork(m_trace.kind(to))))
            return;
        m_arrows.all.push_back({from, to, category});
    }

    const Trace &m_trace;
    std::span<const TrackLanes> m_lanesOfTrack;
    DeepLanes m_deep;
    Arrows m_arrows;
    NameId m_category = kNoName; // of the arrow before
    bool m_isLaunchFlow = false;
};

} // namespace

Arrows bindFlows(const Trace &trace, const FlowInput &input)
{
    const LargeArray<std::uint32_t> order = chainByChain(input);
    ArrowBuilder builder(trace, input.lanesOfTrack);
    std::vector<FlowRecord> chain;
    for (std::size_t i = 0; i < order.size();) {
        const RawFlow &first = input.flows[order[i]];
        chain.clear();
        for (; i < order.size(); ++i) {
            const RawFlow &flow = input.flows[order[i]];
            if (flow.id != first.id || flow.category != first.category
                || input.groupOfTrack[flow.track] != input.groupOfTrack[first.track])
                break;
            chain.push_back({saturatingSubtract(flow.time, input.origin), input.categories[flow.category],
                             flow.eventsBefore == 0 ? kNoEvent : input.idOfFileIndex[flow.eventsBefore - 1], flow.track,
                             flow.phase, flow.bindsToEnclosing});
        }
        builder.addChain(chain);
    }
    return builder.take();
}

} // namespace ks
