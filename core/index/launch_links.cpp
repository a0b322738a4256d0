// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/launch_links.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace ks {
namespace {

struct Keyed
{
    std::uint64_t key = 0; // process group and id
    EventId event = kNoEvent;
};

bool byKey(const Keyed &a, const Keyed &b)
{
    return a.key < b.key;
}

// Exporters count ids upwards: most files hold them in order.
void sortByKey(std::vector<Keyed> &entries)
{
    if (!std::is_sorted(entries.begin(), entries.end(), byKey))
        std::stable_sort(entries.begin(), entries.end(), byKey);
}

std::span<const Keyed> withKey(const std::vector<Keyed> &sorted, std::uint64_t key)
{
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), Keyed{key, kNoEvent}, byKey);
    return {first, last};
}

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
        collectExternalIds();
        std::vector<std::pair<EventId, LaunchLink>> links;
        std::vector<std::pair<EventId, EventId>> byLaunch;
        std::vector<std::pair<EventId, EventId>> byOperator;
        for (const EventId work : deviceWork()) {
            const LaunchLink link = linkOf(work);
            links.emplace_back(work, link);
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
        m_result.links.correlation = SparseColumn<std::uint64_t>::fromPairs(std::move(m_rawCorrelations));
        return std::move(m_result);
    }

private:
    std::uint64_t keyOf(EventId event, std::uint32_t value) const
    {
        return (std::uint64_t{m_input.groupOfLane[index(m_trace.lane(event))]} << 32U) | value;
    }

    void collectCorrelations()
    {
        std::vector<std::pair<EventId, std::uint32_t>> ofWork;
        m_input.correlations.forEach([&](std::uint32_t position, std::uint32_t value) {
            const EventId event = m_input.idOfFileIndex[position];
            const EventKind kind = m_trace.kind(event);
            if (kind == EventKind::Launch && value != 0) {
                m_launches.push_back({keyOf(event, value), event});
            } else if (isDeviceWork(kind)) {
                ofWork.emplace_back(event, value);
                if (const std::uint64_t raw = m_input.rawId(value); raw != 0)
                    m_rawCorrelations.emplace_back(event, raw);
            }
        });
        sortByKey(m_launches);
        m_correlationOfWork = SparseColumn<std::uint32_t>::fromPairs(std::move(ofWork));
    }

    void collectExternalIds()
    {
        std::vector<std::pair<EventId, std::uint32_t>> ofWork;
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
        // Exporters of torch 1.12 to 2.3 wrote the correlation id into the field: it then says nothing about operators.
        if (ofWork.empty() || equal * 100 > both * 99)
            return;
        m_input.externalIds.forEach([&](std::uint32_t position, std::uint32_t value) {
            const EventId event = m_input.idOfFileIndex[position];
            if (m_trace.kind(event) == EventKind::Operator)
                m_operators.push_back({keyOf(event, value), event});
        });
        m_externalIdOfWork = SparseColumn<std::uint32_t>::fromPairs(std::move(ofWork));
        sortByKey(m_operators);
    }

    std::vector<EventId> deviceWork() const
    {
        std::vector<EventId> work;
        for (const Lane &lane : m_trace.lanes()) {
            if (lane.kind != LaneKind::Gpu)
                continue;
            for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
                if (isDeviceWork(m_trace.kind(id)))
                    work.push_back(id);
            }
        }
        return work;
    }

    LaunchLink linkOf(EventId work)
    {
        const std::uint32_t *correlation = m_correlationOfWork.find(work);
        if (correlation && *correlation != 0) {
            if (const EventId launch = launchOf(work, keyOf(work, *correlation)); launch != kNoEvent) {
                if (m_trace.begin(work) < m_trace.begin(launch) && m_result.skewed++ == 0)
                    m_result.firstSkewed = work;
                return {launch, m_input.operatorOfLaunch.value(launch, kNoEvent), LinkVia::Correlation};
            }
        }
        const std::uint32_t *external = m_externalIdOfWork.find(work);
        if (external && (!correlation || *correlation != *external)) {
            const std::span<const Keyed> named = withKey(m_operators, keyOf(work, *external));
            if (!named.empty())
                return {kNoEvent, named.front().event, LinkVia::ExternalId};
        }
        if (correlation && m_result.orphans++ == 0)
            m_result.firstOrphan = work;
        return {};
    }

    EventId launchOf(EventId work, std::uint64_t key) const
    {
        const std::span<const Keyed> calls = withKey(m_launches, key);
        if (calls.size() == 1)
            return calls.front().event;
        if (calls.size() > kManyCalls)
            return launchOfMany(work, key, calls);
        // Of nested calls the outermost; of calls that have nothing to do with each other the last one that began before the work did.
        EventId best = kNoEvent;
        for (const Keyed &call : calls) {
            if (best == kNoEvent) {
                best = call.event;
                continue;
            }
            const TimeRange a = m_trace.range(best);
            const TimeRange b = m_trace.range(call.event);
            const bool nested = m_trace.lane(best) == m_trace.lane(call.event) && (a.contains(b) || b.contains(a));
            const bool better =
                nested ? b.duration() > a.duration()
                       : b.begin <= m_trace.begin(work) && (b.begin > a.begin || a.begin > m_trace.begin(work));
            if (better)
                best = call.event;
        }
        return best;
    }

    // The same where one id was used a thousand times: the last that began before the work, then the outermost around it.
    EventId launchOfMany(EventId work, std::uint64_t key, std::span<const Keyed> calls) const
    {
        const auto [entry, isNew] = m_manyCalls.try_emplace(key);
        ManyCalls &many = entry->second;
        if (isNew) {
            for (const Keyed &call : calls)
                many.byBegin.push_back(call.event);
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

    std::vector<EventId> launchesInOrder() const
    {
        std::vector<EventId> launches(m_result.links.workOfLaunch.from().begin(),
                                      m_result.links.workOfLaunch.from().end());
        launches.erase(std::unique(launches.begin(), launches.end()), launches.end());
        std::sort(launches.begin(), launches.end(), [&](EventId a, EventId b) {
            const LaneId laneA = m_trace.lane(a);
            const LaneId laneB = m_trace.lane(b);
            return std::tuple(laneA, m_trace.begin(a), a) < std::tuple(laneB, m_trace.begin(b), b);
        });
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
    std::vector<Keyed> m_launches;
    std::vector<Keyed> m_operators;
    SparseColumn<std::uint32_t> m_correlationOfWork;
    SparseColumn<std::uint32_t> m_externalIdOfWork;
    std::vector<std::pair<EventId, std::uint64_t>> m_rawCorrelations;
};

} // namespace

LinkResult linkLaunches(const Trace &trace, const LinkInput &input)
{
    return Linker(trace, input).run();
}

} // namespace ks
