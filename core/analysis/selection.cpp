// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection.h"

#include "core/analysis/intervals.h"
#include "core/analysis/step_table.h"
#include "core/base/name_match.h"

#include <algorithm>

namespace ks {

bool Selection::includesRank(std::optional<std::int64_t> rank) const
{
    return ranks.empty() || (rank && std::find(ranks.begin(), ranks.end(), *rank) != ranks.end());
}

TraceSelection::TraceSelection(const Trace &trace, const Selection &selection)
    : m_trace(trace)
    , m_selection(selection)
    , m_steps(selection.steps.has_value())
    , m_lanes(trace.lanes().size(), true)
{
    if (m_steps) {
        std::vector<TimeRange> ranges;
        for (const Step &step : stepsOf(trace, selection.stepPattern)) {
            if (step.number >= selection.steps->first && step.number <= selection.steps->last)
                ranges.push_back(step.range);
        }
        m_stepRanges = merged(std::move(ranges));
    }
    if (selection.from || selection.to) {
        const auto timeOf = [&](const std::optional<Selection::TimeBound> &bound, TimeNs otherwise) {
            if (!bound)
                return otherwise;
            return bound->isSinceStart ? TimeNs{bound->ns} : trace.traceTime(FileTimeNs{bound->ns});
        };
        m_range = TimeRange{timeOf(selection.from, kMinTime), timeOf(selection.to, kMaxTime)};
    }
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const Lane &lane = trace.lanes()[i];
        const bool isDevice = selection.devices.empty()
                              || (lane.device
                                  && std::find(selection.devices.begin(), selection.devices.end(), *lane.device)
                                         != selection.devices.end());
        const bool isNamed =
            selection.lanes.empty()
            || std::any_of(selection.lanes.begin(), selection.lanes.end(),
                           [&](const std::string &part) { return containsIgnoringCase(lane.name, part); });
        m_lanes[i] = isDevice && isNamed;
        m_allLanes = m_allLanes && m_lanes[i];
    }
}

bool TraceSelection::startsInSteps(TimeNs time) const
{
    const auto after = std::upper_bound(m_stepRanges.begin(), m_stepRanges.end(), time,
                                        [](TimeNs wanted, const TimeRange &range) { return wanted < range.begin; });
    return after != m_stepRanges.begin() && std::prev(after)->contains(time);
}

std::optional<TimeRange> TraceSelection::part(EventId event) const
{
    if (m_selection.filter && !m_selection.filter(m_trace, event))
        return {};
    const TimeRange range = m_trace.range(event);
    if (m_steps) {
        EventId starter = event;
        if (isDeviceWork(m_trace.kind(event))) {
            const LaunchLink link = m_trace.launchLink(event);
            if (link.launch != kNoEvent)
                starter = link.launch;
        }
        if (!startsInSteps(m_trace.begin(starter)))
            return {};
    }
    if (!m_range)
        return range;
    const bool isInside = range.isEmpty() ? m_range->contains(range.begin) : m_range->intersects(range);
    if (!isInside)
        return {};
    return range.clampedTo(*m_range);
}

} // namespace ks
