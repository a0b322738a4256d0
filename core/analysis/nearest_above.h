// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest event above another one that fits, each way up walked once however many events ask.
#pragma once

#include "core/trace/trace.h"

#include <vector>

namespace ks {

// fits(event): is it one? above(event): the next step up, kNoEvent at the top.
template<typename Fits, typename Above>
class NearestAbove
{
public:
    // 4 bytes an event, once a way goes further than one step.
    NearestAbove(const Trace &trace, Fits fits, Above above)
        : m_fits(fits)
        , m_above(above)
        , m_events(trace.eventCount())
    {}

    EventId operator()(EventId event)
    {
        if (const EventId above = m_above(event); above == kNoEvent || m_fits(above))
            return above;
        m_found.resize(m_events, kUnknown);
        m_path.clear();
        EventId found = kUnknown;
        while (found == kUnknown) {
            if (m_found[index(event)] != kUnknown) {
                found = m_found[index(event)];
                break;
            }
            // A file may name callers in a circle: what is asked for again on the way has nothing above it.
            m_found[index(event)] = kNoEvent;
            m_path.push_back(event);
            event = m_above(event);
            if (event == kNoEvent || m_fits(event))
                found = event;
        }
        for (const EventId passed : m_path)
            m_found[index(passed)] = found;
        return found;
    }

private:
    static constexpr EventId kUnknown{0xfffffffeU};

    Fits m_fits;
    Above m_above;
    std::size_t m_events;
    std::vector<EventId> m_found; // of what was passed
    std::vector<EventId> m_path;
};

} // namespace ks
