// SPDX-License-Identifier: GPL-3.0-or-later
// What an analysis looks at: some ranks, steps or a range of time, devices, lanes.
// Steps select host events that start in them and the device work they launched (work without a launch: by its own start). A range of time
// selects by overlap: sums, unions and self times use the part inside, calls count the events that start inside.
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ks {

// One trace of a run.
struct RankTrace
{
    std::shared_ptr<const Trace> trace;
    std::optional<std::int64_t> rank; // told by the file, else its position among several
};

struct Selection
{
    struct StepRange
    {
        std::int64_t first = 0;
        std::int64_t last = 0;
    };
    struct TimeBound
    {
        std::int64_t ns = 0;
        bool isSinceStart = false; // else file time
    };

    std::optional<StepRange> steps;
    std::optional<TimeBound> from;
    std::optional<TimeBound> to;
    std::vector<std::int64_t> ranks;
    std::vector<std::int64_t> devices;
    std::string stepPattern;        // what a step is: a regular expression, "auto", or "" for ProfilerStep#N
    std::vector<std::string> lanes; // part of the name, ASCII case ignored
    std::function<bool(const Trace &, EventId)> filter; // further events to leave out; none = all

    bool includesRank(std::optional<std::int64_t> rank) const;
};

// A selection applied to one trace. Keeps references: the trace must stay.
class TraceSelection
{
public:
    TraceSelection(const Trace &trace, const Selection &selection);

    const Trace &trace() const { return m_trace; }
    bool includesLane(LaneId lane) const { return m_lanes[index(lane)]; }
    // The part of the event that is selected; empty optional if none is.
    std::optional<TimeRange> part(EventId event) const;
    // Is it counted as a call?
    bool counts(EventId event) const { return !m_range || m_range->contains(m_trace.begin(event)); }
    bool isEverything() const { return !m_steps && !m_range && !m_selection.filter && m_allLanes; }
    std::span<const TimeRange> stepRanges() const { return m_stepRanges; } // merged; only with steps
    bool hasSteps() const { return m_steps; }
    std::optional<TimeRange> range() const { return m_range; }

private:
    bool startsInSteps(TimeNs time) const;

    const Trace &m_trace;
    const Selection &m_selection;
    bool m_steps = false;
    bool m_allLanes = true;
    std::vector<TimeRange> m_stepRanges;
    std::optional<TimeRange> m_range;
    std::vector<bool> m_lanes;
};

} // namespace ks
