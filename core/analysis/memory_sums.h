// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes allocated and freed within intervals of time, by whichever thread, as the operator table counts them: both ends
// inclusive.
#pragma once

#include "core/base/large_memory.h"
#include "core/base/time.h"
#include "core/trace/memory_log.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ks {

// Kinds of memory the operator table has columns for (c10::DeviceType).
constexpr bool isHostMemory(std::int16_t deviceType)
{
    return deviceType == 0 || deviceType == 2 || deviceType == 5; // CPU, MKLDNN, IDEEP
}
constexpr bool isDeviceMemory(std::int16_t deviceType)
{
    return deviceType == 1 || deviceType == 6 || deviceType == 12
           || deviceType == 20; // CUDA and ROCm, HIP, XPU, custom backends
}

struct MemorySum
{
    std::int64_t host = 0;
    std::int64_t device = 0;

    MemorySum &operator+=(MemorySum other)
    {
        host = saturatingAdd(host, other.host);
        device = saturatingAdd(device, other.device);
        return *this;
    }
    MemorySum &operator-=(MemorySum other)
    {
        host = saturatingSubtract(host, other.host);
        device = saturatingSubtract(device, other.device);
        return *this;
    }
};

class MemorySums
{
public:
    // Keeps positions in the log, which must stay. Memory that could not be had does not count. Cost: one pass, 24
    // bytes a record.
    explicit MemorySums(std::span<const MemoryRecord> log);

    bool isEmpty() const { return m_times.empty(); }
    std::size_t size() const { return m_times.size(); }
    const MemoryRecord &record(std::size_t i) const { return m_log[m_places[i]]; }

    // Records [first, end) lie in the interval. The search starts at `hint`, where it leaves the first: ascending
    // intervals cost little.
    struct Part
    {
        std::size_t first = 0;
        std::size_t end = 0;

        bool isEmpty() const { return first == end; }
    };
    Part within(TimeRange closed, std::size_t &hint) const;
    MemorySum sum(Part part) const;

private:
    std::span<const MemoryRecord> m_log;
    LargeArray<std::uint32_t> m_places;
    LargeArray<TimeNs> m_times;
    LargeArray<MemorySum> m_before; // one more than records
};

} // namespace ks
