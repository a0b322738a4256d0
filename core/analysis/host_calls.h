// SPDX-License-Identifier: GPL-3.0-or-later
// The calls a piece of device work belongs to, from the inside out: every operator and annotation that encloses its
// launch; of work of the backward pass also those around its forward mate.
#pragma once

#include "core/analysis/nearest_above.h"
#include "core/analysis/torch_nesting.h"

#include <cstdint>
#include <vector>

namespace ks {

class HostCalls
{
public:
    // Both must stay. 4 bytes an event.
    HostCalls(const Trace &trace, const TorchNesting &nesting);

    struct Owners
    {
        std::uint32_t self = TorchNesting::kNone; // the operator, else the innermost annotation
        std::vector<std::uint32_t> all;           // positions in nesting.calls(), innermost first
        std::vector<std::uint32_t> forward;       // of backward work: further calls that enclose its forward mate
    };
    // `launch`: that of the work, kNoEvent if there is none. Valid until the next call. Amortised: as many steps as
    // calls enclose the launch.
    const Owners &ownersOf(EventId work, EventId launch);

private:
    // An operator or annotation that is a call.
    struct IsOwner
    {
        const Trace *trace;
        const TorchNesting *nesting;
        bool operator()(EventId event) const
        {
            const EventKind kind = trace->kind(event);
            return (kind == EventKind::Operator || kind == EventKind::Annotation)
                   && nesting->callOf(event) != TorchNesting::kNone;
        }
    };
    struct Parent
    {
        const Trace *trace;
        EventId operator()(EventId event) const { return trace->parent(event); }
    };

    void findForward(EventId mate);

    const Trace &m_trace;
    const TorchNesting &m_nesting;
    std::vector<EventId> m_mateOfCall; // forward mate of a backward call; empty if there are none
    NearestAbove<IsOwner, Parent> m_enclosing;
    EventId m_ownersLaunch = kNoEvent; // m_owners are those of this launch
    Owners m_owners;
};

} // namespace ks
