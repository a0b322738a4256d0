// SPDX-License-Identifier: GPL-3.0-or-later
// All events of a file before they are sorted into lanes.
#pragma once

#include "core/base/appended.h"
#include "core/index/raw_event.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ks {

// The events of a file in its order, in parts: those that were scanned together.
class RawEvents
{
public:
    struct Part
    {
        std::uint32_t first = 0; // position in the file of its first event
        Appended<RawEvent> events;
    };

    std::size_t size() const { return m_size; }
    std::vector<Part> &parts() { return m_parts; }
    const std::vector<Part> &parts() const { return m_parts; }
    // Binary search over the parts.
    RawEvent &operator[](std::uint32_t position);
    const RawEvent &operator[](std::uint32_t position) const { return const_cast<RawEvents &>(*this)[position]; }
    void add(Appended<RawEvent> events);

private:
    std::vector<Part> m_parts; // none empty
    std::size_t m_size = 0;
};

} // namespace ks
