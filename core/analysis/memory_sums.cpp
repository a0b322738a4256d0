// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory_sums.h"

#include "core/base/gallop.h"

#include <algorithm>

namespace ks {

MemorySums::MemorySums(std::span<const MemoryRecord> log)
    : m_log(log)
    , m_before(1)
{
    m_places.reserve(log.size());
    m_times.reserve(log.size());
    m_before.reserve(log.size() + 1);
    for (std::size_t i = 0; i < log.size(); ++i) {
        const MemoryRecord &record = log[i];
        if (record.outOfMemory)
            continue;
        m_places.push_back(static_cast<std::uint32_t>(i));
        m_times.push_back(record.time);
        MemorySum sum = m_before.back();
        if (isHostMemory(record.deviceType))
            sum += {record.bytes, 0};
        else if (isDeviceMemory(record.deviceType))
            sum += {0, record.bytes};
        m_before.push_back(sum);
    }
}

MemorySums::Part MemorySums::within(TimeRange closed, std::size_t &hint) const
{
    if (hint > 0 && m_times[hint - 1] >= closed.begin)
        hint =
            static_cast<std::size_t>(std::lower_bound(m_times.begin(), m_times.end(), closed.begin) - m_times.begin());
    else
        hint = gallop(hint, m_times.size(), [&](std::size_t i) { return m_times[i] >= closed.begin; });
    return {hint, gallop(hint, m_times.size(), [&](std::size_t i) { return m_times[i] > closed.end; })};
}

MemorySum MemorySums::sum(Part part) const
{
    MemorySum sum = m_before[part.end];
    sum -= m_before[part.first];
    return sum;
}

} // namespace ks
