// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/area_work.h"

namespace ks {
namespace {

// One trace of the set and the part of the area that is on it.
struct Part
{
    std::shared_ptr<const Trace> trace;
    TimeRange range;
    std::vector<LaneId> lanes; // none = all
};

std::vector<Part> partsOf(const TraceSet &traces, const Area &area)
{
    std::vector<Part> parts;
    for (std::uint32_t i = 0; i < traces.size(); ++i) {
        Part part{traces.share(i), traces.toTraceTime(i, area.range), {}};
        for (const LaneRef lane : area.lanes) {
            if (lane.trace == i && traces.isValid(lane))
                part.lanes.push_back(lane.lane);
        }
        if (area.lanes.empty() || !part.lanes.empty())
            parts.push_back(std::move(part));
    }
    return parts;
}

} // namespace

std::function<WorkSummary(const Progress &)> areaWork(const TraceSet &traces, const Area &area)
{
    return [parts = partsOf(traces, area)](const Progress &progress) {
        WorkSummary sum;
        for (const Part &part : parts) {
            const WorkSummary one = summariseArea(*part.trace, part.range, part.lanes, progress);
            sum.events += one.events;
            sum.work += one.work;
            sum.sum = saturatingAdd(sum.sum, one.sum);
            sum.busy = saturatingAdd(sum.busy, one.busy);
        }
        return sum;
    };
}

std::function<AreaSummary(const Progress &)> areaReport(const TraceSet &traces, const Area &area)
{
    return [parts = partsOf(traces, area)](const Progress &progress) {
        AreaSummary sum;
        for (const Part &part : parts)
            sum.add(areaSummary(*part.trace, part.range, part.lanes, progress));
        return sum;
    };
}

} // namespace ks
