// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/step_parts.h"

#include "core/analysis/call_work.h"
#include "core/analysis/device_work.h"
#include "core/analysis/torch_nesting.h"
#include "core/base/busy_time.h"
#include "core/trace/kernel_family.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ks {
namespace {

bool waitsForDevice(std::string_view call)
{
    return call.find("Synchronize") != std::string_view::npos || call.find("EventQuery") != std::string_view::npos
           || call == "cudaMemcpy" || call == "hipMemcpy";
}

bool loadsData(std::string_view name)
{
    return name.starts_with("enumerate(DataLoader)") || name.starts_with("enumerate(DataPipe)");
}

// When the host threads of a trace waited for the device or loaded data.
class HostWaits
{
public:
    HostWaits(const Trace &trace, TimeRange stretch)
        : m_trace(trace)
        , m_stretch(stretch)
    {}

    struct Split
    {
        TimeNs synchronizing = 0;
        TimeNs loading = 0;
        TimeNs other = 0;
    };
    Split split(LaneId lane, TimeRange range)
    {
        const auto [known, isNew] = m_ofLane.try_emplace(lane);
        if (isNew)
            known->second = find(lane);
        Split result;
        result.synchronizing = known->second.waits.within(range);
        result.loading = known->second.either.within(range) - result.synchronizing;
        result.other = range.duration() - result.synchronizing - result.loading;
        return result;
    }

private:
    struct OfLane
    {
        BusyTime waits;
        BusyTime either;
    };

    OfLane find(LaneId id) const
    {
        std::vector<TimeRange> waits, loads;
        const Lane &lane = m_trace.lane(id);
        for (EventId event = lane.firstEvent; event < lane.endEvent; event = advance(event, 1)) {
            if (!m_stretch.intersects(m_trace.range(event)))
                continue;
            const EventKind kind = m_trace.kind(event);
            if (kind == EventKind::Launch && waitsForDevice(m_trace.name(event)))
                waits.push_back(m_trace.range(event));
            else if ((kind == EventKind::Operator || kind == EventKind::Annotation) && loadsData(m_trace.name(event)))
                loads.push_back(m_trace.range(event));
        }
        OfLane found;
        found.waits = BusyTime(std::move(waits));
        found.either = BusyTime::united(found.waits, BusyTime(std::move(loads)));
        return found;
    }

    const Trace &m_trace;
    TimeRange m_stretch;
    std::unordered_map<LaneId, OfLane> m_ofLane;
};

// The work of one device in the order of its begins.
struct Piece
{
    TimeRange range;
    std::uint32_t position = 0; // in workIndex(trace)
    WorkClass workClass = WorkClass::Compute;
};

class DeviceSweep
{
public:
    DeviceSweep(const Trace &trace, TimeRange stretch, HostWaits &waits, PartTimes &parts, const Progress &progress)
        : m_trace(trace)
        , m_work(workIndex(trace, progress).byBegin())
        , m_owners(callWork(trace, progress))
        , m_nesting(torchNesting(trace, progress))
        , m_stretch(stretch)
        , m_waits(waits)
        , m_parts(parts)
    {}

    // `after`: the first work that begins behind the stretch, if there is any.
    void run(const std::vector<Piece> &pieces, const Piece *after)
    {
        struct Border
        {
            TimeNs time;
            bool isBegin;
            std::uint32_t piece;
        };
        std::vector<Border> borders;
        for (std::uint32_t i = 0; i < pieces.size(); ++i) {
            borders.push_back({pieces[i].range.begin, true, i});
            borders.push_back({pieces[i].range.end, false, i});
        }
        std::sort(borders.begin(), borders.end(), [](const Border &a, const Border &b) {
            return std::tuple(a.time, a.isBegin, a.piece) < std::tuple(b.time, b.isBegin, b.piece);
        });
        std::array<std::set<std::uint32_t>, kWorkClasses> running; // by begin, as pieces are
        TimeNs at = m_stretch.begin;
        for (const Border &border : borders) {
            if (border.time > at) {
                add(pieces, running, {at, border.time}, &pieces[border.piece]);
                at = border.time;
            }
            auto &ofClass = running[static_cast<std::size_t>(pieces[border.piece].workClass)];
            if (border.isBegin)
                ofClass.insert(border.piece);
            else
                ofClass.erase(border.piece);
        }
        if (at < m_stretch.end)
            addIdle({at, m_stretch.end}, after);
    }

private:
    void add(const std::vector<Piece> &pieces, const std::array<std::set<std::uint32_t>, kWorkClasses> &running,
             TimeRange range, const Piece *next)
    {
        for (const WorkClass workClass : {WorkClass::Compute, WorkClass::Communication, WorkClass::Memory}) {
            const auto &ofClass = running[static_cast<std::size_t>(workClass)];
            if (ofClass.empty())
                continue;
            const Piece &piece = pieces[*ofClass.begin()];
            const EventId event = m_work[piece.position].event;
            const std::uint32_t call = m_owners.ownersOf(piece.position).self;
            const std::string op(call != TorchNesting::kNone ? m_trace.name(m_nesting.calls()[call].event)
                                                             : std::string_view());
            if (workClass == WorkClass::Compute)
                count({StepPart::Kernels, std::string(kernelFamilyId(kernelFamilyOf(m_trace.name(event)))), op}, range,
                      event);
            else
                count({workClass == WorkClass::Memory ? StepPart::Copies : StepPart::Communication,
                       std::string(m_trace.name(event)), op},
                      range, event);
            return;
        }
        addIdle(range, next);
    }

    // `next`: the work it ends with; null if none comes.
    void addIdle(TimeRange range, const Piece *next)
    {
        const EventId launch = next ? m_work[next->position].launch : kNoEvent;
        if (launch == kNoEvent) {
            count({StepPart::Idle, next ? "launch unknown" : "nothing launched", {}}, range,
                  next ? m_work[next->position].event : kNoEvent);
            return;
        }
        const TimeNs launched = std::clamp(m_trace.begin(launch), range.begin, range.end);
        const HostWaits::Split host = m_waits.split(m_trace.lane(launch), {range.begin, launched});
        TimeNs at = range.begin;
        for (const auto &[cause, time] : {std::pair("waiting for the device", host.synchronizing),
                                          {"loading data", host.loading},
                                          {"host", host.other},
                                          {"launch", range.end - launched}}) {
            if (time > 0)
                count({StepPart::Idle, cause, {}}, {at, at + time}, m_work[next->position].event);
            at += time;
        }
    }

    void count(const PartKey &key, TimeRange range, EventId event) { m_parts[key].add(range, event); }

    const Trace &m_trace;
    std::span<const WorkIndex::Entry> m_work;
    const CallWork &m_owners;
    const TorchNesting &m_nesting;
    TimeRange m_stretch;
    HostWaits &m_waits;
    PartTimes &m_parts;
};

} // namespace

void PartTime::add(TimeRange piece, EventId of)
{
    sum = saturatingAdd(sum, piece.duration());
    show(piece, of);
}

void PartTime::show(TimeRange piece, EventId of)
{
    if (piece.duration() <= longest.duration())
        return;
    longest = piece;
    event = of;
}

std::string_view stepPartId(StepPart part)
{
    switch (part) {
    case StepPart::Kernels: return "kernels";
    case StepPart::Communication: return "communication";
    case StepPart::Copies: return "copies";
    case StepPart::Idle: return "idle";
    case StepPart::Host: return "host";
    }
    return "";
}

std::size_t addDeviceParts(const Trace &trace, TimeRange stretch, PartTimes &parts, const Progress &progress)
{
    struct OfDevice
    {
        std::vector<Piece> pieces;
        std::optional<Piece> after;
    };
    const auto work = workIndex(trace, progress).byBegin();
    std::map<std::optional<std::int64_t>, OfDevice> devices;
    for (std::uint32_t i = 0; i < work.size(); ++i) {
        if ((i & 0xffffU) == 0)
            progress.throwIfStopped();
        OfDevice &device = devices[trace.lane(work[i].lane).device];
        const TimeRange range = trace.range(work[i].event);
        if (range.begin >= stretch.end) {
            if (!device.after)
                device.after = Piece{range, i, work[i].workClass};
        } else if (!range.isEmpty() && stretch.intersects(range)) {
            device.pieces.push_back({range.clampedTo(stretch), i, work[i].workClass});
        }
    }
    HostWaits waits(trace, stretch);
    for (const auto &[key, device] : devices)
        DeviceSweep(trace, stretch, waits, parts, progress).run(device.pieces, device.after ? &*device.after : nullptr);
    return devices.size();
}

void addHostParts(const Trace &trace, LaneId lane, TimeRange stretch, PartTimes &parts)
{
    const TorchNesting &nesting = torchNesting(trace);
    const std::uint32_t first = nesting.firstOfLane(lane);
    const auto calls = nesting.calls().subspan(first, nesting.endOfLane(lane) - first);
    struct OfCall
    {
        TimeNs self = 0;
        bool counts = false;
    };
    std::vector<OfCall> ofCall(calls.size());
    TimeNs rest = stretch.duration();
    for (std::size_t i = 0; i < calls.size() && calls[i].range.begin < stretch.end; ++i) {
        if (!stretch.intersects(calls[i].range))
            continue;
        const TimeNs inside = calls[i].range.clampedTo(stretch).duration();
        ofCall[i].self += inside;
        ofCall[i].counts = true;
        if (calls[i].parent == TorchNesting::kNone)
            rest -= inside;
        else
            ofCall[calls[i].parent - first].self -= inside;
    }
    std::unordered_map<NameId, PartTime *> known; // entries of a map stay where they are
    const auto partOf = [&](NameId name) -> PartTime & {
        PartTime *&part = known[name];
        if (!part)
            part = &parts[{StepPart::Host, std::string(nameText(name)), {}}];
        return *part;
    };
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!ofCall[i].counts)
            continue;
        const EventId event = calls[i].event;
        if (trace.kind(event) == EventKind::Annotation && trace.name(event).starts_with(kStepPrefix)) {
            rest += ofCall[i].self;
            continue;
        }
        PartTime &part = partOf(trace.nameId(event));
        part.sum = saturatingAdd(part.sum, ofCall[i].self);
        part.show(calls[i].range, event); // the whole of it, children and all
    }
    PartTime &outside = parts[{StepPart::Host, "outside operators", {}}];
    outside.sum = saturatingAdd(outside.sum, rest);
    outside.show(stretch, kNoEvent);
}

} // namespace ks
