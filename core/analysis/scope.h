// SPDX-License-Identifier: GPL-3.0-or-later
// What an analysis looks at: some ranks, steps or a range of time, devices, lanes, the events of a filter.
// Steps select host events that start in them and the device work they launched (work without a launch: by its own
// start). A range of time selects by overlap: sums, unions and self times use the part inside, calls count the events
// that start inside.
#pragma once

#include "core/analysis/event_set.h"
#include "core/base/bits.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

// One trace of a run. Told ranks of a run differ: who opens one rank twice numbers the traces instead.
struct RankTrace
{
    std::shared_ptr<const Trace> trace;
    std::optional<std::int64_t> rank; // told by the file, else its position among several
};

struct Scope
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
    // An area of the time line, as it lies in one trace.
    struct Part
    {
        const Trace *trace = nullptr;
        std::optional<TimeRange> range; // trace time; none = all
        std::vector<LaneId> lanes;      // empty = all
    };

    std::optional<StepRange> steps;
    std::optional<TimeBound> from;
    std::optional<TimeBound> to;
    std::vector<std::int64_t> ranks;
    std::vector<std::int64_t> devices;
    std::string stepPattern;                // what a step is: a regular expression, "auto", or "" for ProfilerStep#N
    std::vector<std::string> lanes;         // part of the name, ASCII case ignored
    std::vector<Part> parts;                // if there are any, only what lies in the one of its trace
    std::shared_ptr<const EventSet> events; // null = all

    bool includesRank(std::optional<std::int64_t> rank) const;
    bool restrictsLanes() const;
};

// "1500" is file time, "1.5ms" since the start; none if it is neither.
std::optional<Scope::TimeBound> parseTimeBound(std::string_view text);

// A scope applied to one trace; the trace and the events of the scope must stay.
class TraceScope
{
public:
    TraceScope(const Trace &trace, const Scope &scope);

    const Trace &trace() const { return m_trace; }
    bool includesLane(LaneId lane) const { return m_lanes[index(lane)]; }
    // The part of the event that is selected; empty optional if none is. Lanes are not asked.
    std::optional<TimeRange> part(EventId event) const;
    // The same of device work whose launch and range are known.
    std::optional<TimeRange> workPart(EventId work, EventId launch, TimeRange range) const
    {
        return m_filters || m_steps ? selectedPart(work, launch, range) : partInRange(range);
    }
    // The part inside the range of time, whatever else is selected.
    std::optional<TimeRange> partInRange(TimeRange range) const
    {
        const bool isWhole = !m_range || (m_range->contains(range) && !range.isEmpty());
        return isWhole ? std::optional(range) : cutPart(range);
    }
    // Is it counted as a call?
    bool counts(EventId event) const { return counts(m_trace.begin(event)); }
    bool counts(TimeNs begin) const { return !m_range || m_range->contains(begin); }
    bool isEverything() const { return isOnlyRange() && !m_range; }
    // Is a range of time all that restricts it?
    bool isOnlyRange() const { return !m_steps && !m_filters && m_allLanes; }
    // The same but for devices.
    bool isOnlyRangeOfDevices() const { return !m_steps && !m_filters && !m_restrictsLanes; }
    std::span<const TimeRange> stepRanges() const { return m_stepRanges; } // merged; only with steps
    bool hasSteps() const { return m_steps; }
    bool hasEvents() const { return m_filters; }
    std::optional<TimeRange> range() const { return m_range; }

private:
    std::optional<TimeRange> selectedPart(EventId work, EventId launch, TimeRange range) const;
    std::optional<TimeRange> cutPart(TimeRange range) const;
    bool startsInSteps(TimeNs time) const;
    void findLanes(const Scope &scope, const Scope::Part *part);

    const Trace &m_trace;
    bool m_steps = false;
    bool m_filters = false;
    bool m_allLanes = true;
    bool m_restrictsLanes = false;  // other than by device
    const Bits *m_events = nullptr; // null: none, if it filters
    std::vector<TimeRange> m_stepRanges;
    std::optional<TimeRange> m_range;
    std::vector<bool> m_lanes;
};

} // namespace ks
