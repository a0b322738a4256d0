// SPDX-License-Identifier: GPL-3.0-or-later
// What host threads did while a device was idle: wait for the device, load data, or something else.
#pragma once

#include "core/base/busy_time.h"
#include "core/trace/trace.h"

#include <unordered_map>

namespace ks {

class HostWaits
{
public:
    explicit HostWaits(const Trace &trace) // which must stay
        : m_trace(trace)
    {}

    // Adds up to the range.
    struct Split
    {
        TimeNs synchronizing = 0; // in calls that wait for the device
        TimeNs loading = 0;       // else in the loader of data
        TimeNs other = 0;
    };
    // The first question about a thread looks at all its events, the next ones are binary searches.
    Split split(LaneId lane, TimeRange range);

private:
    struct OfLane
    {
        BusyTime waits;
        BusyTime either;
    };

    OfLane find(LaneId lane) const;

    const Trace &m_trace;
    std::unordered_map<LaneId, OfLane> m_ofLane;
};

} // namespace ks
