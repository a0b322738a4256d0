// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/projection.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::size_t kLevels = 4;
using Causes = std::array<EventId, kLevels>;

class CauseFinder
{
public:
    explicit CauseFinder(const Trace &trace)
        : m_trace(trace)
    {}

    Causes of(EventId work)
    {
        const LaunchLink link = m_trace.launchLink(work);
        if (link.launch == kNoEvent && link.op == kNoEvent)
            return none();
        const EventId around = link.launch != kNoEvent ? m_trace.parent(link.launch) : link.op;
        // Launches of one operator follow each other.
        if (around != m_lastAround || !m_hasLast) {
            m_last = aboveOf(around);
            m_lastAround = around;
            m_hasLast = true;
        }
        Causes causes = m_last;
        at(causes, ProjectionLevel::Step) = stepAt(m_trace.begin(link.launch != kNoEvent ? link.launch : link.op));
        return causes;
    }

private:
    static Causes none() { return {kNoEvent, kNoEvent, kNoEvent, kNoEvent}; }
    static EventId &at(Causes &causes, ProjectionLevel level) { return causes[static_cast<std::size_t>(level)]; }

    bool isModule(EventId event)
    {
        const auto [entry, isNew] = m_isModule.try_emplace(m_trace.nameId(event), false);
        if (isNew)
            entry->second = m_trace.name(event).starts_with("nn.Module: ");
        return entry->second;
    }

    EventId stepAt(TimeNs t) const
    {
        const auto steps = m_trace.steps();
        const auto after = std::upper_bound(steps.begin(), steps.end(), t,
                                            [](TimeNs wanted, const Step &step) { return wanted < step.range.begin; });
        return after != steps.begin() && std::prev(after)->range.contains(t) ? std::prev(after)->event : kNoEvent;
    }

    bool isStep(EventId event) const { return stepAt(m_trace.begin(event)) == event; }

    Causes aboveOf(EventId event)
    {
        Causes causes = none();
        EventId forward = kNoEvent;
        for (; event != kNoEvent; event = m_trace.parent(event)) {
            const EventKind kind = m_trace.kind(event);
            if (kind == EventKind::Operator) {
                at(causes, ProjectionLevel::Operator) = event;
                if (forward == kNoEvent)
                    forward = m_trace.forwardOf(event);
            } else if (kind == EventKind::Annotation) {
                if (at(causes, ProjectionLevel::Annotation) == kNoEvent && !isStep(event))
                    at(causes, ProjectionLevel::Annotation) = event;
            } else if (kind == EventKind::Python) {
                if (at(causes, ProjectionLevel::Module) == kNoEvent && isModule(event))
                    at(causes, ProjectionLevel::Module) = event;
            }
        }
        EventId &module = at(causes, ProjectionLevel::Module);
        for (; module == kNoEvent && forward != kNoEvent; forward = m_trace.parent(forward)) {
            if (m_trace.kind(forward) == EventKind::Python && isModule(forward))
                module = forward;
        }
        return causes;
    }

    const Trace &m_trace;
    std::unordered_map<NameId, bool> m_isModule;
    EventId m_lastAround = kNoEvent;
    Causes m_last{};
    bool m_hasLast = false;
};

// Neighbours with one cause become one stretch; a stretch ends where another cause begins.
void append(std::vector<ProjectedRange> &ranges, TimeRange range, EventId cause)
{
    if (!ranges.empty()) {
        ProjectedRange &last = ranges.back();
        if (last.cause == cause) {
            last.range.end = std::max(last.range.end, range.end);
            return;
        }
        last.range.end = std::min(last.range.end, range.begin);
        if (last.range.isEmpty())
            ranges.pop_back();
    }
    if (cause != kNoEvent || !ranges.empty())
        ranges.push_back({range, cause});
}

} // namespace

std::vector<ProjectedRow> projectedRows(const Trace &trace, std::span<const LaneId> lanes, bool annotated)
{
    if (trace.links().launches.empty() && trace.links().workOfOperator.size() == 0)
        return {}; // nothing tells
    std::vector<EventId> work;
    for (const LaneId lane : lanes) {
        for (EventId id = trace.lane(lane).firstEvent; id < trace.lane(lane).endEvent; id = advance(id, 1)) {
            if (isDeviceWork(trace.kind(id)))
                work.push_back(id);
        }
    }
    std::stable_sort(work.begin(), work.end(),
                     [&trace](EventId a, EventId b) { return trace.begin(a) < trace.begin(b); });
    std::array<std::vector<ProjectedRange>, kLevels> ranges;
    CauseFinder causes(trace);
    for (const EventId id : work) {
        const TimeRange range = trace.range(id);
        if (range.isEmpty())
            continue;
        const Causes of = causes.of(id);
        for (std::size_t level = annotated ? static_cast<std::size_t>(ProjectionLevel::Module) : 0; level < kLevels;
             ++level)
            append(ranges[level], range, of[level]);
    }
    std::vector<ProjectedRow> rows;
    for (std::size_t level = 0; level < kLevels; ++level) {
        std::erase_if(ranges[level], [](const ProjectedRange &range) { return range.cause == kNoEvent; });
        if (ranges[level].empty())
            continue;
        ranges[level].shrink_to_fit();
        rows.push_back({static_cast<ProjectionLevel>(level), std::move(ranges[level])});
    }
    return rows;
}

} // namespace ks
