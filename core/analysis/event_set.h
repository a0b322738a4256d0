// SPDX-License-Identifier: GPL-3.0-or-later
// Some events of one or several traces: one bit an event, as a filter finds them.
#pragma once

#include "core/trace/trace.h"

#include <map>
#include <memory>
#include <vector>

namespace ks {

class EventSet
{
public:
    // members: one entry an event, by EventId. The trace is kept.
    void insert(std::shared_ptr<const Trace> trace, std::vector<bool> members)
    {
        const Trace *key = trace.get();
        m_traces.insert_or_assign(key, Members{std::move(trace), std::move(members)});
    }
    // By EventId; null if no event of that trace is a member.
    const std::vector<bool> *of(const Trace &trace) const
    {
        const auto found = m_traces.find(&trace);
        return found != m_traces.end() ? &found->second.bits : nullptr;
    }
    bool contains(const Trace &trace, EventId event) const
    {
        const std::vector<bool> *bits = of(trace);
        return bits && (*bits)[index(event)];
    }

private:
    struct Members
    {
        std::shared_ptr<const Trace> trace;
        std::vector<bool> bits;
    };
    std::map<const Trace *, Members> m_traces;
};

} // namespace ks
