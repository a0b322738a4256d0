// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/trim.h"

#include "core/analysis/idle.h"
#include "core/analysis/nearest_above.h"
#include "core/analysis/torch_nesting.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace ks {
namespace {

constexpr std::uint32_t kNone = TorchNesting::kNone;

class Trimmer
{
public:
    Trimmer(const Trace &trace, const Scope &scope, const Progress &progress)
        : m_trace(trace)
        , m_selected(trace, scope)
        , m_nesting(torchNesting(trace, progress))
        , m_progress(progress)
        , m_kept(trace.eventCount(), false)
    {}

    TrimmedTrace run() &&
    {
        keepSelected();
        if (m_selected.hasSteps() || m_selected.hasEvents())
            keepBelow();
        measure();
        keepLinks();
        keepAround();
        keepMemory();
        keepAtGaps();
        for (const Step &step : m_trace.steps()) {
            if (step.range.begin <= m_result.range.end && step.range.end >= m_result.range.begin)
                keep(step.event);
        }
        keepAround();
        keepSecondChildren();
        keepAround();
        for (std::size_t i = 0; i < m_kept.size(); ++i) {
            if (m_kept[i])
                m_result.events.push_back(static_cast<EventId>(i));
        }
        std::sort(m_result.events.begin(), m_result.events.end(),
                  [this](EventId a, EventId b) { return m_trace.fileIndex(a) < m_trace.fileIndex(b); });
        return std::move(m_result);
    }

private:
    void keep(EventId event)
    {
        if (event == kNoEvent || m_kept[index(event)])
            return;
        m_kept[index(event)] = true;
        m_new.push_back(event);
    }

    template<typename Visit>
    void forEachEvent(Visit visit)
    {
        for (std::size_t l = 0; l < m_trace.lanes().size(); ++l) {
            const Lane &lane = m_trace.lanes()[l];
            for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
                if ((index(id) & 0xffffU) == 0)
                    m_progress.throwIfStopped();
                visit(id, static_cast<LaneId>(l));
            }
        }
    }

    void keepSelected()
    {
        forEachEvent([this](EventId id, LaneId lane) {
            if (m_selected.includesLane(lane) && m_selected.part(id))
                keep(id);
        });
    }

    // What stands in selected host events, as far as a range of time selects it.
    void keepBelow()
    {
        const std::vector<bool> selected = m_kept;
        NearestAbove above(
            m_trace, [&selected](EventId id) { return selected[index(id)]; },
            [this](EventId id) { return m_trace.parent(id); });
        forEachEvent([&](EventId id, LaneId lane) {
            if (m_trace.lane(lane).kind == LaneKind::Gpu)
                return; // work that lies below other work is launched by itself
            const bool isInRange = !m_selected.range() || m_selected.range()->intersects(m_trace.range(id))
                                   || m_selected.range()->contains(m_trace.begin(id));
            if (!m_kept[index(id)] && isInRange && above(id) != kNoEvent)
                keep(id);
        });
    }

    // The time of what is selected.
    void measure()
    {
        if (m_selected.range()) {
            m_result.range = m_selected.range()->clampedTo(m_trace.range());
            return;
        }
        bool isFirst = true;
        for (const EventId event : m_new) {
            const TimeRange range = m_trace.range(event);
            m_result.range = std::exchange(isFirst, false) ? range : m_result.range.united(range);
        }
    }

    void keepLinks()
    {
        for (std::size_t i = 0; i < m_new.size(); ++i) { // grows
            const EventId event = m_new[i];
            const EventKind kind = m_trace.kind(event);
            if (isDeviceWork(kind)) {
                const LaunchLink link = m_trace.launchLink(event);
                keep(link.launch);
                keep(link.op);
            } else if (kind == EventKind::Launch) {
                for (const EventId work : m_trace.workOfLaunch(event))
                    keep(work);
            }
        }
    }

    // Everything around what is kept, and python callers.
    void keepAround()
    {
        while (!m_new.empty()) {
            const EventId event = m_new.back();
            m_new.pop_back();
            if (m_trace.lane(m_trace.lane(event)).kind == LaneKind::Gpu)
                continue;
            keep(m_trace.parent(event));
            keep(m_trace.caller(event));
        }
    }

    // The records of the time; before it those of blocks that are alive when it begins, and the last one of each device.
    void keepMemory()
    {
        const MemoryLog &log = m_trace.memory();
        struct DeviceMemory
        {
            std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> alive; // by address
            std::uint32_t last = 0;
        };
        std::map<std::pair<std::int16_t, std::int16_t>, DeviceMemory> devices;
        std::vector<std::uint32_t> &kept = m_result.memoryRecords;
        std::uint32_t at = 0;
        for (; at < log.size() && log[at].time < m_result.range.begin; ++at) {
            DeviceMemory &device = devices[{log[at].deviceType, log[at].deviceId}];
            device.last = at;
            std::vector<std::uint32_t> &blocks = device.alive[log[at].address];
            if (log[at].bytes > 0 && !log[at].outOfMemory)
                blocks.push_back(at);
            else if (log[at].bytes < 0 && !blocks.empty())
                blocks.pop_back();
        }
        for (const auto &[key, device] : devices) {
            kept.push_back(device.last);
            for (const auto &[address, blocks] : device.alive)
                kept.insert(kept.end(), blocks.begin(), blocks.end());
        }
        std::sort(kept.begin(), kept.end());
        kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
        for (; at < log.size() && log[at].time <= m_result.range.end; ++at)
            kept.push_back(at);
        std::vector<TimeNs> times;
        for (const std::uint32_t record : kept)
            times.push_back(log[record].time);
        for (const Row &row : m_trace.rows()) {
            if (m_trace.lane(row.lane).kind == LaneKind::Cpu && row.group == RowGroup::Work)
                keepAt(row, times);
        }
    }

    // The events of a row that are open at some times, both ends included.
    void keepAt(const Row &row, std::span<const TimeNs> times)
    {
        EventId at = row.firstEvent;
        for (const TimeNs time : times) {
            while (at < row.endEvent && m_trace.end(at) < time)
                at = advance(at, 1);
            for (EventId id = at; id < row.endEvent && m_trace.begin(id) <= time; id = advance(id, 1))
                keep(id);
        }
    }

    // What the launching thread was in when a gap of a stream began.
    void keepAtGaps()
    {
        std::map<LaneId, std::vector<TimeNs>> times;
        for (const auto &[stream, work] : byStream(m_trace, selectedWork(m_selected, m_progress))) {
            for (const IdleGap &gap : idleGaps(m_trace, work)) {
                const EventId launch = m_trace.launchLink(gap.after).launch;
                if (launch != kNoEvent)
                    times[m_trace.lane(launch)].push_back(gap.range.begin);
            }
        }
        for (auto &[id, ofLane] : times) {
            std::sort(ofLane.begin(), ofLane.end());
            const Lane &lane = m_trace.lane(id);
            for (RowId row = lane.firstRow; row < lane.endRow; row = advance(row, 1))
                keepAt(m_trace.row(row), ofLane);
        }
    }

    // A call with one child of its own name is one call with it; one that had more must not become such a call.
    void keepSecondChildren()
    {
        const auto calls = m_nesting.calls();
        std::vector<std::uint8_t> children(calls.size(), 0); // kept ones, two at most
        for (const TorchNesting::Call &call : calls) {
            if (call.parent != kNone && m_kept[index(call.event)] && children[call.parent] < 2)
                ++children[call.parent];
        }
        for (const TorchNesting::Call &call : calls) {
            if (call.parent == kNone || m_kept[index(call.event)] || children[call.parent] != 1)
                continue;
            children[call.parent] = 2;
            keep(call.event);
        }
    }

    const Trace &m_trace;
    TraceScope m_selected;
    const TorchNesting &m_nesting;
    const Progress &m_progress;
    std::vector<bool> m_kept;
    std::vector<EventId> m_new; // kept, what they rest on not yet
    TrimmedTrace m_result;
};

} // namespace

TrimmedTrace trimmed(const Trace &trace, const Scope &scope, const Progress &progress)
{
    return Trimmer(trace, scope, progress).run();
}

} // namespace ks
