// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/open_rows.h"

#include <algorithm>

namespace ks {
namespace {

// When each row becomes free, in a tree of minima: the first row that is free at a time is found in O(log rows), also where
// thousands of events overlap.
class FreeRows
{
public:
    // The lowest row >= `from` that is free at `time`.
    std::size_t find(std::size_t from, TimeNs time)
    {
        while (true) {
            const std::size_t row = search(1, 0, m_size, from, time);
            if (row < m_size)
                return row;
            grow();
        }
    }

    void occupy(std::size_t row, TimeNs until)
    {
        std::size_t node = row + m_size;
        m_free[node] = until;
        for (node /= 2; node > 0; node /= 2)
            m_free[node] = std::min(m_free[2 * node], m_free[2 * node + 1]);
    }

private:
    // In the rows [first, end) below `node`; m_size if there is none.
    std::size_t search(std::size_t node, std::size_t first, std::size_t end, std::size_t from, TimeNs time) const
    {
        if (end <= from || m_free[node] > time)
            return m_size;
        if (end - first == 1)
            return first;
        const std::size_t middle = first + (end - first) / 2;
        const std::size_t left = search(2 * node, first, middle, from, time);
        return left < m_size ? left : search(2 * node + 1, middle, end, from, time);
    }

    void grow()
    {
        std::vector<TimeNs> leaves(m_free.begin() + static_cast<std::ptrdiff_t>(m_size), m_free.end());
        m_size *= 2;
        m_free.assign(2 * m_size, kMinTime);
        for (std::size_t row = 0; row < leaves.size(); ++row)
            occupy(row, leaves[row]);
    }

    std::size_t m_size = 8;
    std::vector<TimeNs> m_free = std::vector<TimeNs>(2 * m_size, kMinTime);
};

// Outer events before inner ones.
std::vector<EventId> inOpeningOrder(const Trace &trace, const Lane &lane)
{
    std::vector<EventId> ids(distance(lane.firstEvent, lane.endEvent));
    for (std::size_t i = 0; i < ids.size(); ++i)
        ids[i] = advance(lane.firstEvent, static_cast<std::ptrdiff_t>(i));
    std::sort(ids.begin(), ids.end(), [&trace](EventId a, EventId b) {
        if (trace.begin(a) != trace.begin(b))
            return trace.begin(a) < trace.begin(b);
        const TimeNs endA = trace.end(a);
        const TimeNs endB = trace.end(b);
        return endA != endB ? endA > endB : trace.fileIndex(a) < trace.fileIndex(b);
    });
    return ids;
}

std::uint32_t mostOpen(std::vector<TimeRange> open)
{
    std::vector<TimeNs> ends;
    ends.reserve(open.size());
    for (const TimeRange range : open)
        ends.push_back(range.end);
    std::sort(ends.begin(), ends.end());
    std::size_t ended = 0;
    std::size_t most = 1;
    for (std::size_t started = 0; started < open.size(); ++started) {
        while (ends[ended] <= open[started].begin)
            ++ended;
        most = std::max(most, started + 1 - ended);
    }
    return static_cast<std::uint32_t>(most);
}

} // namespace

OpenRows openRows(const Trace &trace)
{
    OpenRows result;
    result.rowOfEvent.resize(trace.eventCount());
    result.rowsOfLane.reserve(trace.lanes().size());
    std::vector<TimeNs> endOf;
    for (const Lane &lane : trace.lanes()) {
        FreeRows free;
        std::vector<TimeRange> open;
        endOf.assign(distance(lane.firstEvent, lane.endEvent), kMaxTime);
        for (const EventId id : inOpeningOrder(trace, lane)) {
            const EventId parent = trace.parent(id);
            TimeRange range = trace.range(id);
            std::size_t from = 0;
            if (parent != kNoEvent) {
                from = result.rowOfEvent[index(parent)] + std::size_t{1};
                range.end = std::max(range.begin, std::min(range.end, endOf[distance(lane.firstEvent, parent)]));
            }
            endOf[distance(lane.firstEvent, id)] = range.end;
            const std::size_t row = free.find(from, range.begin);
            free.occupy(row, range.end);
            result.rowOfEvent[index(id)] = static_cast<std::uint32_t>(row);
            if (!range.isEmpty())
                open.push_back(range);
        }
        result.rowsOfLane.push_back(mostOpen(std::move(open)));
    }
    return result;
}

} // namespace ks
