// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/hit_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ks {
namespace {

constexpr double kThin = 4; // logical pixels: boxes narrower than this are hit beside, too
constexpr double kThinnestDrawn = 1;

// How far x is from [x0, x1); x1 itself is already outside.
double distanceTo(double x, double x0, double x1)
{
    constexpr double kOutside = 1e-6;
    return x < x0 ? x0 - x : x >= x1 ? std::max(x - x1, kOutside) : 0;
}

struct Nearest
{
    double distance = std::numeric_limits<double>::infinity();
    EventId first = kNoEvent, end = kNoEvent;

    void offer(double d, EventId from, EventId to)
    {
        if (d < distance)
            *this = {d, from, to};
    }
};

Nearest nearestIn(const Trace &trace, const DrawList &list, const DrawRow &row, double x, double tolerance)
{
    Nearest nearest;
    // Cells lie above boxes, so they come first and win a tie.
    const auto cells = std::span(list.cells).subspan(row.firstCell, row.endCell - row.firstCell);
    const double width = list.columnWidth;
    auto cell = std::lower_bound(cells.begin(), cells.end(), x - tolerance - width,
                                 [width](const Cell &c, double wanted) { return c.column * width < wanted; });
    for (; cell != cells.end() && cell->column * width <= x + tolerance; ++cell) {
        const auto [first, end] = eventsOf(trace, list, row, *cell);
        nearest.offer(distanceTo(x, cell->column * width, (cell->column + 1) * width), first, end);
    }

    const auto boxes = std::span(list.boxes).subspan(row.firstBox, row.endBox - row.firstBox);
    auto box = std::lower_bound(boxes.begin(), boxes.end(), x - tolerance, [](const Box &b, double wanted) {
        return std::max<double>(b.x1, b.x0 + kThinnestDrawn) < wanted;
    });
    for (; box != boxes.end() && box->x0 <= x + tolerance; ++box) {
        const double x1 = std::max<double>(box->x1, box->x0 + kThinnestDrawn);
        const double d = distanceTo(x, box->x0, x1);
        if (d == 0 || x1 - box->x0 < kThin)
            nearest.offer(d, box->event, advance(box->event, 1));
    }
    return nearest;
}

} // namespace

Hit hitTest(const Trace &trace, const DrawList &list, const LaneLayout &layout, double x, int y, double tolerance)
{
    Hit hit;
    hit.block = layout.blockAt(y);
    if (hit.block == LaneLayout::kNone)
        return hit;
    const Block &block = layout.blocks()[hit.block];
    if (block.kind == BlockKind::Heading || block.kind == BlockKind::Curves) {
        hit.kind = block.kind == BlockKind::Heading ? Hit::Kind::Heading : Hit::Kind::Curves;
        return hit;
    }
    hit.kind = Hit::Kind::Lane;

    for (const Tick &tick : list.ticks) {
        if (tick.y == block.y && y < block.y + kLanePadding + 3 && std::abs(tick.x - x) <= tolerance) {
            hit.kind = Hit::Kind::Instant;
            hit.instant = tick.instant;
            return hit;
        }
    }

    auto row = std::upper_bound(list.rows.begin(), list.rows.end(), y,
                                [](int wanted, const DrawRow &r) { return wanted < r.y; });
    if (row == list.rows.begin())
        return hit;
    --row;
    // The gap under a row belongs to it.
    if (y >= row->y + std::max(row->pitch, row->height + (row->pitch == row->height ? kRowPitch - kBoxHeight : 0))
        || row->y < block.y)
        return hit;
    hit.row = row->row;
    const Nearest nearest = nearestIn(trace, list, *row, x, tolerance);
    if (nearest.distance > tolerance)
        return hit;
    hit.first = nearest.first;
    hit.end = nearest.end;
    hit.kind = distance(hit.first, hit.end) == 1 ? Hit::Kind::Event : Hit::Kind::Run;
    return hit;
}

std::optional<TimeNs> edgeNear(const Trace &trace, const DrawList &list, double x, int y, double tolerance)
{
    auto row = std::upper_bound(list.rows.begin(), list.rows.end(), y,
                                [](int wanted, const DrawRow &r) { return wanted < r.y; });
    if (row == list.rows.begin())
        return {};
    --row;
    if (y >= row->y + row->height + (kRowPitch - kBoxHeight) || row->row == kNoRow)
        return {};
    std::optional<TimeNs> nearest;
    double best = tolerance;
    const auto offer = [&](double edge, TimeNs t) {
        if (std::abs(edge - x) <= best) {
            best = std::abs(edge - x);
            nearest = t;
        }
    };
    const auto boxes = std::span(list.boxes).subspan(row->firstBox, row->endBox - row->firstBox);
    auto box = std::lower_bound(boxes.begin(), boxes.end(), x - tolerance,
                                [](const Box &b, double wanted) { return b.x1 < wanted; });
    for (; box != boxes.end() && box->x0 <= x + tolerance; ++box) {
        offer(box->x0, trace.begin(box->event));
        offer(box->x1, trace.end(box->event));
    }
    return nearest;
}

RunFacts runFacts(const Trace &trace, const DurationBlocks &durations, EventId first, EventId end)
{
    RunFacts facts;
    if (first >= end)
        return facts;
    facts.count = distance(first, end);
    facts.longest = durations.longest(trace, first, end);
    facts.busy = durations.sum(trace, first, end);
    facts.range = {trace.begin(first), trace.end(advance(end, -1))};
    return facts;
}

EventPlace placeOf(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, EventId event)
{
    const RowPlace row = layout.placeOf(trace, trace.row(event));
    EventPlace place;
    place.x0 = viewport.xOf(trace.begin(event));
    place.x1 = std::max(viewport.xOf(trace.end(event)), place.x0 + kThinnestDrawn);
    place.y = row.y;
    place.height = row.height;
    place.shown = row.shown;
    return place;
}

} // namespace ks
