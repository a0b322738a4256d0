// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/busy_intervals.h"

#include <algorithm>
#include <map>

namespace ks {
namespace {

constexpr std::size_t kBlock = 64;

// Goes through the links of device work beside its events.
class LinkWalk
{
public:
    LinkWalk(const Trace &trace, EventId from)
        : m_ids(trace.links().ofWork.ids())
        , m_links(trace.links().ofWork.values())
        , m_at(static_cast<std::size_t>(std::lower_bound(m_ids.begin(), m_ids.end(), from) - m_ids.begin()))
    {}

    // Events in ascending order.
    bool isLinked(EventId event)
    {
        while (m_at < m_ids.size() && m_ids[m_at] < event)
            ++m_at;
        return m_at < m_ids.size() && m_ids[m_at] == event && m_links[m_at].launch != kNoEvent;
    }

private:
    std::span<const EventId> m_ids;
    std::span<const LaunchLink> m_links;
    std::size_t m_at;
};

} // namespace

void WorkSums::operator+=(const WorkSums &other)
{
    events += other.events;
    sum = saturatingAdd(sum, other.sum);
    unlinkedEvents += other.unlinkedEvents;
    unlinked = saturatingAdd(unlinked, other.unlinked);
}

BusyIntervals::BusyIntervals(const Trace &trace)
    : m_trace(&trace)
    , m_lanes(trace.lanes().size())
    , m_rows(trace.lanes().size())
{
    struct Ranges
    {
        std::array<std::vector<TimeRange>, kWorkClasses> byClass;
        std::vector<LaneId> lanes;
    };
    std::map<std::optional<std::int64_t>, Ranges> devices;
    for (std::size_t l = 0; l < trace.lanes().size(); ++l) {
        const auto lane = static_cast<LaneId>(l);
        if (trace.lane(lane).kind != LaneKind::Gpu)
            continue;
        Ranges &device = devices[trace.lane(lane).device];
        device.lanes.push_back(lane);
        addLane(trace, lane, device.byClass);
    }
    for (auto &[number, ranges] : devices) {
        Device &device = m_devices.emplace_back();
        device.device = number;
        device.lanes = std::move(ranges.lanes);
        for (std::size_t c = 0; c < kWorkClasses; ++c) {
            for (const TimeRange range : ranges.byClass[c]) {
                if (range.isEmpty())
                    device.moments.push_back(range.begin);
            }
            device.byClass[c] = BusyTime(std::move(ranges.byClass[c]));
        }
        std::sort(device.moments.begin(), device.moments.end());
        device.computeOrCommunication = BusyTime::united(device.byClass[0], device.byClass[1]);
        device.all = BusyTime::united(device.computeOrCommunication, device.byClass[2]);
    }
}

void BusyIntervals::addLane(const Trace &trace, LaneId lane, std::array<std::vector<TimeRange>, kWorkClasses> &ranges)
{
    WorkClassifier classifier;
    std::vector<TimeRange> all;
    const Lane &where = trace.lane(lane);
    LinkWalk links(trace, where.firstEvent);
    for (RowId r = where.firstRow; r < where.endRow; r = advance(r, 1)) {
        const Row &row = trace.row(r);
        RowSums sums{row.firstEvent, row.endEvent, {}};
        WorkSums sum;
        for (EventId id = row.firstEvent; id < row.endEvent; id = advance(id, 1)) {
            if (distance(row.firstEvent, id) % kBlock == 0)
                sums.before.push_back(sum);
            if (!isDeviceWork(trace.kind(id)))
                continue;
            const TimeRange range = trace.range(id);
            ranges[static_cast<std::size_t>(classifier.classOf(trace, id))].push_back(range);
            all.push_back(range);
            WorkSums own{1, range.duration(), 0, 0};
            if (!links.isLinked(id)) {
                own.unlinkedEvents = 1;
                own.unlinked = range.duration();
            }
            sum += own;
        }
        sums.before.push_back(sum);
        if (sum.events != 0)
            m_rows[index(lane)].push_back(std::move(sums));
    }
    m_lanes[index(lane)] = BusyTime(std::move(all));
}

WorkSums BusyIntervals::part(EventId first, EventId end) const
{
    WorkSums sum;
    LinkWalk links(*m_trace, first);
    for (EventId id = first; id < end; id = advance(id, 1)) {
        if (!isDeviceWork(m_trace->kind(id)))
            continue;
        const TimeNs duration = m_trace->duration(id);
        WorkSums own{1, duration, 0, 0};
        if (!links.isLinked(id)) {
            own.unlinkedEvents = 1;
            own.unlinked = duration;
        }
        sum += own;
    }
    return sum;
}

WorkSums BusyIntervals::rowSums(const RowSums &row, TimeRange range) const
{
    // Events of a row are disjoint: ends ascend as begins do.
    const auto at = [&](std::size_t i) { return advance(row.first, static_cast<std::ptrdiff_t>(i)); };
    const auto firstThat = [&](auto holds) {
        std::size_t low = 0;
        std::size_t high = distance(row.first, row.end);
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (holds(at(middle)))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    };
    const std::size_t first =
        firstThat([&](EventId id) { return m_trace->end(id) > range.begin || m_trace->begin(id) >= range.begin; });
    const std::size_t end = firstThat([&](EventId id) { return m_trace->begin(id) >= range.end; });
    WorkSums sum;
    if (first >= end)
        return sum;
    const std::size_t firstBlock = (first + kBlock - 1) / kBlock;
    const std::size_t endBlock = end / kBlock;
    if (firstBlock < endBlock) {
        const WorkSums &a = row.before[firstBlock];
        const WorkSums &b = row.before[endBlock];
        sum.events = b.events - a.events;
        sum.sum = saturatingSubtract(b.sum, a.sum);
        sum.unlinkedEvents = b.unlinkedEvents - a.unlinkedEvents;
        sum.unlinked = saturatingSubtract(b.unlinked, a.unlinked);
        sum += part(at(first), at(firstBlock * kBlock));
        sum += part(at(endBlock * kBlock), at(end));
    } else {
        sum = part(at(first), at(end));
    }
    // Only the outermost two can reach beyond the range.
    const auto cut = [&](EventId id, TimeNs outside) {
        if (outside <= 0 || !isDeviceWork(m_trace->kind(id)))
            return;
        sum.sum = saturatingSubtract(sum.sum, outside);
        if (!LinkWalk(*m_trace, id).isLinked(id))
            sum.unlinked = saturatingSubtract(sum.unlinked, outside);
    };
    cut(at(first), saturatingSubtract(range.begin, m_trace->begin(at(first))));
    cut(at(end - 1), saturatingSubtract(m_trace->end(at(end - 1)), range.end));
    return sum;
}

WorkSums BusyIntervals::sums(const Device &device, TimeRange range) const
{
    WorkSums sum;
    if (range.isEmpty())
        return sum;
    for (const LaneId lane : device.lanes) {
        for (const RowSums &row : m_rows[index(lane)])
            sum += rowSums(row, range);
    }
    return sum;
}

std::optional<TimeRange> BusyIntervals::hull(const Device &device, TimeRange range)
{
    std::optional<TimeRange> hull = device.all.hull(range);
    const auto &moments = device.moments;
    const auto first = std::lower_bound(moments.begin(), moments.end(), range.begin);
    const auto end = std::lower_bound(first, moments.end(), range.end);
    if (first == end)
        return hull;
    const TimeRange ofMoments{*first, *std::prev(end)};
    return hull ? hull->united(ofMoments) : ofMoments;
}

const BusyIntervals &busyIntervals(const Trace &trace)
{
    return trace.derived().get<BusyIntervals>([&trace] { return BusyIntervals(trace); });
}

} // namespace ks
