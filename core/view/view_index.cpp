// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/view_index.h"

#include "core/trace/busy_intervals.h"
#include "core/view/lane_groups.h"

#include <algorithm>
#include <map>

namespace ks {
namespace {

void measure(CurveLane &lane)
{
    for (const Curve &curve : lane.curves) {
        if (curve.isEmpty())
            continue;
        const Extremes e = curve.extremes();
        lane.extremes.least = std::min(lane.extremes.least, e.least);
        lane.extremes.greatest = std::max(lane.extremes.greatest, e.greatest);
    }
}

struct MemorySamples
{
    std::vector<TimeNs> allocatedAt, reservedAt, outOfMemory;
    std::vector<double> allocated, reserved;
};

} // namespace

ViewIndex::ViewIndex(const Trace &trace)
    : m_durations(trace)
    , m_groups(laneGroups(trace))
    , m_isDevice(trace.lanes().size(), false)
    , m_busy(trace.lanes().size())
{
    const BusyIntervals &busy = busyIntervals(trace);
    for (LaneGroup &group : m_groups) {
        if (!group.isDevice)
            continue;
        for (const LaneId lane : group.lanes) {
            m_isDevice[index(lane)] = true;
            m_busy[index(lane)] = busy.lane(lane);
            group.busy = BusyTime::united(group.busy, busy.lane(lane));
        }
        const bool annotated = std::any_of(group.lanes.begin(), group.lanes.end(), [&trace](LaneId id) {
            const Lane &lane = trace.lane(id);
            return lane.firstEvent < lane.endEvent && trace.kind(lane.firstEvent) == EventKind::GpuAnnotation;
        });
        group.causes = projectedRows(trace, group.lanes, annotated);
    }
    addCurves(trace);
    addLaunchQueues(trace);
    addInstants(trace);
}

const BusyTime *ViewIndex::busy(LaneId lane) const
{
    return m_isDevice[index(lane)] ? &m_busy[index(lane)] : nullptr;
}

std::span<const std::uint32_t> ViewIndex::instantsOf(LaneId lane) const
{
    const auto at = std::lower_bound(m_instantsFrom.begin(), m_instantsFrom.end(), lane,
                                     [](const auto &entry, LaneId wanted) { return entry.first < wanted; });
    if (at == m_instantsFrom.end() || at->first != lane)
        return {};
    const std::size_t end = at + 1 == m_instantsFrom.end() ? m_instants.size() : (at + 1)->second;
    return std::span(m_instants).subspan(at->second, end - at->second);
}

// Work launched and not yet begun, per device: grows at the begin of a call, shrinks at the begin of its work.
void ViewIndex::addLaunchQueues(const Trace &trace)
{
    if (trace.links().launches.empty())
        return;
    for (LaneGroup &group : m_groups) {
        if (!group.isDevice)
            continue;
        std::vector<std::pair<TimeNs, int>> changes; // at equal times it grows first
        for (const LaneId lane : group.lanes) {
            for (EventId id = trace.lane(lane).firstEvent; id < trace.lane(lane).endEvent; id = advance(id, 1)) {
                const EventId launch = isDeviceWork(trace.kind(id)) ? trace.launchLink(id).launch : kNoEvent;
                if (launch == kNoEvent)
                    continue;
                changes.emplace_back(trace.begin(launch), -1);
                changes.emplace_back(std::max(trace.begin(id), trace.begin(launch)), +1);
            }
        }
        if (changes.empty())
            continue;
        std::sort(changes.begin(), changes.end()); // -1 stands for growth, so that it comes first
        std::vector<TimeNs> times;
        std::vector<double> values;
        double length = 0;
        for (const auto &[time, change] : changes) {
            length -= change;
            if (!times.empty() && times.back() == time && change > 0) {
                values.back() = std::max(length, 0.0);
                continue;
            }
            times.push_back(time);
            values.push_back(length);
        }
        CurveLane lane;
        lane.name = "launch queue";
        lane.curves.emplace_back(std::string(), std::move(times), std::move(values));
        measure(lane);
        group.curveLanes.push_back(static_cast<std::uint32_t>(m_curveLanes.size()));
        m_curveLanes.push_back(std::move(lane));
    }
}

void ViewIndex::addCurves(const Trace &trace)
{
    const auto hostGroup = [this](auto matches) -> LaneGroup & {
        for (LaneGroup &group : m_groups) {
            if (matches(group))
                return group;
        }
        return m_groups.emplace_back();
    };

    std::map<std::pair<int, int>, MemorySamples> memory; // by device type and number
    for (const MemoryRecord &record : trace.memory()) {
        MemorySamples &samples = memory[{record.deviceType, record.deviceId}];
        if (record.outOfMemory) {
            samples.outOfMemory.push_back(record.time);
            continue;
        }
        if (record.totalAllocated != kNoBytes) {
            samples.allocatedAt.push_back(record.time);
            samples.allocated.push_back(static_cast<double>(record.totalAllocated));
        }
        // It seldom changes, and what does not is no step.
        const auto reserved = static_cast<double>(record.totalReserved);
        if (record.totalReserved != kNoBytes && (samples.reserved.empty() || samples.reserved.back() != reserved)) {
            samples.reservedAt.push_back(record.time);
            samples.reserved.push_back(reserved);
        }
    }
    for (auto &[device, samples] : memory) {
        if (samples.allocated.empty() && samples.outOfMemory.empty())
            continue;
        CurveLane lane;
        lane.name = "memory";
        lane.unit = CurveUnit::Bytes;
        const bool hasReserved =
            std::any_of(samples.reserved.begin(), samples.reserved.end(), [](double v) { return v > 0; });
        lane.curves.emplace_back("allocated", std::move(samples.allocatedAt), std::move(samples.allocated));
        if (hasReserved)
            lane.curves.emplace_back("reserved", std::move(samples.reservedAt), std::move(samples.reserved));
        lane.outOfMemory = std::move(samples.outOfMemory);
        measure(lane);
        const auto [type, number] = device;
        LaneGroup &group = type == 0
                               ? hostGroup([](const LaneGroup &g) { return !g.isDevice && !g.lanes.empty(); })
                               : hostGroup([n = number](const LaneGroup &g) { return g.isDevice && g.device == n; });
        if (group.title.empty()) {
            group.isDevice = type != 0;
            if (group.isDevice)
                group.device = number;
            group.title = group.isDevice ? deviceTitle(trace, number) : "CPU";
        }
        group.curveLanes.push_back(static_cast<std::uint32_t>(m_curveLanes.size()));
        m_curveLanes.push_back(std::move(lane));
    }

    for (const Counter &counter : trace.counters()) {
        CurveLane lane;
        lane.name = counter.name;
        if (counter.id && !counter.id->text().empty())
            lane.name += ' ' + counter.id->text();
        for (const CounterSeries &series : counter.series)
            lane.curves.emplace_back(series.name, series.times, series.values);
        measure(lane);
        LaneGroup &group = hostGroup([&](const LaneGroup &g) {
            return g.process != kNoProcess ? trace.process(g.process).pid == counter.pid
                                           : g.title == "counters " + counter.pid.text();
        });
        if (group.title.empty())
            group.title = "counters " + counter.pid.text();
        group.curveLanes.push_back(static_cast<std::uint32_t>(m_curveLanes.size()));
        m_curveLanes.push_back(std::move(lane));
    }
}

void ViewIndex::addInstants(const Trace &trace)
{
    const auto &instants = trace.instants();
    for (std::size_t i = 0; i < instants.size(); ++i) {
        if (instants[i].lane != kNoLane)
            m_instants.push_back(static_cast<std::uint32_t>(i));
    }
    std::stable_sort(m_instants.begin(), m_instants.end(), [&instants](std::uint32_t a, std::uint32_t b) {
        return std::pair(instants[a].lane, instants[a].time) < std::pair(instants[b].lane, instants[b].time);
    });
    for (std::uint32_t i = 0; i < m_instants.size(); ++i) {
        const LaneId lane = instants[m_instants[i]].lane;
        if (m_instantsFrom.empty() || m_instantsFrom.back().first != lane)
            m_instantsFrom.emplace_back(lane, i);
    }
}

} // namespace ks
