// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/row_trace.h"

#include "core/base/name_pool.h"

#include <algorithm>
#include <array>

namespace ks {

RowTrace::RowTrace()
{
    // One category per kind, so that a CategoryId is a kind.
    for (int kind = 0; kind <= static_cast<int>(EventKind::Other); ++kind) {
        const auto k = static_cast<EventKind>(kind);
        m_data.categories.push_back({internName(eventKindId(k)), k});
    }
}

RowTrace &RowTrace::process(std::string_view pid, std::string_view name)
{
    Process process;
    process.pid = ScalarId(pid);
    process.name = name;
    m_data.processes.push_back(process);
    return *this;
}

RowTrace &RowTrace::lane(LaneKind kind, LaneRole role, std::string_view tid)
{
    close();
    Lane lane;
    lane.process = static_cast<ProcessId>(m_data.processes.size() - 1);
    lane.kind = kind;
    lane.role = role;
    lane.tid = ScalarId(tid);
    lane.name = tid;
    if (kind == LaneKind::Gpu) {
        lane.device = m_data.processes.back().pid.number();
        lane.stream = lane.tid.number();
    }
    lane.firstRow = lane.endRow = static_cast<RowId>(m_data.rows.size());
    lane.firstEvent = lane.endEvent = static_cast<EventId>(m_data.events.size());
    m_data.processes.back().lanes.push_back(static_cast<LaneId>(m_data.lanes.size()));
    m_data.lanes.push_back(lane);
    return *this;
}

RowTrace &RowTrace::row(RowGroup group)
{
    close();
    Row row;
    row.lane = static_cast<LaneId>(m_data.lanes.size() - 1);
    row.group = group;
    const bool sameGroup =
        !m_data.rows.empty() && m_data.rows.back().lane == row.lane && m_data.rows.back().group == group;
    row.depth = sameGroup ? m_data.rows.back().depth + 1 : 0;
    row.firstEvent = row.endEvent = static_cast<EventId>(m_data.events.size());
    m_data.rows.push_back(row);
    m_data.lanes.back().endRow = static_cast<RowId>(m_data.rows.size());
    return *this;
}

EventId RowTrace::event(std::string_view name, EventKind kind, TimeNs begin, TimeNs duration, EventId parent)
{
    return event(internName(name), kind, begin, duration, parent);
}

EventId RowTrace::event(NameId name, EventKind kind, TimeNs begin, TimeNs duration, EventId parent)
{
    EventTable &events = m_data.events;
    const auto id = static_cast<EventId>(events.size());
    events.begin.push_back(begin);
    if (duration < TimeNs{EventTable::kLong}) {
        events.duration.push_back(static_cast<std::uint32_t>(duration));
    } else {
        events.duration.push_back(EventTable::kLong);
        m_longDurations.emplace_back(id, duration);
    }
    events.name.push_back(name);
    events.category.push_back(static_cast<CategoryId>(kind));
    events.parent.push_back(parent);
    events.fileIndex.push_back(static_cast<std::uint32_t>(id));
    events.recordOffsetLow.push_back(0);
    events.recordOffsetHigh.push_back(0);
    const TimeRange range{begin, begin + duration};
    m_data.range = id == EventId{0} ? range : m_data.range.united(range);
    return id;
}

void RowTrace::close()
{
    if (!m_data.rows.empty())
        m_data.rows.back().endEvent = static_cast<EventId>(m_data.events.size());
    if (!m_data.lanes.empty())
        m_data.lanes.back().endEvent = static_cast<EventId>(m_data.events.size());
}

std::shared_ptr<const Trace> RowTrace::build()
{
    close();
    m_data.events.longDurations = SparseColumn<TimeNs>::fromPairs(std::move(m_longDurations));
    m_data.mainRange = m_data.range;
    return std::make_shared<const Trace>(std::move(m_data));
}

std::shared_ptr<const Trace> randomRowTrace(std::mt19937_64 &random, const RandomRows &options)
{
    constexpr std::array kNames = {"aten::mm",
                                   "aten::add",
                                   "ampere_sgemm_128x64_nn",
                                   "void at::native::elementwise_kernel",
                                   "ncclKernel_AllReduce",
                                   "ProfilerStep#3",
                                   "cudaLaunchKernel"};
    const auto upTo = [&random](TimeNs most) {
        return std::uniform_int_distribution<TimeNs>(0, std::max<TimeNs>(most, 0))(random);
    };
    RowTrace rows;
    rows.process("7", "python");
    for (int l = 0; l < options.lanes; ++l) {
        const bool device = l % 2 == 1;
        rows.lane(device ? LaneKind::Gpu : LaneKind::Cpu, device ? LaneRole::ComputeStream : LaneRole::Thread,
                  std::to_string(l));
        for (int r = 0; r < options.rows; ++r) {
            rows.row();
            TimeNs t = upTo(options.longestGap);
            for (int e = 0; e < options.events; ++e) {
                const bool zero = upTo(999) < static_cast<TimeNs>(options.zeroShare * 1000);
                const TimeNs duration = zero ? 0 : upTo(options.longestEvent);
                rows.event(kNames[static_cast<std::size_t>(upTo(kNames.size() - 1))],
                           device ? EventKind::Kernel : EventKind::Operator, t, duration);
                t += duration + (upTo(2) == 0 ? 0 : upTo(options.longestGap));
            }
        }
    }
    return rows.build();
}

} // namespace ks
