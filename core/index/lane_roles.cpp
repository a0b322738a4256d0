// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/lane_roles.h"

#include "core/base/per_name.h"
#include "core/index/lane_cursor.h"
#include "core/trace/communication.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace ks {
namespace {

struct LaneContents
{
    std::array<std::uint64_t, static_cast<std::size_t>(EventKind::Other) + 1> ofKind{};
    std::uint64_t steps = 0;
    std::uint64_t backward = 0; // operators whose forward ran on another thread; a thread named for that counts, too
    std::uint64_t forward = 0;  // the other ends of these
    TimeNs computeTime = 0;
    TimeNs communicationTime = 0;

    bool isMostlyBackward() const { return steps == 0 && backward > forward; }
    std::uint64_t of(EventKind kind) const { return ofKind[static_cast<std::size_t>(kind)]; }
    std::uint64_t all() const
    {
        std::uint64_t sum = 0;
        for (const std::uint64_t count : ofKind)
            sum += count;
        return sum;
    }
};

// Is what stands at the top of the lane the work of the autograd engine? Told by some of it.
bool runsTheEngine(const Trace &trace, const Lane &lane)
{
    constexpr std::size_t kSome = 64;
    std::size_t looked = 0;
    std::size_t ofEngine = 0;
    if (lane.firstRow == lane.endRow)
        return false;
    const Row &top = trace.row(lane.firstRow);
    for (EventId id = top.firstEvent; id < top.endEvent && looked < kSome; id = advance(id, 1)) {
        if (trace.kind(id) != EventKind::Operator)
            continue;
        ++looked;
        ofEngine += trace.name(id).starts_with("autograd::engine::evaluate_function") ? 1 : 0;
    }
    return ofEngine * 2 > looked;
}

std::vector<LaneContents> contentsOf(const Trace &trace)
{
    std::vector<LaneContents> contents(trace.lanes().size());
    PerName<bool> isCommunication(isCommunicationKernel);
    for (const Row &row : trace.rows()) {
        LaneContents &content = contents[index(row.lane)];
        if (row.group == RowGroup::Python) {
            content.ofKind[static_cast<std::size_t>(EventKind::Python)] += distance(row.firstEvent, row.endEvent);
            continue;
        }
        for (EventId id = row.firstEvent; id < row.endEvent; id = advance(id, 1)) {
            const EventKind kind = trace.kind(id);
            ++content.ofKind[static_cast<std::size_t>(kind)];
            if (kind != EventKind::Kernel)
                continue;
            TimeNs &sum = isCommunication.of(trace.nameId(id)) ? content.communicationTime : content.computeTime;
            sum = saturatingAdd(sum, trace.duration(id));
        }
    }
    for (const Step &step : trace.steps())
        ++contents[index(trace.lane(step.event))].steps;
    for (std::size_t i = 0; i < contents.size(); ++i)
        contents[i].backward = trace.lanes()[i].name.find("pt_autograd") != std::string::npos ? 1 : 0;
    // Backward operators whose forward ran on another thread make an autograd thread.
    LaneCursor forwards(trace);
    LaneCursor backwards(trace);
    const SparseColumn<EventId> &mates = trace.mates().forwardOfBackward;
    for (std::size_t i = 0; i < mates.size(); ++i) {
        const LaneId from = forwards.laneOf(mates.values()[i]);
        const LaneId to = backwards.laneOf(mates.ids()[i]);
        if (trace.lane(to).kind != LaneKind::Gpu && from != to) {
            ++contents[index(to)].backward;
            ++contents[index(from)].forward;
        }
    }
    // Files that tell no mates.
    for (std::size_t i = 0; i < contents.size(); ++i) {
        const Lane &lane = trace.lanes()[i];
        if (lane.kind == LaneKind::Cpu && contents[i].backward == 0 && contents[i].steps == 0
            && runsTheEngine(trace, lane))
            contents[i].backward = 1;
    }
    return contents;
}

LaneRole streamRole(const LaneContents &content)
{
    const std::uint64_t copies = content.of(EventKind::Memcpy) + content.of(EventKind::Memset);
    if (content.of(EventKind::Kernel) != 0)
        return content.communicationTime > content.computeTime ? LaneRole::CommunicationStream
                                                               : LaneRole::ComputeStream;
    if (copies != 0)
        return LaneRole::CopyStream;
    return content.of(EventKind::Sync) != 0 ? LaneRole::SyncLane : LaneRole::OtherStream;
}

} // namespace

std::vector<LaneRole> findLaneRoles(const Trace &trace)
{
    const std::vector<LaneContents> contents = contentsOf(trace);
    std::vector<LaneRole> roles(contents.size(), LaneRole::Thread);
    std::map<ProcessId, LaneId> mainOf;
    for (std::size_t i = 0; i < contents.size(); ++i) {
        const Lane &lane = trace.lanes()[i];
        const LaneContents &content = contents[i];
        switch (lane.kind) {
        case LaneKind::Gpu: roles[i] = streamRole(content); break;
        case LaneKind::Async: roles[i] = LaneRole::AsyncTrack; break;
        case LaneKind::Other:
            roles[i] = content.of(EventKind::Overhead) != 0 ? LaneRole::Overhead : LaneRole::Scaffolding;
            break;
        case LaneKind::Cpu: {
            const auto weight = [&](LaneId id) {
                const LaneContents &of = contents[index(id)];
                const bool isOwn = trace.lane(id).tid == trace.processOf(trace.lane(id)).pid;
                return std::tuple(of.steps, !of.isMostlyBackward(), of.of(EventKind::Launch), isOwn, of.all());
            };
            const bool runsPrograms = content.of(EventKind::Operator) + content.of(EventKind::Launch)
                                          + content.of(EventKind::Annotation) + content.of(EventKind::Python)
                                      != 0;
            if (runsPrograms) {
                const auto [entry, isNew] = mainOf.try_emplace(lane.process, static_cast<LaneId>(i));
                if (!isNew && weight(static_cast<LaneId>(i)) > weight(entry->second))
                    entry->second = static_cast<LaneId>(i);
            }
            roles[i] = content.backward > 0 && content.steps == 0 ? LaneRole::AutogradThread : LaneRole::Thread;
            break;
        }
        }
    }
    for (const auto &[process, lane] : mainOf)
        roles[index(lane)] = LaneRole::MainThread;
    return roles;
}

} // namespace ks
