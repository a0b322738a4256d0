// SPDX-License-Identifier: GPL-3.0-or-later
// [memory] and [OutOfMemory] records of profile_memory=True, in columns of their own, sorted by time (ties: by `Ev Idx`, then file order).
// Often a fifth of a file, so they are never events.
#pragma once

#include "core/base/ids.h"
#include "core/base/large_memory.h"
#include "core/base/time.h"

#include <cstdint>
#include <limits>

namespace ks {

inline constexpr std::int64_t kNoBytes = std::numeric_limits<std::int64_t>::min();

struct MemoryRecord
{
    TimeNs time = 0;
    std::int64_t bytes = 0;                 // + allocation, - free; out of memory: the size that was asked for
    std::uint64_t address = 0;              // 0 if not told
    std::int64_t totalAllocated = kNoBytes; // on this device after the record
    std::int64_t totalReserved = kNoBytes;
    std::uint64_t recordOffset = 0; // byte of the record in the JSON text
    LaneId lane = kNoLane;          // thread that called the allocator; kNoLane if it has no events
    std::int16_t deviceType = 0;    // c10::DeviceType: 0 CPU, 1 CUDA/ROCm …
    std::int16_t deviceId = -1;     // -1 for the CPU
    bool outOfMemory = false;
};

using MemoryLog = LargeArray<MemoryRecord>;

} // namespace ks
