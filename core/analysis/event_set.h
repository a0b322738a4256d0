// SPDX-License-Identifier: GPL-3.0-or-later
// Some events of one or several traces: one bit an event, as a filter finds them.
#pragma once

#include "core/base/bits.h"
#include "core/trace/trace.h"

#include <map>
#include <memory>
#include <utility>

namespace ks {

class EventSet
{
public:
    // members: a bit an event, by EventId. The trace is kept.
    void insert(std::shared_ptr<const Trace> trace, Bits members)
    {
        const Trace *key = trace.get();
        m_traces.insert_or_assign(key, Members{std::move(trace), std::move(members)});
    }
    // By EventId; null if no event of that trace is a member.
    const Bits *of(const Trace &trace) const
    {
        const auto found = m_traces.find(&trace);
        return found != m_traces.end() ? &found->second.bits : nullptr;
    }
    bool contains(const Trace &trace, EventId event) const
    {
        const Bits *bits = of(trace);
        return bits && (*bits)[index(event)];
    }

private:
    struct Members
    {
        std::shared_ptr<const Trace> trace;
        Bits bits;
    };
    std::map<const Trace *, Members> m_traces;
};

} // namespace ks
