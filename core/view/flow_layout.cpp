// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/flow_layout.h"

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr double kLeastBend = 24;
constexpr double kMostBend = 90;
constexpr double kSame = 5; // pixels: curves nearer than this at both ends are one; more make a bar of it

void addWorkOf(const Trace &trace, EventId launch, std::vector<FlowLink> &links)
{
    for (const EventId work : trace.workOfLaunch(launch))
        links.push_back({launch, work, FlowKind::Launch});
}

// Launches on the lane of `op` that run inside it. Beyond `limit` they are only counted.
std::size_t addLaunchesInside(const Trace &trace, EventId op, std::size_t limit, std::vector<FlowLink> &links)
{
    std::size_t leftOut = 0;
    const std::span<const EventId> launches = trace.links().launches;
    const Lane &lane = trace.lane(trace.lane(op));
    const TimeRange range = trace.range(op);
    auto at = std::lower_bound(launches.begin(), launches.end(), range.begin, [&](EventId launch, TimeNs t) {
        return launch < lane.firstEvent || (launch < lane.endEvent && trace.begin(launch) < t);
    });
    for (; at != launches.end() && *at < lane.endEvent && trace.begin(*at) < range.end; ++at) {
        if (trace.end(*at) > range.end)
            continue;
        if (links.size() < limit)
            addWorkOf(trace, *at, links);
        else
            ++leftOut;
    }
    for (const EventId work : trace.links().workOfOperator.of(op))
        links.push_back({op, work, FlowKind::Launch});
    return leftOut;
}

// A call that waits for the device ends when the work it waits for does: the last piece that ends while it waits.
void addWait(const Trace &trace, EventId call, std::vector<FlowLink> &links)
{
    if (trace.name(call).find("Synchronize") == std::string_view::npos)
        return;
    constexpr TimeNs kClocks = 20'000; // ns by which the clocks of host and device may differ
    const auto &begins = trace.events().begin;
    const TimeRange waiting = trace.range(call);
    EventId last = kNoEvent;
    for (const Row &row : trace.rows()) {
        if (row.group != RowGroup::Work || trace.lane(row.lane).kind != LaneKind::Gpu)
            continue;
        const auto first = begins.begin() + static_cast<std::ptrdiff_t>(row.firstEvent);
        const auto after =
            std::lower_bound(first, begins.begin() + static_cast<std::ptrdiff_t>(row.endEvent), waiting.end);
        if (after == first)
            continue;
        const auto work = static_cast<EventId>(after - begins.begin() - 1);
        const TimeNs end = trace.end(work);
        if (isDeviceWork(trace.kind(work)) && end > waiting.begin && end <= saturatingAdd(waiting.end, kClocks)
            && (last == kNoEvent || end > trace.end(last)))
            last = work;
    }
    if (last != kNoEvent)
        links.push_back({last, call, FlowKind::Arrow});
}

TimeNs apart(const Trace &trace, const FlowLink &link)
{
    const TimeNs d = saturatingSubtract(trace.begin(link.to), trace.begin(link.from));
    return d < 0 ? saturatingSubtract(0, d) : d;
}

FlowPoint pointOf(const EventPlace &place, EventId event, double x, const Viewport &viewport, FlowView view)
{
    FlowPoint point;
    point.event = event;
    point.x = std::clamp(x, 0.0, viewport.width());
    const double y = place.y + place.height / 2.0;
    const bool isPinned = y < view.pinned;
    point.y = isPinned ? y : std::clamp<double>(y, view.top, view.bottom);
    // An event that began before the view and reaches into it is seen.
    const bool seen = place.x1 > 0 && place.x0 < viewport.width() && (isPinned || (y >= view.top && y <= view.bottom));
    point.atEdge = !seen;
    return point;
}

} // namespace

std::vector<FlowLink> flowLinksOf(const Trace &trace, EventId event, std::size_t limit, std::size_t *total)
{
    std::vector<FlowLink> links;
    std::size_t leftOut = 0;
    const EventKind kind = trace.kind(event);
    if (isDeviceWork(kind)) {
        const LaunchLink link = trace.launchLink(event);
        if (link.launch != kNoEvent)
            links.push_back({link.launch, event, FlowKind::Launch});
        else if (link.op != kNoEvent)
            links.push_back({link.op, event, FlowKind::Launch});
    } else if (kind == EventKind::Launch) {
        addWorkOf(trace, event, links);
        addWait(trace, event, links);
    } else if (laneKindOf(kind) == LaneKind::Cpu) {
        leftOut = addLaunchesInside(trace, event, limit, links);
    }
    if (const EventId forward = trace.forwardOf(event); forward != kNoEvent)
        links.push_back({forward, event, FlowKind::Mate});
    for (const EventId backward : trace.backwardOf(event))
        links.push_back({event, backward, FlowKind::Mate});

    // Arrows of the file often say again what is known already.
    const auto isKnown = [&links](EventId from, EventId to) {
        return std::any_of(links.begin(), links.end(),
                           [&](const FlowLink &link) { return link.from == from && link.to == to; });
    };
    std::vector<FlowLink> fromFile;
    for (const Arrow &arrow : trace.arrowsFrom(event)) {
        if (!isKnown(arrow.from, arrow.to))
            fromFile.push_back({arrow.from, arrow.to, FlowKind::Arrow});
    }
    for (const Arrow &arrow : trace.arrowsTo(event)) {
        if (!isKnown(arrow.from, arrow.to))
            fromFile.push_back({arrow.from, arrow.to, FlowKind::Arrow});
    }
    links.insert(links.end(), fromFile.begin(), fromFile.end());

    if (total)
        *total = links.size() + leftOut;
    if (links.size() > limit) {
        std::stable_sort(links.begin(), links.end(),
                         [&trace](const FlowLink &a, const FlowLink &b) { return apart(trace, a) < apart(trace, b); });
        links.resize(limit);
    }
    return links;
}

std::vector<FlowCurve> layoutFlows(const Trace &trace, const Viewport &viewport, const LaneLayout &layout,
                                   FlowView view, const std::vector<FlowLink> &links)
{
    std::vector<FlowCurve> curves;
    for (const FlowLink &link : links) {
        if (curves.size() == kMaxFlows)
            break;
        const EventPlace from = placeOf(trace, viewport, layout, link.from);
        const EventPlace to = placeOf(trace, viewport, layout, link.to);
        if (from.shown == RowPlace::Shown::No || to.shown == RowPlace::Shown::No)
            continue;
        FlowCurve curve;
        curve.kind = link.kind;
        // From the visible middle of the box to the left edge of the other.
        const double x0 = std::clamp(from.x0, 0.0, viewport.width());
        const double x1 = std::clamp(from.x1, 0.0, viewport.width());
        const bool inView = from.x1 > 0 && from.x0 < viewport.width();
        curve.from = pointOf(from, link.from, inView ? (x0 + x1) / 2 : from.x0, viewport, view);
        curve.to = pointOf(to, link.to, to.x0, viewport, view);
        if (curve.from.atEdge && curve.to.atEdge && curve.from.x == curve.to.x)
            continue; // both on the same side: nothing to see
        const double bend = std::clamp(std::abs(curve.to.x - curve.from.x) / 2, kLeastBend, kMostBend);
        curve.control0 = curve.from.x + bend;
        curve.control1 = curve.to.x - bend;
        const bool drawn = std::any_of(curves.begin(), curves.end(), [&curve](const FlowCurve &other) {
            return std::abs(other.from.x - curve.from.x) < kSame && std::abs(other.to.x - curve.to.x) < kSame
                   && other.from.y == curve.from.y && other.to.y == curve.to.y;
        });
        if (!drawn)
            curves.push_back(curve);
    }
    return curves;
}

EventId edgeMarkerAt(const std::vector<FlowCurve> &flows, double x, double y, double tolerance)
{
    for (const FlowCurve &flow : flows) {
        for (const FlowPoint &point : {flow.from, flow.to}) {
            if (point.atEdge && std::hypot(point.x - x, point.y - y) <= tolerance)
                return point.event;
        }
    }
    return kNoEvent;
}

} // namespace ks
