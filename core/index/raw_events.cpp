// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/raw_events.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <iterator>

namespace ks {

std::vector<std::span<RawEvents::Part>> RawEvents::stretches(unsigned workers)
{
    const std::size_t count = std::min<std::size_t>(workerCount(workers), m_parts.size());
    std::vector<std::span<Part>> stretches;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = m_parts.size() * i / count;
        stretches.push_back(std::span(m_parts).subspan(begin, m_parts.size() * (i + 1) / count - begin));
    }
    return stretches;
}

std::vector<std::span<const RawEvents::Part>> RawEvents::stretches(unsigned workers) const
{
    const std::vector<std::span<Part>> all = const_cast<RawEvents &>(*this).stretches(workers);
    return {all.begin(), all.end()};
}

RawEvents::Part &RawEvents::partAt(std::uint32_t position)
{
    const auto behind = std::upper_bound(m_parts.begin(), m_parts.end(), position,
                                         [](std::uint32_t wanted, const Part &part) { return wanted < part.first; });
    return *std::prev(behind);
}

void RawEvents::add(Appended<RawEvent> events, RawDurations durations, std::uint64_t base, FileNumbers &numbers)
{
    if (events.empty())
        return;
    const std::size_t count = events.size();
    m_parts.push_back({static_cast<std::uint32_t>(m_size), base, &numbers, std::move(events), std::move(durations)});
    m_size += count;
}

} // namespace ks
