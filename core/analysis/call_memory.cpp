// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/call_memory.h"

#include "core/analysis/torch_nesting.h"

#include <cstdint>

namespace ks {

CallMemory::CallMemory(const Trace &trace, const Progress &progress)
    : sums(trace.memory())
{
    if (sums.isEmpty())
        return;
    LargeArray<std::int32_t> covering(sums.size() + 1, 0); // +1 where a call begins to cover, −1 where it ends
    const auto calls = torchNesting(trace, progress).calls();
    std::size_t hint = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if ((i & 0xffffU) == 0)
            progress.throwIfStopped();
        const MemorySums::Part part = sums.within(calls[i].range, hint);
        if (part.isEmpty())
            continue;
        held.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(part.first),
                        static_cast<std::uint32_t>(part.end)});
        ++covering[part.first];
        --covering[part.end];
    }
    std::int64_t depth = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        depth += covering[i];
        if (depth == 0)
            outside.push_back(i);
    }
}

const CallMemory &callMemory(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<CallMemory>([&] { return CallMemory(trace, progress); });
}

} // namespace ks
