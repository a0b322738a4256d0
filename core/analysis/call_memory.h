// SPDX-License-Identifier: GPL-3.0-or-later
// The memory log of a trace seen from its calls, see memory_sums.h.
#pragma once

#include "core/analysis/memory_sums.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <vector>

namespace ks {

struct CallMemory
{
    explicit CallMemory(const Trace &trace, const Progress &progress = {});

    MemorySums sums;
    std::vector<bool> inside;         // by call of torchNesting(trace): does its time hold records? Empty without any
    std::vector<std::size_t> outside; // positions in sums of the records while no call runs on any thread, ascending
};

// Of the trace, made on first use and kept. About 20 ns a call and a record; 28 bytes a record, a bit a call. Throws Cancelled.
const CallMemory &callMemory(const Trace &trace, const Progress &progress = {});

} // namespace ks
