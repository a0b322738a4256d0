// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/raw_events.h"

#include <algorithm>
#include <iterator>

namespace ks {

RawEvent &RawEvents::operator[](std::uint32_t position)
{
    const auto behind = std::upper_bound(m_parts.begin(), m_parts.end(), position,
                                         [](std::uint32_t wanted, const Part &part) { return wanted < part.first; });
    Part &part = *std::prev(behind);
    return part.events[position - part.first];
}

void RawEvents::add(Appended<RawEvent> events)
{
    if (events.empty())
        return;
    const std::size_t count = events.size();
    m_parts.push_back({static_cast<std::uint32_t>(m_size), std::move(events)});
    m_size += count;
}

} // namespace ks
