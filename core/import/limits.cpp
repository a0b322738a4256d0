// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/limits.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace ks {
namespace {

std::uint64_t usableMemory()
{
    std::uint64_t bytes = ~std::uint64_t{0};
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages > 0 && pageBytes > 0)
        bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes);
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
    std::uint64_t groupBytes = 0; // "max" is no number
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> groupBytes && groupBytes != 0)
        bytes = std::min(bytes, groupBytes);
    return bytes;
}

} // namespace

ImportLimits::ImportLimits(const ByteSource &source, std::uint64_t memoryBytes)
    : m_isPacked(source.container() != Container::Plain)
    , m_storedBytes(source.storedBytes())
    , m_memoryBytes(memoryBytes != 0 ? memoryBytes : usableMemory() / 4 * 3)
{}

void ImportLimits::checkText(std::uint64_t textBytes) const
{
    if (m_isPacked && textBytes > kMaxBombBytes && textBytes / kMaxRatio > m_storedBytes)
        throw ImportError("the packed file unpacks to more than " + std::to_string(kMaxRatio) + " times its size ("
                              + formatBytes(static_cast<std::int64_t>(textBytes))
                              + " so far), which no trace does: unpack it by hand if it is one",
                          textBytes);
}

void ImportLimits::addMemory(std::uint64_t bytes)
{
    const std::uint64_t used = m_used += bytes;
    if (used > m_memoryBytes)
        throw ImportError("the trace needs more memory than there is: its events take more than "
                              + formatBytes(static_cast<std::int64_t>(m_memoryBytes)),
                          0);
}

std::uint64_t memoryOf(const EventBatch &batch)
{
    std::uint64_t bytes = batch.events.size() * 100;
    for (const auto &values : batch.fields.values)
        bytes += values.size() * 32;
    for (const ScannedCounter &counter : batch.counters)
        bytes += counter.values.size() * 40;
    return bytes + batch.marks.size() * 200 + batch.flows.size() * 120 + batch.instants.size() * 100
           + batch.memory.size() * 200 + batch.counters.size() * 100 + batch.metadata.size() * 24;
}

} // namespace ks
