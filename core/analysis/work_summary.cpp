// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/work_summary.h"

#include "core/base/intervals.h"

#include <algorithm>
#include <vector>

namespace ks {
namespace {

void add(const Trace &trace, EventId event, TimeRange part, WorkSummary &summary, std::vector<TimeRange> &work)
{
    ++summary.events;
    if (!isDeviceWork(trace.kind(event)))
        return;
    ++summary.work;
    summary.sum = saturatingAdd(summary.sum, part.duration());
    work.push_back(part);
}

} // namespace

WorkSummary summariseWork(const Trace &trace, std::span<const EventId> events)
{
    WorkSummary summary;
    std::vector<TimeRange> work;
    for (const EventId event : events)
        add(trace, event, trace.range(event), summary, work);
    summary.busy = lengthOf(merged(std::move(work)));
    return summary;
}

WorkSummary summariseArea(const Trace &trace, TimeRange range, std::span<const LaneId> lanes, const Progress &progress)
{
    WorkSummary summary;
    std::vector<TimeRange> work;
    const auto addLane = [&](const Lane &lane) {
        for (std::size_t r = index(lane.firstRow); r < index(lane.endRow); ++r) {
            progress.throwIfStopped();
            const Row &row = trace.rows()[r];
            // Rows are disjoint: ends ascend as begins do.
            std::size_t low = index(row.firstEvent);
            std::size_t high = index(row.endEvent);
            while (low < high) {
                const std::size_t middle = low + (high - low) / 2;
                if (trace.end(static_cast<EventId>(middle)) > range.begin)
                    high = middle;
                else
                    low = middle + 1;
            }
            for (; low < index(row.endEvent); ++low) {
                const auto event = static_cast<EventId>(low);
                if (trace.begin(event) >= range.end)
                    break;
                if ((low & 0xffffU) == 0)
                    progress.throwIfStopped();
                add(trace, event, trace.range(event).clampedTo(range), summary, work);
            }
        }
    };
    if (lanes.empty()) {
        for (const Lane &lane : trace.lanes())
            addLane(lane);
    } else {
        for (const LaneId lane : lanes)
            addLane(trace.lane(lane));
    }
    progress.throwIfStopped();
    summary.busy = lengthOf(merged(std::move(work)));
    return summary;
}

} // namespace ks
