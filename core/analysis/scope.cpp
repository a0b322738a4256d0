// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/scope.h"

#include "core/analysis/step_table.h"
#include "core/base/intervals.h"
#include "core/base/name_match.h"
#include "core/base/parse_number.h"

#include <algorithm>

namespace ks {
namespace {

template<typename T>
bool holds(const std::vector<T> &list, const T &value)
{
    return std::find(list.begin(), list.end(), value) != list.end();
}

std::optional<TimeRange> boundsOf(const Trace &trace, const Scope &scope)
{
    if (!scope.from && !scope.to)
        return {};
    const auto timeOf = [&](const std::optional<Scope::TimeBound> &bound, TimeNs otherwise) {
        if (!bound)
            return otherwise;
        return bound->isSinceStart ? TimeNs{bound->ns} : trace.traceTime(FileTimeNs{bound->ns});
    };
    return TimeRange{timeOf(scope.from, kMinTime), timeOf(scope.to, kMaxTime)};
}

} // namespace

bool Scope::includesRank(std::optional<std::int64_t> rank) const
{
    return ranks.empty() || (rank && holds(ranks, *rank));
}

bool Scope::restrictsLanes() const
{
    return !lanes.empty()
           || std::any_of(parts.begin(), parts.end(), [](const Part &part) { return !part.lanes.empty(); });
}

std::optional<Scope::TimeBound> parseTimeBound(std::string_view text)
{
    if (const auto ns = parseInteger(text))
        return Scope::TimeBound{*ns, false};
    if (const auto ns = parseDuration(text))
        return Scope::TimeBound{*ns, true};
    return {};
}

TraceScope::TraceScope(const Trace &trace, const Scope &scope)
    : m_trace(trace)
    , m_steps(scope.steps.has_value())
    , m_filters(scope.events != nullptr)
    , m_events(scope.events ? scope.events->of(trace) : nullptr)
    , m_range(boundsOf(trace, scope))
    , m_lanes(trace.lanes().size(), true)
{
    if (m_steps) {
        std::vector<TimeRange> ranges;
        for (const Step &step : stepsOf(trace, scope.stepPattern)) {
            if (step.number >= scope.steps->first && step.number <= scope.steps->last)
                ranges.push_back(step.range);
        }
        m_stepRanges = merged(std::move(ranges));
    }
    const auto part = std::find_if(scope.parts.begin(), scope.parts.end(),
                                   [&trace](const Scope::Part &p) { return p.trace == &trace; });
    const bool hasPart = part != scope.parts.end();
    if (hasPart && part->range)
        m_range = m_range ? m_range->clampedTo(*part->range) : *part->range;
    if (!scope.parts.empty() && !hasPart) {
        m_lanes.assign(m_lanes.size(), false);
        m_allLanes = false;
        m_restrictsLanes = true;
        return;
    }
    findLanes(scope, hasPart ? &*part : nullptr);
}

void TraceScope::findLanes(const Scope &scope, const Scope::Part *part)
{
    m_restrictsLanes = !scope.lanes.empty() || (part && !part->lanes.empty());
    if (part && !part->lanes.empty()) {
        m_lanes.assign(m_lanes.size(), false);
        for (const LaneId lane : part->lanes)
            m_lanes[index(lane)] = true;
    }
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const Lane &lane = m_trace.lanes()[i];
        const bool isDevice = scope.devices.empty() || (lane.device && holds(scope.devices, *lane.device));
        const bool isNamed =
            scope.lanes.empty() || std::any_of(scope.lanes.begin(), scope.lanes.end(), [&](const std::string &name) {
                return containsIgnoringCase(lane.name, name);
            });
        m_lanes[i] = m_lanes[i] && isDevice && isNamed;
        m_allLanes = m_allLanes && m_lanes[i];
    }
}

bool TraceScope::startsInSteps(TimeNs time) const
{
    const auto after = std::upper_bound(m_stepRanges.begin(), m_stepRanges.end(), time,
                                        [](TimeNs wanted, const TimeRange &range) { return wanted < range.begin; });
    return after != m_stepRanges.begin() && std::prev(after)->contains(time);
}

std::optional<TimeRange> TraceScope::part(EventId event) const
{
    const bool goesByLaunch = m_steps && isDeviceWork(m_trace.kind(event));
    return workPart(event, goesByLaunch ? m_trace.launchLink(event).launch : kNoEvent, m_trace.range(event));
}

std::optional<TimeRange> TraceScope::selectedPart(EventId work, EventId launch, TimeRange range) const
{
    if (m_filters && (!m_events || !(*m_events)[index(work)]))
        return {};
    if (m_steps && !startsInSteps(m_trace.begin(launch != kNoEvent ? launch : work)))
        return {};
    return partInRange(range);
}

std::optional<TimeRange> TraceScope::cutPart(TimeRange range) const
{
    const bool isInside = range.isEmpty() ? m_range->contains(range.begin) : m_range->intersects(range);
    if (!isInside)
        return {};
    return range.clampedTo(*m_range);
}

} // namespace ks
