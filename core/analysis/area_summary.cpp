// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/area_summary.h"

#include "core/analysis/breakdown.h"
#include "core/analysis/idle.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace ks {
namespace {

// The first event of the row that ends after t: ends ascend as begins do.
EventId firstEndingAfter(const Trace &trace, const Row &row, TimeNs t)
{
    std::size_t low = index(row.firstEvent);
    std::size_t high = index(row.endEvent);
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (trace.end(static_cast<EventId>(middle)) > t)
            high = middle;
        else
            low = middle + 1;
    }
    return static_cast<EventId>(low);
}

void addWorkOf(const Trace &trace, LaneId laneId, TimeRange range, WorkClassifier &classifier,
               std::vector<DeviceWork> &work, const Progress &progress)
{
    const Lane &lane = trace.lane(laneId);
    for (RowId r = lane.firstRow; r < lane.endRow; r = advance(r, 1)) {
        progress.throwIfStopped();
        const Row &row = trace.row(r);
        for (EventId id = firstEndingAfter(trace, row, range.begin); id < row.endEvent && trace.begin(id) < range.end;
             id = advance(id, 1)) {
            if (!isDeviceWork(trace.kind(id)))
                continue;
            DeviceWork entry;
            entry.event = id;
            entry.lane = laneId;
            entry.part = trace.range(id).clampedTo(range);
            entry.workClass = classifier.classOf(trace, id);
            entry.kind = trace.kind(id);
            entry.isCall = range.contains(trace.begin(id));
            entry.launch = trace.launchLink(id).launch;
            work.push_back(entry);
        }
    }
}

// Innermost operator that runs on the lane at t.
EventId operatorAt(const Trace &trace, LaneId laneId, TimeNs t)
{
    const Lane &lane = trace.lane(laneId);
    EventId found = kNoEvent;
    for (RowId r = lane.firstRow; r < lane.endRow; r = advance(r, 1)) {
        const Row &row = trace.row(r);
        if (row.group != RowGroup::Work)
            continue;
        const EventId id = firstEndingAfter(trace, row, t);
        if (id < row.endEvent && trace.begin(id) <= t && trace.kind(id) == EventKind::Operator)
            found = id; // deeper rows are further in
    }
    return found;
}

void addDevice(const Trace &trace, TimeRange range, std::vector<DeviceWork> &work, AreaSummary &summary,
               std::unordered_map<NameId, TimeNs> &waiting)
{
    std::sort(work.begin(), work.end(), [](const DeviceWork &a, const DeviceWork &b) {
        return std::pair(a.part.begin, a.event) < std::pair(b.part.begin, b.event);
    });
    ++summary.devices;
    summary.wall = saturatingAdd(summary.wall, range.duration());
    TimeNs between = 0;
    if (!work.empty()) {
        const Breakdown parts = breakdownOf(work);
        summary.busy = saturatingAdd(summary.busy, parts.busy);
        summary.compute = saturatingAdd(summary.compute, parts.compute);
        summary.exposedCommunication = saturatingAdd(summary.exposedCommunication, parts.exposedCommunication);
        summary.exposedCopies = saturatingAdd(summary.exposedCopies, parts.exposedMemory);
        for (const IdleGap &gap : idleGaps(trace, work)) {
            const TimeNs length = gap.range.duration();
            summary.idleOfClass[static_cast<std::size_t>(gap.gapClass)] += length;
            between = saturatingAdd(between, length);
            if (gap.gapClass != GapClass::HostWait)
                continue;
            const EventId launch = trace.launchLink(gap.after).launch;
            const EventId op = operatorAt(trace, trace.lane(launch), gap.range.begin);
            waiting[trace.nameId(op != kNoEvent ? op : launch)] += length;
        }
        summary.idle = saturatingAdd(summary.idle, range.duration() - parts.busy);
        summary.idleOfClass[static_cast<std::size_t>(GapClass::Other)] +=
            std::max<TimeNs>(range.duration() - parts.busy - between, 0);
    } else {
        summary.idle = saturatingAdd(summary.idle, range.duration());
        summary.idleOfClass[static_cast<std::size_t>(GapClass::Other)] += range.duration();
    }
}

} // namespace

void AreaSummary::add(const AreaSummary &other)
{
    const auto plus = [](TimeNs &to, TimeNs more) { to = saturatingAdd(to, more); };
    work.events += other.work.events;
    work.work += other.work.work;
    plus(work.sum, other.work.sum);
    plus(work.busy, other.work.busy);
    devices += other.devices;
    plus(wall, other.wall);
    plus(busy, other.busy);
    plus(compute, other.compute);
    plus(exposedCommunication, other.exposedCommunication);
    plus(exposedCopies, other.exposedCopies);
    plus(idle, other.idle);
    if (waitingCall == kNoName || other.idleOfClass[0] > idleOfClass[0])
        waitingCall = other.waitingCall != kNoName ? other.waitingCall : waitingCall;
    for (std::size_t i = 0; i < idleOfClass.size(); ++i)
        plus(idleOfClass[i], other.idleOfClass[i]);
}

AreaSummary areaSummary(const Trace &trace, TimeRange range, std::span<const LaneId> lanes, const Progress &progress)
{
    AreaSummary summary;
    summary.work = summariseArea(trace, range, lanes, progress);
    // Streams of one device; a file of several ranks may have the same device in several processes.
    std::map<std::pair<std::optional<std::int64_t>, ProcessId>, std::vector<LaneId>> devices;
    const auto addLane = [&](LaneId id) {
        const Lane &lane = trace.lane(id);
        if (lane.kind == LaneKind::Gpu && lane.role != LaneRole::SyncLane)
            devices[{lane.device, lane.process}].push_back(id);
    };
    if (lanes.empty()) {
        for (std::size_t i = 0; i < trace.lanes().size(); ++i)
            addLane(static_cast<LaneId>(i));
    } else {
        std::for_each(lanes.begin(), lanes.end(), addLane);
    }
    WorkClassifier classifier;
    std::unordered_map<NameId, TimeNs> waiting;
    for (const auto &[device, streams] : devices) {
        std::vector<DeviceWork> work;
        for (const LaneId stream : streams)
            addWorkOf(trace, stream, range, classifier, work, progress);
        addDevice(trace, range, work, summary, waiting);
    }
    for (const auto &[name, time] : waiting) {
        if (summary.waitingCall == kNoName || time > waiting[summary.waitingCall]
            || (time == waiting[summary.waitingCall] && nameText(name) < nameText(summary.waitingCall)))
            summary.waitingCall = name;
    }
    return summary;
}

} // namespace ks
