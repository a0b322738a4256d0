// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/event_list.h"

#include "core/analysis/modules.h"
#include "core/analysis/nearest_above.h"
#include "core/base/radix_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace ks {
namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

// All events of a trace by begin, then in the order of the file.
struct EventsByBegin
{
    std::vector<std::uint32_t> order;
};

std::uint64_t sortable(std::int64_t number)
{
    return static_cast<std::uint64_t>(number) ^ (std::uint64_t{1} << 63U);
}

const EventsByBegin &eventsByBegin(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<EventsByBegin>([&] {
        const EventTable &events = trace.events();
        EventsByBegin result;
        result.order.resize(events.size());
        std::iota(result.order.begin(), result.order.end(), 0U);
        std::vector<std::uint64_t> keys(events.fileIndex.begin(), events.fileIndex.end());
        radixOrder(keys, result.order, progress);
        for (std::size_t i = 0; i < keys.size(); ++i)
            keys[i] = sortable(events.begin[result.order[i]]);
        radixOrder(keys, result.order, progress);
        return result;
    });
}

// Names as numbers that sort like their texts.
class NameRanks
{
public:
    void add(NameId name)
    {
        if (name == kNoName)
            return;
        if (index(name) >= m_rank.size())
            m_rank.resize(index(name) * 2 + 1, 0);
        if (m_rank[index(name)] == 0) {
            m_rank[index(name)] = 1;
            m_names.push_back(name);
        }
    }
    void finish()
    {
        std::sort(m_names.begin(), m_names.end(), [](NameId a, NameId b) { return nameText(a) < nameText(b); });
        for (std::uint32_t i = 0; i < m_names.size(); ++i)
            m_rank[index(m_names[i])] = i;
    }
    std::uint64_t of(NameId name) const { return name == kNoName ? kUnknown : m_rank[index(name)]; }

private:
    std::vector<std::uint32_t> m_rank; // by name
    std::vector<NameId> m_names;
};

bool isOperator(const Trace &trace, EventId event)
{
    return trace.kind(event) == EventKind::Operator;
}

bool isModule(const Trace &trace, EventId event)
{
    return trace.kind(event) == EventKind::Python && trace.name(event).starts_with(kModulePrefix);
}

// Where device work was started, and everything else is.
EventId starterOf(const Trace &trace, EventId event)
{
    if (!isDeviceWork(trace.kind(event)))
        return event;
    const LaunchLink link = trace.launchLink(event);
    return link.launch != kNoEvent ? link.launch : link.op;
}

// Name of what is around each event of a list.
template<typename Around>
std::vector<NameId> namesAround(const EventList &list, Around around, const Progress &progress)
{
    std::vector<NameId> names(list.size(), kNoName);
    for (std::size_t t = 0; t < list.traces.size(); ++t) {
        const Trace &trace = *list.traces[t].trace;
        progress.throwIfStopped();
        auto find = around(trace);
        for (std::size_t i = list.first[t]; i < list.first[t + 1]; ++i) {
            const EventId found = find(list.events[i]);
            names[i] = found != kNoEvent ? trace.nameId(found) : kNoName;
        }
    }
    return names;
}

auto operatorsOf(const Trace &trace)
{
    auto above = NearestAbove(
        trace, [&trace](EventId event) { return isOperator(trace, event); },
        [&trace](EventId event) { return trace.parent(event); });
    return [&trace, above = std::move(above)](EventId event) mutable {
        return isDeviceWork(trace.kind(event)) ? trace.launchLink(event).op : above(event);
    };
}

auto modulesOf(const Trace &trace)
{
    auto above = NearestAbove(
        trace, [&trace](EventId event) { return isModule(trace, event); },
        [&trace](EventId event) { return trace.parent(event); });
    return [&trace, above = std::move(above)](EventId event) mutable {
        const EventId starter = starterOf(trace, event);
        return starter != kNoEvent ? above(starter) : kNoEvent;
    };
}

class SortKeys
{
public:
    SortKeys(const EventList &list, EventColumn column, const Progress &progress)
        : m_list(list)
        , m_column(column)
        , m_progress(progress)
    {}

    // kUnknown where nothing is known.
    std::vector<std::uint64_t> make()
    {
        switch (m_column) {
        case EventColumn::Name: {
            std::vector<NameId> names(m_list.size());
            fill(names, [](const Trace &trace, std::size_t, EventId event) { return trace.nameId(event); });
            return ranked(names);
        }
        case EventColumn::Operator:
            return ranked(namesAround(
                m_list, [](const Trace &trace) { return operatorsOf(trace); }, m_progress));
        case EventColumn::Module:
            return ranked(namesAround(
                m_list, [](const Trace &trace) { return modulesOf(trace); }, m_progress));
        case EventColumn::Category: {
            std::vector<NameId> names(m_list.size());
            fill(names, [](const Trace &trace, std::size_t, EventId event) {
                return trace.categories()[index(trace.events().category[index(event)])].text;
            });
            return ranked(names);
        }
        case EventColumn::Lane:
            return numbers([](const Trace &trace, std::size_t t, EventId event) {
                return (static_cast<std::uint64_t>(t) << 32U) | index(trace.lane(event));
            });
        case EventColumn::Start:
            return numbers([](const Trace &trace, std::size_t, EventId event) {
                return sortable(static_cast<std::int64_t>(trace.fileTime(trace.begin(event))));
            });
        case EventColumn::Duration:
            return numbers(
                [](const Trace &trace, std::size_t, EventId event) { return sortable(trace.duration(event)); });
        case EventColumn::Self:
            return numbers(
                [](const Trace &trace, std::size_t, EventId event) { return sortable(trace.selfTime(event)); });
        case EventColumn::Step:
            return numbers([this](const Trace &trace, std::size_t t, EventId event) {
                const Step *step = stepOf(trace, m_list.steps[t], event);
                return step ? sortable(step->number) : kUnknown;
            });
        }
        return {};
    }

private:
    template<typename Cells, typename Cell>
    void fill(Cells &cells, Cell cell) const
    {
        for (std::size_t t = 0; t < m_list.traces.size(); ++t) {
            const Trace &trace = *m_list.traces[t].trace;
            for (std::size_t i = m_list.first[t]; i < m_list.first[t + 1]; ++i) {
                if ((i & 0xffffU) == 0)
                    m_progress.throwIfStopped();
                cells[i] = cell(trace, t, m_list.events[i]);
            }
        }
    }
    template<typename Cell>
    std::vector<std::uint64_t> numbers(Cell cell) const
    {
        std::vector<std::uint64_t> keys(m_list.size());
        fill(keys, cell);
        return keys;
    }
    static std::vector<std::uint64_t> ranked(const std::vector<NameId> &names)
    {
        NameRanks ranks;
        for (const NameId name : names)
            ranks.add(name);
        ranks.finish();
        std::vector<std::uint64_t> keys(names.size());
        for (std::size_t i = 0; i < names.size(); ++i)
            keys[i] = ranks.of(names[i]);
        return keys;
    }

    const EventList &m_list;
    EventColumn m_column;
    const Progress &m_progress;
};

} // namespace

std::size_t EventList::traceOf(std::size_t position) const
{
    return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), position) - first.begin()) - 1;
}

std::optional<std::size_t> EventList::find(std::size_t at, EventId event) const
{
    const Trace &of = *traces[at].trace;
    const auto from = events.begin() + static_cast<std::ptrdiff_t>(first[at]);
    const auto to = events.begin() + static_cast<std::ptrdiff_t>(first[at + 1]);
    const auto place = [&of](EventId id) { return std::tuple(of.begin(id), of.fileIndex(id)); };
    const auto found =
        std::lower_bound(from, to, event, [&place](EventId a, EventId b) { return place(a) < place(b); });
    if (found == to || *found != event)
        return {};
    return static_cast<std::size_t>(found - events.begin());
}

EventList listEvents(std::span<const RankTrace> traces, const Scope &scope, std::vector<std::vector<Step>> steps,
                     const Progress &progress)
{
    EventList list;
    list.steps = std::move(steps);
    list.steps.resize(traces.size());
    for (std::size_t t = 0; t < traces.size(); ++t) {
        const Trace &trace = *traces[t].trace;
        list.traces.push_back(traces[t]);
        if (scope.includesRank(traces[t].rank)) {
            const std::vector<std::uint32_t> &order = eventsByBegin(trace, progress).order;
            const TraceScope part(trace, scope);
            const auto id = [](std::uint32_t position) { return static_cast<EventId>(position); };
            if (part.isEverything()) {
                std::transform(order.begin(), order.end(), std::back_inserter(list.events), id);
            } else {
                // Looked at in the order of the columns, then taken in the order of time.
                std::vector<bool> selected(trace.eventCount(), false);
                std::size_t count = 0;
                for (std::size_t l = 0; l < trace.lanes().size(); ++l) {
                    if (!part.includesLane(static_cast<LaneId>(l)))
                        continue;
                    progress.throwIfStopped();
                    const Lane &lane = trace.lanes()[l];
                    for (EventId event = lane.firstEvent; event < lane.endEvent; event = advance(event, 1)) {
                        selected[index(event)] = part.part(event).has_value();
                        count += selected[index(event)] ? 1U : 0U;
                    }
                }
                list.events.reserve(list.events.size() + count);
                for (const std::uint32_t position : order) {
                    if (selected[position])
                        list.events.push_back(id(position));
                }
            }
        }
        list.first.push_back(list.events.size());
    }
    return list;
}

std::vector<std::uint32_t> sortedPositions(const EventList &list, EventColumn column, bool ascending,
                                           const Progress &progress)
{
    std::vector<std::uint64_t> keys = SortKeys(list, column, progress).make();
    std::uint64_t least = kUnknown;
    std::uint64_t most = 0;
    for (const std::uint64_t key : keys) {
        least = std::min(least, key);
        most = key != kUnknown ? std::max(most, key) : most;
    }
    for (std::uint64_t &key : keys) // from 0, so that few bits differ; unknown ones behind all others
        key = key == kUnknown ? most - std::min(least, most) + 1 : ascending ? key - least : most - key;
    std::vector<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    radixOrder(keys, order, progress);
    return order;
}

const Step *stepOf(const Trace &trace, std::span<const Step> steps, EventId event)
{
    constexpr std::ptrdiff_t kOverlapping = 16; // steps of several processes in one file run side by side
    const EventId launch = isDeviceWork(trace.kind(event)) ? trace.launchLink(event).launch : kNoEvent;
    const TimeNs begin = trace.begin(launch != kNoEvent ? launch : event);
    const auto after = std::upper_bound(steps.begin(), steps.end(), begin,
                                        [](TimeNs time, const Step &step) { return time < step.range.begin; });
    for (auto at = after; at != after - std::min(after - steps.begin(), kOverlapping);) {
        --at;
        if (at->range.contains(begin))
            return &*at;
    }
    return nullptr;
}

EventId operatorAround(const Trace &trace, EventId event)
{
    if (isDeviceWork(trace.kind(event)))
        return trace.launchLink(event).op;
    do
        event = trace.parent(event);
    while (event != kNoEvent && !isOperator(trace, event));
    return event;
}

EventId moduleAround(const Trace &trace, EventId event)
{
    event = starterOf(trace, event);
    while (event != kNoEvent) {
        event = trace.parent(event);
        if (event != kNoEvent && isModule(trace, event))
            break;
    }
    return event;
}

Table eventTable(const EventList &list, std::span<const std::uint32_t> order)
{
    Table table;
    const bool withRank = list.traces.size() > 1; // ids are those of one trace
    if (withRank)
        table.integers("rank", Unit::Number);
    const std::size_t first = table.columns().size();
    table.integers("id", Unit::Id);
    table.names("name");
    table.names("category");
    table.texts("kind");
    table.integers("lane", Unit::Id);
    table.integers("start_ns", Unit::Ns);
    table.integers("dur_ns", Unit::Ns);
    table.integers("self_ns", Unit::Ns);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::size_t position = order.empty() ? i : order[i];
        const RankTrace &rank = list.traces[list.traceOf(position)];
        const Trace &trace = *rank.trace;
        const EventId id = list.events[position];
        if (withRank)
            table.column(0).append(rank.rank);
        table.column(first).append(trace.fileIndex(id));
        table.column(first + 1).append(trace.nameId(id));
        table.column(first + 2).append(trace.categories()[index(trace.events().category[index(id)])].text);
        table.column(first + 3).append(eventKindId(trace.kind(id)));
        table.column(first + 4).append(index(trace.lane(id)));
        table.column(first + 5).append(static_cast<std::int64_t>(trace.fileTime(trace.begin(id))));
        table.column(first + 6).append(trace.duration(id));
        table.column(first + 7).append(trace.selfTime(id));
    }
    return table;
}

} // namespace ks
