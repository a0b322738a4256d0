// SPDX-License-Identifier: GPL-3.0-or-later
// The memory log of a trace seen from its calls, see memory_sums.h.
#pragma once

#include "core/analysis/memory_sums.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ks {

struct CallMemory
{
    explicit CallMemory(const Trace &trace, const Progress &progress = {});

    // The records within the time of a call of torchNesting(trace).
    struct Held
    {
        std::uint32_t call = 0;
        std::uint32_t first = 0, end = 0; // positions in sums

        MemorySums::Part part() const { return {first, end}; }
    };

    MemorySums sums;
    LargeArray<Held> held;            // of the calls whose time holds any, ascending
    std::vector<std::size_t> outside; // positions in sums of the records while no call runs on any thread, ascending
};

// Of the trace, made on first use and kept. About 10 ns a call and a record; 28 bytes a record, 12 a call that holds
// some. Throws Cancelled.
const CallMemory &callMemory(const Trace &trace, const Progress &progress = {});

} // namespace ks
