// SPDX-License-Identifier: GPL-3.0-or-later
// What the operator table adds up over calls, see operators.h.
#pragma once

#include "core/analysis/memory_sums.h"
#include "core/base/time.h"

#include <cstdint>

namespace ks {

struct OperatorSums
{
    std::int64_t parts = 0; // calls of which some of the selected time is part
    std::int64_t calls = 0; // of these, those that begin in it
    TimeNs total = 0;
    TimeNs self = 0;
    TimeNs deviceTotal = 0;
    TimeNs deviceSelf = 0;
    TimeNs deviceTotalUnion = 0;
    TimeNs deviceSelfUnion = 0;
    TimeNs deviceWithBackward = 0;
    MemorySum memory;
    MemorySum memorySelf;
    std::int64_t flops = 0;
    std::int64_t modelFlops = 0;
    std::int64_t modelBytes = 0;
    std::int64_t modelled = 0;   // calls whose model knows the flops
    std::int64_t bytesKnown = 0; // calls whose model knows the bytes
    bool hasWork = false;

    OperatorSums &operator+=(const OperatorSums &other)
    {
        for (const auto member :
             {&OperatorSums::parts, &OperatorSums::calls, &OperatorSums::total, &OperatorSums::self,
              &OperatorSums::deviceTotal, &OperatorSums::deviceSelf, &OperatorSums::deviceTotalUnion,
              &OperatorSums::deviceSelfUnion, &OperatorSums::deviceWithBackward, &OperatorSums::flops,
              &OperatorSums::modelFlops, &OperatorSums::modelBytes, &OperatorSums::modelled, &OperatorSums::bytesKnown})
            this->*member = saturatingAdd(this->*member, other.*member);
        memory += other.memory;
        memorySelf += other.memorySelf;
        hasWork = hasWork || other.hasWork;
        return *this;
    }
};

} // namespace ks
