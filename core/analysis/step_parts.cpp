// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/step_parts.h"

#include "core/analysis/call_work.h"
#include "core/analysis/device_work.h"
#include "core/analysis/host_waits.h"
#include "core/analysis/torch_nesting.h"
#include "core/trace/kernel_family.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace ks {
namespace {

// The work of one device in the order of its begins.
struct Piece
{
    TimeRange range;
    std::uint32_t position = 0; // in workIndex(trace)
    WorkClass workClass = WorkClass::Compute;
};

} // namespace

struct StepParts::Devices
{
    explicit Devices(const Trace &trace, const Progress &progress)
        : waits(trace)
    {
        const auto work = workIndex(trace, progress).byBegin();
        for (std::uint32_t i = 0; i < work.size(); ++i) {
            if ((i & 0xffffU) == 0)
                progress.throwIfStopped();
            positions[trace.lane(work[i].lane).device].push_back(i);
        }
    }

    std::map<std::optional<std::int64_t>, std::vector<std::uint32_t>> positions; // in workIndex(trace), by device
    HostWaits waits;
};

// Goes over the work of one device in one stretch.
class StepParts::Sweep
{
public:
    Sweep(const Trace &trace, TimeRange stretch, HostWaits &waits, StepParts &parts, const Progress &progress)
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
            const NameId op = call != TorchNesting::kNone ? m_trace.nameId(m_nesting.calls()[call].event) : kNoName;
            const NameId name = m_trace.nameId(event);
            if (workClass == WorkClass::Compute)
                m_parts.part(StepPart::Kernels, m_parts.familyOf(name), op).add(range, event);
            else
                m_parts.part(workClass == WorkClass::Memory ? StepPart::Copies : StepPart::Communication, name, op)
                    .add(range, event);
            return;
        }
        addIdle(range, next);
    }

    // `next`: the work it ends with; null if none comes.
    void addIdle(TimeRange range, const Piece *next)
    {
        const EventId launch = next ? m_work[next->position].launch : kNoEvent;
        if (launch == kNoEvent) {
            m_parts.part(StepPart::Idle, next ? m_causes.launchUnknown : m_causes.nothingLaunched)
                .add(range, next ? m_work[next->position].event : kNoEvent);
            return;
        }
        const TimeNs launched = std::clamp(m_trace.begin(launch), range.begin, range.end);
        const HostWaits::Split host = m_waits.split(m_trace.lane(launch), {range.begin, launched});
        TimeNs at = range.begin;
        for (const auto &[cause, time] : {std::pair(m_causes.waiting, host.synchronizing),
                                          {m_causes.loading, host.loading},
                                          {m_causes.host, host.other},
                                          {m_causes.launch, range.end - launched}}) {
            if (time > 0)
                m_parts.part(StepPart::Idle, cause).add({at, at + time}, m_work[next->position].event);
            at += time;
        }
    }

    // Of idle time.
    struct Causes
    {
        NameId launchUnknown = internName("launch unknown");
        NameId nothingLaunched = internName("nothing launched");
        NameId waiting = internName("waiting for the device");
        NameId loading = internName("loading data");
        NameId host = internName("host");
        NameId launch = internName("launch");
    };

    const Trace &m_trace;
    std::span<const WorkIndex::Entry> m_work;
    const CallWork &m_owners;
    const TorchNesting &m_nesting;
    TimeRange m_stretch;
    HostWaits &m_waits;
    StepParts &m_parts;
    Causes m_causes;
};

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

StepParts::StepParts() = default;
StepParts::StepParts(StepParts &&) noexcept = default;
StepParts::~StepParts() = default;

StepParts::Devices &StepParts::devicesOf(const Trace &trace, const Progress &progress)
{
    std::unique_ptr<Devices> &devices = m_devices[&trace];
    if (!devices)
        devices = std::make_unique<Devices>(trace, progress);
    return *devices;
}

PartTime &StepParts::part(StepPart part, NameId name, NameId op)
{
    PartTime *&known = m_known[{part, name, op}];
    if (!known)
        known = &m_times[{part, std::string(nameText(name)), std::string(nameText(op))}];
    return *known;
}

NameId StepParts::familyOf(NameId kernel)
{
    const auto [known, isNew] = m_families.try_emplace(kernel, kNoName);
    if (isNew)
        known->second = internName(kernelFamilyId(kernelFamilyOf(nameText(kernel))));
    return known->second;
}

std::size_t StepParts::addDevices(const Trace &trace, TimeRange stretch, const Progress &progress)
{
    Devices &devices = devicesOf(trace, progress);
    const WorkIndex &all = workIndex(trace, progress);
    const auto work = all.byBegin();
    const auto first = static_cast<std::uint32_t>(all.near(stretch).data() - work.data());
    for (const auto &[device, positions] : devices.positions) {
        progress.throwIfStopped();
        std::vector<Piece> pieces;
        std::optional<Piece> after;
        for (auto at = std::lower_bound(positions.begin(), positions.end(), first); at != positions.end() && !after;
             ++at) {
            const TimeRange range = work[*at].range;
            if (range.begin >= stretch.end)
                after = Piece{range, *at, work[*at].workClass};
            else if (!range.isEmpty() && stretch.intersects(range))
                pieces.push_back({range.clampedTo(stretch), *at, work[*at].workClass});
        }
        Sweep(trace, stretch, devices.waits, *this, progress).run(pieces, after ? &*after : nullptr);
    }
    return devices.positions.size();
}

void StepParts::addHost(const Trace &trace, LaneId lane, TimeRange stretch)
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
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!ofCall[i].counts)
            continue;
        const EventId event = calls[i].event;
        if (trace.kind(event) == EventKind::Annotation && trace.name(event).starts_with(kStepPrefix)) {
            rest += ofCall[i].self;
            continue;
        }
        PartTime &own = part(StepPart::Host, trace.nameId(event));
        own.sum = saturatingAdd(own.sum, ofCall[i].self);
        own.show(calls[i].range, event); // the whole of it, children and all
    }
    PartTime &outside = part(StepPart::Host, internName("outside operators"));
    outside.sum = saturatingAdd(outside.sum, rest);
    outside.show(stretch, kNoEvent);
}

} // namespace ks
