// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/launch_links.h"

#include "core/base/merge_runs.h"
#include "core/index/lane_cursor.h"
#include "core/index/number_table.h"

#include <algorithm>
#include <unordered_map>

namespace ks {
namespace {

// The process groups of events: one for all in nearly every file.
class Groups
{
public:
    Groups(const Trace &trace, std::span<const std::uint32_t> groupOfLane)
        : m_groupOfLane(groupOfLane)
        , m_isOne(std::all_of(groupOfLane.begin(), groupOfLane.end(), [](std::uint32_t group) { return group == 0; }))
        , m_lanes(trace)
    {}
    // The group and an id that is unique within it.
    std::uint64_t keyOf(EventId event, std::uint32_t id)
    {
        return m_isOne ? id : (std::uint64_t{m_groupOfLane[index(m_lanes.laneOf(event))]} << 32U) | id;
    }

private:
    std::span<const std::uint32_t> m_groupOfLane;
    bool m_isOne;
    LaneCursor m_lanes;
};

class Linker
{
public:
    Linker(const Trace &trace, const LinkInput &input)
        : m_trace(trace)
        , m_input(input)
    {}

    LinkResult run()
    {
        collectCorrelations();
        LargeArray<std::pair<EventId, LaunchLink>> links = linkByCorrelation();
        linkByExternalId(links);
        LargeArray<std::pair<EventId, EventId>> byLaunch;
        LargeArray<std::pair<EventId, EventId>> byOperator;
        byLaunch.reserve(links.size());
        for (const auto &[work, link] : links) {
            if (link.launch != kNoEvent)
                byLaunch.emplace_back(link.launch, work);
            else if (link.op != kNoEvent)
                byOperator.emplace_back(link.op, work);
        }
        const auto beginsBefore = [&](EventId a, EventId b) {
            return std::pair(m_trace.begin(a), a) < std::pair(m_trace.begin(b), b);
        };
        m_result.links.ofWork = SparseColumn<LaunchLink>::fromPairs(std::move(links));
        m_result.links.workOfLaunch = EventPairs::fromPairs(std::move(byLaunch), beginsBefore);
        m_result.links.workOfOperator = EventPairs::fromPairs(std::move(byOperator), beginsBefore);
        m_result.links.launches = launchesInOrder();
        return std::move(m_result);
    }

private:
    void collectCorrelations()
    {
        Groups groups(m_trace, m_input.groupOfLane);
        LargeArray<std::pair<std::uint64_t, EventId>> ofLaunches;
        LargeArray<std::pair<EventId, std::uint32_t>> ofWork;
        ofLaunches.reserve(m_input.correlations.size());
        ofWork.reserve(m_input.correlations.size());
        m_input.correlations.forEach([&](std::uint32_t position, std::uint32_t value) {
            const EventId event = m_input.idOfFileIndex[position];
            const EventKind kind = m_trace.kind(event);
            if (kind == EventKind::Launch && value != 0)
                ofLaunches.emplace_back(groups.keyOf(event, value), event);
            else if (isDeviceWork(kind))
                ofWork.emplace_back(event, value);
        });
        m_launches = EventsOfNumber([&](auto visit) {
            for (const auto &[number, event] : ofLaunches)
                visit(number, event);
        });
        m_correlationOfWork = SparseColumn<std::uint32_t>::fromPairs(std::move(ofWork));
        LargeArray<std::pair<EventId, std::uint64_t>> told;
        told.reserve(m_correlationOfWork.size());
        for (std::size_t i = 0; i < m_correlationOfWork.size(); ++i) {
            if (const std::uint64_t raw = m_input.rawId(m_correlationOfWork.values()[i]); raw != 0)
                told.emplace_back(m_correlationOfWork.ids()[i], raw);
        }
        m_result.links.correlation = SparseColumn<std::uint64_t>::fromPairs(std::move(told));
    }

    // All device work, by id, and the launches that the correlations tell.
    LargeArray<std::pair<EventId, LaunchLink>> linkByCorrelation()
    {
        LargeArray<std::pair<EventId, LaunchLink>> links;
        links.reserve(m_correlationOfWork.size());
        Groups groups(m_trace, m_input.groupOfLane);
        std::size_t next = 0; // in the correlations, which are by id too
        for (const Lane &lane : m_trace.lanes()) {
            if (lane.kind != LaneKind::Gpu)
                continue;
            for (EventId work = lane.firstEvent; work < lane.endEvent; work = advance(work, 1)) {
                if (!isDeviceWork(m_trace.kind(work)))
                    continue;
                while (next < m_correlationOfWork.size() && m_correlationOfWork.ids()[next] < work)
                    ++next; // of async tracks
                LaunchLink link;
                if (next < m_correlationOfWork.size() && m_correlationOfWork.ids()[next] == work) {
                    const std::uint32_t correlation = m_correlationOfWork.values()[next++];
                    if (correlation != 0)
                        link = linkOf(work, groups.keyOf(work, correlation));
                }
                links.emplace_back(work, link);
            }
        }
        return links;
    }

    LaunchLink linkOf(EventId work, std::uint64_t key)
    {
        const EventId launch = launchOf(work, key);
        if (launch == kNoEvent)
            return {};
        if (m_trace.begin(work) < m_trace.begin(launch) && m_result.skewed++ == 0)
            m_result.firstSkewed = work;
        return {launch, operatorOf(launch), LinkVia::Correlation};
    }

    EventId operatorOf(EventId launch) const
    {
        const EventId parent = m_trace.parent(launch);
        if (parent == kNoEvent || m_trace.kind(parent) == EventKind::Operator)
            return parent;
        return m_input.operatorOfLaunch.value(launch, kNoEvent);
    }

    // What has no launch in the file.
    void linkByExternalId(LargeArray<std::pair<EventId, LaunchLink>> &links)
    {
        if (std::all_of(links.begin(), links.end(), [](const auto &entry) { return entry.second.launch != kNoEvent; }))
            return;
        Groups groups(m_trace, m_input.groupOfLane);
        const SparseColumn<std::uint32_t> externalIds = externalIdsOfWork();
        const NumberTable operators(
            [&](auto visit) {
                if (externalIds.isEmpty())
                    return;
                m_input.externalIds.forEach([&](std::uint32_t position, std::uint32_t value) {
                    const EventId event = m_input.idOfFileIndex[position];
                    if (m_trace.kind(event) == EventKind::Operator)
                        visit(groups.keyOf(event, value), event);
                });
            },
            [](EventId, EventId) { return false; });
        for (auto &[work, link] : links) {
            if (link.launch != kNoEvent)
                continue;
            const std::uint32_t *external = externalIds.find(work);
            const std::uint32_t *correlation = m_correlationOfWork.find(work);
            if (external && (!correlation || *correlation != *external)) {
                const EventId op = operators.find(groups.keyOf(work, *external));
                if (op != kNoEvent)
                    link = {kNoEvent, op, LinkVia::ExternalId};
            }
            if (link.op == kNoEvent && correlation && m_result.orphans++ == 0)
                m_result.firstOrphan = work;
        }
    }

    // Empty where they say nothing about operators: exporters of torch 1.12 to 2.3 wrote the correlation id into the field.
    SparseColumn<std::uint32_t> externalIdsOfWork() const
    {
        LargeArray<std::pair<EventId, std::uint32_t>> ofWork;
        std::uint64_t both = 0;
        std::uint64_t equal = 0;
        m_input.externalIds.forEach([&](std::uint32_t position, std::uint32_t value) {
            const EventId event = m_input.idOfFileIndex[position];
            if (!isDeviceWork(m_trace.kind(event)))
                return;
            ofWork.emplace_back(event, value);
            const std::uint32_t *correlation = m_correlationOfWork.find(event);
            both += correlation ? 1 : 0;
            equal += correlation && *correlation == value ? 1 : 0;
        });
        if (equal * 100 > both * 99)
            return {};
        return SparseColumn<std::uint32_t>::fromPairs(std::move(ofWork));
    }

    EventId launchOf(EventId work, std::uint64_t key) const
    {
        const std::span<const EventId> calls = m_launches.of(key);
        if (calls.size() == 1)
            return calls.front();
        if (calls.size() > kManyCalls)
            return launchOfMany(work, key, calls);
        // Of nested calls the outermost; of calls that have nothing to do with each other the last one that began before the work did.
        EventId best = kNoEvent;
        for (const EventId call : calls) {
            if (best == kNoEvent) {
                best = call;
                continue;
            }
            const TimeRange a = m_trace.range(best);
            const TimeRange b = m_trace.range(call);
            const bool nested = m_trace.lane(best) == m_trace.lane(call) && (a.contains(b) || b.contains(a));
            const bool better =
                nested ? b.duration() > a.duration()
                       : b.begin <= m_trace.begin(work) && (b.begin > a.begin || a.begin > m_trace.begin(work));
            if (better)
                best = call;
        }
        return best;
    }

    // The same where one id was used a thousand times: the last that began before the work, then the outermost around it.
    EventId launchOfMany(EventId work, std::uint64_t key, std::span<const EventId> calls) const
    {
        const auto [entry, isNew] = m_manyCalls.try_emplace(key);
        ManyCalls &many = entry->second;
        if (isNew) {
            many.byBegin.assign(calls.begin(), calls.end());
            many.byId = many.byBegin;
            std::sort(many.byId.begin(), many.byId.end());
            std::stable_sort(many.byBegin.begin(), many.byBegin.end(),
                             [&](EventId a, EventId b) { return m_trace.begin(a) < m_trace.begin(b); });
        }
        const auto after = std::upper_bound(many.byBegin.begin(), many.byBegin.end(), m_trace.begin(work),
                                            [&](TimeNs time, EventId call) { return time < m_trace.begin(call); });
        EventId best = after == many.byBegin.begin() ? many.byBegin.front() : *std::prev(after);
        EventId above = m_trace.parent(best);
        for (std::size_t levels = 0; above != kNoEvent && levels < kManyCalls;
             ++levels, above = m_trace.parent(above)) {
            if (std::binary_search(many.byId.begin(), many.byId.end(), above))
                best = above;
        }
        return best;
    }

    LargeArray<EventId> launchesInOrder() const
    {
        LargeArray<EventId> launches(m_result.links.workOfLaunch.from().begin(),
                                     m_result.links.workOfLaunch.from().end());
        launches.erase(std::unique(launches.begin(), launches.end()), launches.end());
        // Ids go lane by lane, within one row by row.
        const auto isBefore = [&](EventId a, EventId b) {
            return std::pair(m_trace.begin(a), a) < std::pair(m_trace.begin(b), b);
        };
        for (auto first = launches.begin(); first != launches.end();) {
            const EventId end = m_trace.lane(m_trace.lane(*first)).endEvent;
            const auto last = std::lower_bound(first, launches.end(), end);
            std::span ofLane(first, last);
            std::vector<std::size_t> runs;
            for (std::size_t i = 1; i < ofLane.size(); ++i) {
                if (isBefore(ofLane[i], ofLane[i - 1]))
                    runs.push_back(i);
            }
            runs.push_back(ofLane.size());
            mergeRuns(ofLane, std::move(runs), isBefore);
            first = last;
        }
        return launches;
    }

    static constexpr std::size_t kManyCalls = 64;
    struct ManyCalls
    {
        std::vector<EventId> byBegin;
        std::vector<EventId> byId;
    };

    const Trace &m_trace;
    const LinkInput &m_input;
    LinkResult m_result;
    mutable std::unordered_map<std::uint64_t, ManyCalls> m_manyCalls; // by key
    EventsOfNumber m_launches;
    SparseColumn<std::uint32_t> m_correlationOfWork;
};

} // namespace

LinkResult linkLaunches(const Trace &trace, const LinkInput &input)
{
    return Linker(trace, input).run();
}

} // namespace ks
