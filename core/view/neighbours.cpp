// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/neighbours.h"

#include <algorithm>

namespace ks {

EventId previousInRow(const Trace &trace, EventId event)
{
    return event > trace.row(trace.row(event)).firstEvent ? advance(event, -1) : kNoEvent;
}

EventId nextInRow(const Trace &trace, EventId event)
{
    const EventId next = advance(event, 1);
    return next < trace.row(trace.row(event)).endEvent ? next : kNoEvent;
}

EventId firstChild(const Trace &trace, EventId event)
{
    const Lane &lane = trace.lane(trace.lane(event));
    const auto &begins = trace.events().begin;
    const TimeRange range = trace.range(event);
    EventId found = kNoEvent;
    for (RowId r = lane.firstRow; r < lane.endRow; r = advance(r, 1)) {
        const Row &row = trace.row(r);
        const auto end = begins.begin() + static_cast<std::ptrdiff_t>(row.endEvent);
        auto at = std::lower_bound(begins.begin() + static_cast<std::ptrdiff_t>(row.firstEvent), end, range.begin);
        // In a row below, grandchildren may come first; a bound keeps the walk short, the right row has its child at
        // once.
        constexpr int kLook = 64;
        for (int i = 0; i < kLook && at != end && *at <= range.end; ++i, ++at) {
            const auto id = static_cast<EventId>(at - begins.begin());
            if (trace.parent(id) != event)
                continue;
            if (found == kNoEvent || trace.begin(id) < trace.begin(found))
                found = id;
            break;
        }
    }
    return found;
}

} // namespace ks
