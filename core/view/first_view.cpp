// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/first_view.h"

#include <algorithm>
#include <array>

namespace ks {
namespace {

constexpr std::size_t kGrid = 256;
constexpr double kEnough = 0.95; // of the events make the busiest stretch
constexpr std::size_t kFew = 40; // events: so few are seen best all together
constexpr double kWorthIt = 0.6; // a stretch that is not much shorter than everything is not worth cutting

bool hasDeviceWork(const ViewIndex &viewIndex, TimeRange range)
{
    return std::any_of(viewIndex.groups().begin(), viewIndex.groups().end(),
                       [range](const LaneGroup &group) { return group.busy.within(range) > 0; });
}

bool hasDevices(const ViewIndex &viewIndex)
{
    return std::any_of(viewIndex.groups().begin(), viewIndex.groups().end(),
                       [](const LaneGroup &group) { return !group.busy.isEmpty(); });
}

// How many events begin in each column of a grid over `range`; those of devices if there are any.
std::array<std::size_t, kGrid> countOverGrid(const Trace &trace, TimeRange range, bool devicesOnly)
{
    std::array<std::size_t, kGrid> counts{};
    const auto &begins = trace.events().begin;
    const double step = static_cast<double>(range.duration()) / kGrid;
    for (const Row &row : trace.rows()) {
        const Lane &lane = trace.lane(row.lane);
        if (lane.role == LaneRole::Scaffolding || lane.role == LaneRole::Overhead
            || (devicesOnly && lane.kind != LaneKind::Gpu))
            continue;
        auto at = begins.begin() + static_cast<std::ptrdiff_t>(row.firstEvent);
        const auto end = begins.begin() + static_cast<std::ptrdiff_t>(row.endEvent);
        at = std::lower_bound(at, end, range.begin);
        for (std::size_t i = 0; i < kGrid && at != end; ++i) {
            const TimeNs border = saturatingAdd(range.begin, static_cast<TimeNs>(step * static_cast<double>(i + 1)));
            const auto next = std::lower_bound(at, end, border);
            counts[i] += static_cast<std::size_t>(next - at);
            at = next;
        }
    }
    return counts;
}

TimeRange busiestStretch(const Trace &trace, TimeRange whole, bool devicesOnly)
{
    const auto counts = countOverGrid(trace, whole, devicesOnly);
    std::size_t total = 0;
    for (const std::size_t count : counts)
        total += count;
    if (total < kFew)
        return whole;
    const auto enough = static_cast<std::size_t>(kEnough * static_cast<double>(total));
    // The shortest window of columns with enough events in it.
    std::size_t bestFirst = 0;
    std::size_t bestEnd = kGrid;
    std::size_t inside = 0;
    std::size_t end = 0;
    for (std::size_t first = 0; first < kGrid; ++first) {
        while (end < kGrid && inside < enough)
            inside += counts[end++];
        if (inside < enough)
            break;
        if (end - first < bestEnd - bestFirst) {
            bestFirst = first;
            bestEnd = end;
        }
        inside -= counts[first];
    }
    if (static_cast<double>(bestEnd - bestFirst) > kWorthIt * kGrid)
        return whole;
    const double step = static_cast<double>(whole.duration()) / kGrid;
    // A column of air at either end.
    const double first = std::max(0.0, static_cast<double>(bestFirst) - 1) * step;
    const double last = std::min<double>(kGrid, static_cast<double>(bestEnd) + 1) * step;
    return {saturatingAdd(whole.begin, static_cast<TimeNs>(first)),
            saturatingAdd(whole.begin, static_cast<TimeNs>(last))};
}

} // namespace

TimeRange firstRange(const Trace &trace, const ViewIndex &viewIndex)
{
    TimeRange whole = trace.mainRange();
    if (whole.isEmpty())
        whole = trace.range();
    const bool devices = hasDevices(viewIndex);
    for (const Step &step : trace.steps()) {
        if (step.range.isEmpty() || !step.range.intersects(whole))
            continue;
        if (!devices || hasDeviceWork(viewIndex, step.range)) {
            const TimeNs air = step.range.duration() / 50;
            return {saturatingSubtract(step.range.begin, air), saturatingAdd(step.range.end, air)};
        }
    }
    if (whole.isEmpty())
        return {whole.begin, saturatingAdd(whole.begin, 1000)};
    // Everything first by what devices do; a trace of launches alone by its host events.
    TimeRange found = busiestStretch(trace, whole, devices);
    if (found.isEmpty())
        found = whole;
    const TimeNs air = found.duration() / 50;
    return {saturatingSubtract(found.begin, air), saturatingAdd(found.end, air)};
}

int firstScroll(const Trace &trace, const LaneLayout &layout, int viewHeight)
{
    if (layout.height() <= viewHeight)
        return 0;
    int top = -1;    // of the main thread
    int bottom = -1; // of the last busy stream of the first device
    for (const Block &block : layout.blocks()) {
        if (block.kind != BlockKind::Lane)
            continue;
        const Lane &lane = trace.lane(block.lane);
        if (top < 0 && lane.role == LaneRole::MainThread)
            top = block.y;
        if (lane.role == LaneRole::ComputeStream
            && (bottom < 0 || block.y + block.height - std::max(top, 0) <= viewHeight))
            bottom = block.y + block.height;
    }
    const int last = layout.height() - viewHeight;
    if (top < 0 || bottom < 0)
        return std::clamp(std::max(top, 0) - kHeadingHeight, 0, last);
    // Both if they fit; else the devices, with as much of the thread above them as there is room.
    const int wanted = bottom - top + kHeadingHeight <= viewHeight ? top - kHeadingHeight : bottom - viewHeight;
    return std::clamp(wanted, 0, last);
}

} // namespace ks
