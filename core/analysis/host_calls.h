// SPDX-License-Identifier: GPL-3.0-or-later
// The calls a piece of device work belongs to, from the inside out: every operator and annotation that encloses its launch.
#pragma once

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
    };
    // Valid until the next call. Amortised: as many steps as calls enclose the launch.
    const Owners &ownersOf(EventId work);

private:
    EventId enclosing(EventId event); // nearest operator or annotation around it that is a call

    const Trace &m_trace;
    const TorchNesting &m_nesting;
    std::vector<EventId> m_enclosing; // as far as asked for
    std::vector<EventId> m_path;
    EventId m_ownersLaunch = kNoEvent; // m_owners are those of this launch
    Owners m_owners;
};

} // namespace ks
