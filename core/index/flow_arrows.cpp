// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/flow_arrows.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>

namespace ks {
namespace {

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

// Innermost event open at `time`: the one that began last, of those the shortest.
EventId enclosingAt(const Trace &trace, LaneId lane, TimeNs time, EventId best)
{
    for (const Row &row : rowsOf(trace, lane)) {
        const EventId event = lastBegunBy(trace, row, time);
        if (event == kNoEvent || (trace.end(event) <= time && trace.begin(event) != time))
            continue;
        const bool isInner = best == kNoEvent
                             || std::tuple(trace.begin(event), -trace.duration(event)) >= std::tuple(trace.begin(best), -trace.duration(best));
        if (isInner)
            best = event;
    }
    return best;
}

EventId nextAt(const Trace &trace, LaneId lane, TimeNs time, EventId best)
{
    for (const Row &row : rowsOf(trace, lane)) {
        const EventId before = lastBegunBy(trace, row, saturatingSubtract(time, 1));
        const EventId event = before == kNoEvent ? row.firstEvent : advance(before, 1);
        if (event < row.endEvent && (best == kNoEvent || trace.begin(event) < trace.begin(best)))
            best = event;
    }
    return best;
}

EventId bind(const Trace &trace, const FlowRecord &record, std::span<const TrackLanes> lanesOfTrack)
{
    if (record.phase == 'I' || record.phase == 'O')
        return record.before;
    const TrackLanes lanes = lanesOfTrack[record.track];
    if (record.before != kNoEvent && trace.begin(record.before) == record.time) {
        const LaneId lane = trace.lane(record.before);
        if (lane == lanes.host || lane == lanes.device)
            return record.before;
    }
    if (!record.bindsToEnclosing)
        return nextAt(trace, lanes.device, record.time, nextAt(trace, lanes.host, record.time, kNoEvent));
    return enclosingAt(trace, lanes.device, record.time, enclosingAt(trace, lanes.host, record.time, kNoEvent));
}

// Arrows of these categories go from a launch to device work; the exporter also writes them on every other runtime call.
bool isLaunchFlow(std::string_view category)
{
    return category == "ac2g" || category == "async_cpu_to_gpu" || category == "async_gpu";
}

class ArrowBuilder
{
public:
    ArrowBuilder(const Trace &trace, std::span<const TrackLanes> lanesOfTrack)
        : m_trace(trace)
        , m_lanesOfTrack(lanesOfTrack)
    {}

    // Records of one chain, in file order.
    void addChain(std::vector<FlowRecord> chain)
    {
        const bool isBindId = chain.front().phase == 'I' || chain.front().phase == 'O';
        const auto starts = std::count_if(chain.begin(), chain.end(), [](const FlowRecord &record) { return record.phase == 's'; });
        // An id that is used again starts a new chain at each s. With a single s its ends belong to it even when clocks are skewed.
        if (starts != 1 || isBindId)
            std::stable_sort(chain.begin(), chain.end(), [](const FlowRecord &a, const FlowRecord &b) { return a.time < b.time; });
        else
            std::stable_partition(chain.begin(), chain.end(), [](const FlowRecord &record) { return record.phase == 's'; });
        if (isBindId)
            addBindId(chain);
        else
            addSteps(chain);
    }

    Arrows take()
    {
        const auto order = [](const Arrow &a, const Arrow &b) { return std::tuple(a.from, a.to) < std::tuple(b.from, b.to); };
        std::stable_sort(m_arrows.all.begin(), m_arrows.all.end(), order);
        m_arrows.byTarget.resize(m_arrows.all.size());
        std::iota(m_arrows.byTarget.begin(), m_arrows.byTarget.end(), 0U);
        std::stable_sort(m_arrows.byTarget.begin(), m_arrows.byTarget.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return m_arrows.all[a].to < m_arrows.all[b].to; });
        return std::move(m_arrows);
    }

private:
    void addSteps(const std::vector<FlowRecord> &chain)
    {
        EventId from = kNoEvent;
        bool started = false; // an s that waits for its partner
        bool used = false;
        for (const FlowRecord &record : chain) {
            const EventId event = bind(m_trace, record, m_lanesOfTrack);
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
        if (isLaunchFlow(nameText(category)) && !(m_trace.kind(from) == EventKind::Launch && isDeviceWork(m_trace.kind(to))))
            return;
        m_arrows.all.push_back({from, to, category});
    }

    const Trace &m_trace;
    std::span<const TrackLanes> m_lanesOfTrack;
    Arrows m_arrows;
};

} // namespace

Arrows bindFlows(const Trace &trace, std::vector<FlowRecord> records, std::span<const TrackLanes> lanesOfTrack)
{
    const auto sameChain = [](const FlowRecord &a, const FlowRecord &b) { return a.category == b.category && a.chain == b.chain; };
    std::stable_sort(records.begin(), records.end(), [](const FlowRecord &a, const FlowRecord &b) {
        return std::tuple(a.category, a.chain) < std::tuple(b.category, b.chain);
    });
    ArrowBuilder builder(trace, lanesOfTrack);
    for (auto first = records.begin(); first != records.end();) {
        const auto last = std::find_if_not(first, records.end(), [&](const FlowRecord &record) { return sameChain(*first, record); });
        builder.addChain({first, last});
        first = last;
    }
    return builder.take();
}

} // namespace ks
