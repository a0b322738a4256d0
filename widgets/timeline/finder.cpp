// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/finder.h"

#include "core/base/busy_time.h"
#include "widgets/jobs/background_release.h"
#include "widgets/timeline/filter_text.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace ks {
namespace {

FoundInTrace findIn(const Trace &trace, const Filter &filter, const std::string &stepPattern, Found &all,
                    const Progress &progress)
{
    FoundInTrace found;
    const Bits matches = matchesOf(filter, trace, stepPattern, progress);
    std::vector<TimeRange> ranges;
    for (std::size_t i = 0; i < matches.size(); ++i) {
        if (!matches[i])
            continue;
        const auto id = static_cast<EventId>(i);
        found.events.push_back(id);
        ranges.push_back(trace.range(id));
        all.sum = saturatingAdd(all.sum, trace.duration(id));
    }
    all.count += found.events.size();
    progress.throwIfStopped();
    found.byTime = found.events;
    std::stable_sort(found.byTime.begin(), found.byTime.end(),
                     [&trace](EventId a, EventId b) { return trace.begin(a) < trace.begin(b); });
    progress.throwIfStopped();
    const BusyTime busy(std::move(ranges));
    for (const TimeRange range : busy.ranges())
        all.busy = saturatingAdd(all.busy, range.duration());
    return found;
}

} // namespace

Finder::Finder(ViewState &state, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_found(std::make_shared<const Found>())
{
    connect(&state, &ViewState::tracesChanged, this, &Finder::run);
    connect(&state, &ViewState::selectionChanged, this, [this] { m_current = 0; });
}

void Finder::search(const QString &query)
{
    if (query == m_query)
        return;
    m_query = query;
    run();
}

void Finder::run()
{
    m_job.cancel();
    m_current = 0;
    m_wantedStep = 0;
    m_error.clear();
    m_found = std::make_shared<const Found>();
    if (m_query.trimmed().isEmpty() || m_state.traces().isEmpty()) {
        emit changed();
        return;
    }
    FilterFault fault;
    const std::shared_ptr<const Filter> filter = filterOfText(m_query, fault);
    if (!filter) {
        m_error = fault.why;
        emit changed();
        return;
    }
    std::vector<std::shared_ptr<const Trace>> traces;
    for (std::uint32_t i = 0; i < m_state.traces().size(); ++i)
        traces.push_back(m_state.traces().share(i));
    m_job.run(
        [traces, filter, pattern = m_state.stepPattern()](const Progress &progress) {
            auto found = std::make_shared<Found>();
            for (const auto &trace : traces)
                found->traces.push_back(findIn(*trace, *filter, pattern, *found, progress));
            return releasedInBackground<Found>(std::move(found));
        },
        [this](std::shared_ptr<const Found> found) {
            m_found = std::move(found);
            emit changed();
            if (const int wanted = std::exchange(m_wantedStep, 0))
                step(wanted);
        },
        [this](const JobError &error) {
            m_error = QString::fromStdString(error.message);
            emit changed();
        });
    emit changed();
}

Finder::Hit Finder::hit(std::size_t trace, std::size_t position) const
{
    const auto t = static_cast<std::uint32_t>(trace);
    const EventId event = m_found->traces[trace].byTime[position];
    return {t, event, saturatingAdd(m_state.traces().at(t).begin(event), m_state.traces().offset(t))};
}

// Hits are ordered by (begin in view time, trace, event).
std::size_t Finder::numberOf(Hit wanted) const
{
    std::size_t number = 1;
    for (std::size_t t = 0; t < m_found->traces.size(); ++t) {
        const auto &events = m_found->traces[t].byTime;
        std::size_t low = 0;
        std::size_t high = events.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            const Hit at = hit(t, middle);
            if (std::tuple(at.begin, at.trace, at.event) < std::tuple(wanted.begin, wanted.trace, wanted.event))
                low = middle + 1;
            else
                high = middle;
        }
        number += low;
    }
    return number;
}

std::size_t Finder::step(int direction)
{
    if (isSearching())
        m_wantedStep = direction;
    if (m_found->count == 0)
        return 0;
    Hit from{0, direction > 0 ? EventId{0} : kNoEvent, m_state.visibleRange().begin};
    bool fromEvent = false;
    if (const EventRef *selected = selectedEvent(m_state.selection());
        selected && m_state.traces().isValid(*selected)) {
        from = {selected->trace, selected->event, m_state.traces().range(*selected).begin};
        fromEvent = true;
    }
    const auto key = [](const Hit &h) { return std::tuple(h.begin, h.trace, h.event); };
    std::optional<Hit> best, first, last;
    for (std::size_t t = 0; t < m_found->traces.size(); ++t) {
        const auto &events = m_found->traces[t].byTime;
        if (events.empty())
            continue;
        const Hit front = hit(t, 0);
        const Hit back = hit(t, events.size() - 1);
        if (!first || key(front) < key(*first))
            first = front;
        if (!last || key(back) > key(*last))
            last = back;
        // The first beyond `from`, or the last before it.
        std::size_t low = 0;
        std::size_t high = events.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            const Hit at = hit(t, middle);
            const bool isBefore = direction > 0 && fromEvent ? key(at) <= key(from) : key(at) < key(from);
            if (isBefore)
                low = middle + 1;
            else
                high = middle;
        }
        if (direction > 0 ? low == events.size() : low == 0)
            continue;
        const Hit candidate = hit(t, direction > 0 ? low : low - 1);
        if (!best || (direction > 0 ? key(candidate) < key(*best) : key(candidate) > key(*best)))
            best = candidate;
    }
    const Hit target = best ? *best : direction > 0 ? *first : *last;
    m_state.reveal(m_state.traces().ref(target.trace, target.event));
    m_current = numberOf(target);
    emit changed();
    return m_current;
}

} // namespace ks
