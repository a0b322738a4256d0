// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/flows_in_view.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ks {
namespace {

constexpr std::size_t kMostLooked = 6000; // events

// Every `stride`-th event that stands for a box or a cell of the list.
template<typename Look>
void forDrawn(const Trace &trace, const DrawList &list, std::size_t stride, Look look)
{
    std::size_t n = 0;
    for (const DrawRow &row : list.rows) {
        if (row.row == kNoRow)
            continue;
        for (std::uint32_t i = row.firstBox; i < row.endBox; ++i) {
            if (n++ % stride == 0)
                look(list.boxes[i].event);
        }
        for (std::uint32_t i = row.firstCell; i < row.endCell; ++i) {
            if (n++ % stride == 0)
                look(eventsOf(trace, list, row, list.cells[i]).first);
        }
    }
}

} // namespace

FlowsInView flowsInView(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, const DrawList &list)
{
    const std::size_t drawn = list.boxes.size() + list.cells.size();
    const std::size_t stride = drawn / kMostLooked + 1;
    FlowsInView result;
    result.isSample = stride > 1;

    struct Candidate
    {
        int pixel; // where it starts
        RowId to;
        FlowLink link;
    };
    std::vector<Candidate> candidates;
    const auto offer = [&](EventId from, EventId to, FlowKind kind) {
        const EventPlace a = placeOf(trace, viewport, layout, from);
        const EventPlace b = placeOf(trace, viewport, layout, to);
        if (a.shown == RowPlace::Shown::No || b.shown == RowPlace::Shown::No)
            return;
        if (a.x1 < 0 || a.x0 > viewport.width() || b.x1 < 0 || b.x0 > viewport.width())
            return; // arrows from or to nowhere are those of the selection
        candidates.push_back({static_cast<int>(std::lround(a.x0)), trace.row(to), {from, to, kind}});
    };
    forDrawn(trace, list, stride, [&](EventId id) {
        const EventKind kind = trace.kind(id);
        if (isDeviceWork(kind)) {
            const EventId launch = trace.launchLink(id).launch;
            if (launch != kNoEvent)
                offer(launch, id, FlowKind::Launch);
        } else if (laneKindOf(kind) == LaneKind::Cpu) {
            const EventId forward = trace.forwardOf(id);
            if (forward != kNoEvent)
                offer(forward, id, FlowKind::Mate);
        }
        for (const Arrow &arrow : trace.arrowsFrom(id)) {
            if (!isDeviceWork(trace.kind(arrow.to)) && trace.forwardOf(arrow.to) != arrow.from)
                offer(arrow.from, arrow.to, FlowKind::Arrow);
        }
    });
    const auto key = [](const Candidate &c) { return std::tuple(c.pixel, c.to); };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](const Candidate &a, const Candidate &b) { return key(a) < key(b); });
    candidates.erase(std::unique(candidates.begin(), candidates.end(),
                                 [&](const Candidate &a, const Candidate &b) { return key(a) == key(b); }),
                     candidates.end());
    result.apart = candidates.size();
    const std::size_t kept = std::min(candidates.size(), kMaxFlows);
    for (std::size_t i = 0; i < kept; ++i)
        result.links.push_back(candidates[i * candidates.size() / kept].link);
    return result;
}

} // namespace ks
