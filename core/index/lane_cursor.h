// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of many events, of which most stand on the lane of the one before: looks there first.
#pragma once

#include "core/trace/trace.h"

namespace ks {

class LaneCursor
{
public:
    explicit LaneCursor(const Trace &trace)
        : m_trace(trace)
    {}

    LaneId laneOf(EventId id)
    {
        if (id < m_first || id >= m_end) {
            m_lane = m_trace.lane(id);
            m_first = m_trace.lane(m_lane).firstEvent;
            m_end = m_trace.lane(m_lane).endEvent;
        }
        return m_lane;
    }

private:
    const Trace &m_trace;
    LaneId m_lane = kNoLane;
    EventId m_first{};
    EventId m_end{};
};

} // namespace ks
