// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/lane_groups.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ks {
namespace {

bool isDeviceLane(const Lane &lane)
{
    return lane.kind == LaneKind::Gpu;
}

// Place of a role among the lanes of its group.
int rankOf(LaneRole role)
{
    switch (role) {
    case LaneRole::MainThread: return 0;
    case LaneRole::AutogradThread: return 1;
    case LaneRole::Thread: return 2;
    case LaneRole::AsyncTrack: return 3;
    case LaneRole::ComputeStream: return 4;
    case LaneRole::CommunicationStream: return 5;
    case LaneRole::CopyStream: return 6;
    case LaneRole::OtherStream: return 7;
    case LaneRole::SyncLane: return 8;
    case LaneRole::Overhead: return 9;
    case LaneRole::Scaffolding: return 10;
    }
    return 10;
}

std::string hostTitle(const Trace &trace, const Process &process)
{
    std::string title;
    const std::optional<std::int64_t> rank = process.rank ? process.rank : trace.metadata().rank;
    if (rank)
        title = "rank " + std::to_string(*rank);
    const auto append = [&title](const std::string &part, const char *separator) {
        if (part.empty())
            return;
        if (!title.empty())
            title += separator;
        title += part;
    };
    append(process.name, " · ");
    if (!process.pid.text().empty() && process.pid.text() != process.name
        && process.name.find(process.pid.text()) == std::string::npos)
        append(process.pid.text(), process.name.empty() ? " · " : " ");
    return title.empty() ? std::string("process") : title;
}

} // namespace

std::string deviceTitle(const Trace &trace, std::int64_t device)
{
    std::string title = "GPU " + std::to_string(device);
    for (const Device &known : trace.metadata().devices) {
        if (known.id == device && !known.name.empty())
            return title + " · " + known.name;
    }
    return title;
}

std::string laneTitle(const Trace &, const Lane &lane)
{
    const std::string number = lane.stream ? std::to_string(*lane.stream) : lane.tid.text();
    switch (lane.role) {
    case LaneRole::MainThread: return "main thread";
    case LaneRole::AutogradThread: return "autograd thread";
    case LaneRole::ComputeStream: return "stream " + number + " compute";
    case LaneRole::CommunicationStream: return "stream " + number + " communication";
    case LaneRole::CopyStream: return "stream " + number + " copy";
    case LaneRole::OtherStream: return lane.stream ? "stream " + number : lane.name;
    case LaneRole::SyncLane: return "synchronisation " + number;
    case LaneRole::Overhead: return "profiler overhead";
    case LaneRole::Thread:
    case LaneRole::AsyncTrack:
    case LaneRole::Scaffolding: break;
    }
    if (lane.role == LaneRole::Thread && (lane.name.empty() || lane.name == lane.tid.text()))
        return "thread " + lane.tid.text();
    return lane.name;
}

std::vector<LaneGroup> laneGroups(const Trace &trace)
{
    // (rank, device?, sort index, process, device number)
    using Key = std::tuple<std::int64_t, bool, std::int64_t, ProcessId, std::int64_t>;
    std::map<Key, LaneGroup> found;
    std::vector<LaneId> overhead;
    for (std::size_t i = 0; i < trace.lanes().size(); ++i) {
        const Lane &lane = trace.lanes()[i];
        const auto id = static_cast<LaneId>(i);
        if (lane.role == LaneRole::Scaffolding)
            continue;
        if (lane.role == LaneRole::Overhead) {
            overhead.push_back(id);
            continue;
        }
        const Process &process = trace.processOf(lane);
        const bool device = isDeviceLane(lane);
        const std::int64_t number = device ? lane.device.value_or(process.pid.number().value_or(-1)) : -1;
        LaneGroup &group = found[{process.rank.value_or(0), device, process.sortIndex, lane.process, number}];
        if (group.lanes.empty()) {
            group.process = lane.process;
            group.isDevice = device;
            if (device && number >= 0)
                group.device = number;
            group.title = device ? (number >= 0 ? deviceTitle(trace, number) : "GPU · " + hostTitle(trace, process))
                                 : hostTitle(trace, process);
            if (device && process.rank)
                group.title = "rank " + std::to_string(*process.rank) + " · " + group.title;
        }
        group.lanes.push_back(id);
    }
    std::vector<LaneGroup> groups;
    groups.reserve(found.size() + 1);
    for (auto &[key, group] : found) {
        std::stable_sort(group.lanes.begin(), group.lanes.end(), [&trace](LaneId a, LaneId b) {
            return rankOf(trace.lane(a).role) < rankOf(trace.lane(b).role);
        });
        groups.push_back(std::move(group));
    }
    if (!overhead.empty()) {
        LaneGroup last;
        last.title = "profiler";
        last.process = trace.lane(overhead.front()).process;
        last.lanes = std::move(overhead);
        groups.push_back(std::move(last));
    }
    return groups;
}

} // namespace ks
