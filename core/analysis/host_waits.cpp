// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/host_waits.h"

#include <string_view>
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

// Asks once for each name.
class NameTest
{
public:
    explicit NameTest(bool (*test)(std::string_view))
        : m_test(test)
    {}
    bool operator()(NameId name)
    {
        const auto [known, isNew] = m_known.try_emplace(name, false);
        if (isNew)
            known->second = m_test(nameText(name));
        return known->second;
    }

private:
    bool (*m_test)(std::string_view);
    std::unordered_map<NameId, bool> m_known;
};

} // namespace

HostWaits::Split HostWaits::split(LaneId lane, TimeRange range)
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

HostWaits::OfLane HostWaits::find(LaneId id) const
{
    std::vector<TimeRange> waits, loads;
    NameTest isWait(waitsForDevice);
    NameTest isLoad(loadsData);
    const Lane &lane = m_trace.lane(id);
    for (EventId event = lane.firstEvent; event < lane.endEvent; event = advance(event, 1)) {
        const EventKind kind = m_trace.kind(event);
        if (kind == EventKind::Launch && isWait(m_trace.nameId(event)))
            waits.push_back(m_trace.range(event));
        else if ((kind == EventKind::Operator || kind == EventKind::Annotation) && isLoad(m_trace.nameId(event)))
            loads.push_back(m_trace.range(event));
    }
    OfLane found;
    found.waits = BusyTime(std::move(waits));
    found.either = BusyTime::united(found.waits, BusyTime(std::move(loads)));
    return found;
}

} // namespace ks
