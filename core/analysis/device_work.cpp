// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device_work.h"

#include "core/trace/communication.h"

#include <algorithm>
#include <tuple>

namespace ks {

std::string_view workClassId(WorkClass workClass)
{
    switch (workClass) {
    case WorkClass::Compute: return "compute";
    case WorkClass::Communication: return "communication";
    case WorkClass::Memory: return "memory";
    }
    return "";
}

WorkClass WorkClassifier::classOf(const Trace &trace, EventId work)
{
    if (trace.kind(work) != EventKind::Kernel)
        return WorkClass::Memory;
    const auto [entry, isNew] = m_isCommunication.try_emplace(trace.nameId(work), false);
    if (isNew)
        entry->second = isCommunicationKernel(trace.name(work));
    return entry->second ? WorkClass::Communication : WorkClass::Compute;
}

std::vector<DeviceWork> selectedWork(const TraceScope &scope, const Progress &progress)
{
    const Trace &trace = scope.trace();
    std::vector<DeviceWork> work;
    WorkClassifier classifier;
    const auto links = trace.links().ofWork.ids();
    const auto linkValues = trace.links().ofWork.values();
    std::size_t next = 0; // both are ascending by event
    for (std::size_t i = 0; i < trace.lanes().size(); ++i) {
        const Lane &lane = trace.lanes()[i];
        if (lane.kind != LaneKind::Gpu || !scope.includesLane(static_cast<LaneId>(i)))
            continue;
        progress.throwIfStopped();
        for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
            const EventKind kind = trace.kind(id);
            if (!isDeviceWork(kind))
                continue;
            while (next < links.size() && links[next] < id)
                ++next;
            const std::optional<TimeRange> part = scope.part(id);
            if (!part)
                continue;
            DeviceWork entry;
            entry.event = id;
            entry.lane = static_cast<LaneId>(i);
            entry.part = *part;
            entry.device = lane.device;
            entry.stream = lane.stream;
            entry.workClass = classifier.classOf(trace, id);
            entry.kind = kind;
            entry.isCall = scope.counts(id);
            entry.isLinked = next < links.size() && links[next] == id && linkValues[next].launch != kNoEvent;
            work.push_back(entry);
        }
    }
    std::sort(work.begin(), work.end(), [&trace](const DeviceWork &a, const DeviceWork &b) {
        return std::tuple(a.part.begin, trace.fileIndex(a.event)) < std::tuple(b.part.begin, trace.fileIndex(b.event));
    });
    return work;
}

} // namespace ks
