// SPDX-License-Identifier: GPL-3.0-or-later
// All events of a file before they are sorted into lanes, where the workers that scanned the file put them: in parts, in file order, in the
// workers' own numbers.
#pragma once

#include "core/base/appended.h"
#include "core/index/file_numbers.h"
#include "core/index/raw_event.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ks {

// The events of a file in its order.
class RawEvents
{
public:
    struct Part
    {
        std::uint32_t first = 0; // position in the file of its first event
        std::uint64_t base = 0;  // that offsets count from
        FileNumbers *numbers = nullptr;
        Appended<RawEvent> events;
        RawDurations durations;

        NameId nameOf(const RawEvent &event) const { return numbers->names[event.name]; }
        std::uint32_t placeOf(const RawEvent &event) const { return numbers->places[event.place]; }
    };

    std::size_t size() const { return m_size; }
    std::vector<Part> &parts() { return m_parts; }
    const std::vector<Part> &parts() const { return m_parts; }
    // All parts in file order, divided among this many workers or fewer; always the same for the same number.
    std::vector<std::span<Part>> stretches(unsigned workers);
    std::vector<std::span<const Part>> stretches(unsigned workers) const;
    // The part that holds a position. Binary search.
    Part &partAt(std::uint32_t position);
    const Part &partAt(std::uint32_t position) const { return const_cast<RawEvents &>(*this).partAt(position); }
    std::uint64_t recordOffset(std::uint32_t position) const
    {
        const Part &part = partAt(position);
        return part.base + part.events[position - part.first].offset;
    }
    void add(Appended<RawEvent> events, RawDurations durations, std::uint64_t base,
             FileNumbers &numbers); // which must outlive this

private:
    std::vector<Part> m_parts; // none empty
    std::size_t m_size = 0;
};

} // namespace ks
