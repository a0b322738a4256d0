// SPDX-License-Identifier: GPL-3.0-or-later
// All events of a file before they are sorted into lanes, where the workers that scanned the file put them: in parts, in file order, in the
// workers' own numbers.
#pragma once

#include "core/base/appended.h"
#include "core/base/ids.h"
#include "core/index/raw_event.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ks {

// From the numbers of one worker to those of the file.
struct FileNumbers
{
    static constexpr std::uint32_t kInterned = 0x80000000U;
    static constexpr std::uint32_t kNoId = 0xffffffffU;

    std::vector<NameId> names;
    std::vector<std::uint16_t> categories; // CategoryId
    std::vector<std::uint32_t> tracks;
    std::vector<std::uint32_t> ids; // of those with kInterned; all others are the same in the file

    std::uint32_t id(std::uint32_t local) const
    {
        const bool isInterned = local != kNoId && (local & kInterned) != 0;
        return isInterned ? ids[local & ~kInterned] : local;
    }
};

// The events of a file in its order.
class RawEvents
{
public:
    struct Part
    {
        std::uint32_t first = 0; // position in the file of its first event
        std::uint64_t base = 0;  // that offsets count from
        const FileNumbers *numbers = nullptr;
        Appended<RawEvent> events;

        NameId nameOf(const RawEvent &event) const { return numbers->names[event.name]; }
        std::uint16_t categoryOf(const RawEvent &event) const { return numbers->categories[event.category]; }
        // Of async events an async track of the file.
        std::uint32_t trackOf(const RawEvent &event) const
        {
            return (event.flags & RawEvent::kAsync) != 0 ? event.track : numbers->tracks[event.track];
        }
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
    RawEvent &operator[](std::uint32_t position)
    {
        Part &part = partAt(position);
        return part.events[position - part.first];
    }
    std::uint64_t recordOffset(std::uint32_t position) const
    {
        const Part &part = partAt(position);
        return part.base + part.events[position - part.first].offset;
    }
    void add(Appended<RawEvent> events, std::uint64_t base, const FileNumbers &numbers); // which must outlive this

private:
    std::vector<Part> m_parts; // none empty
    std::size_t m_size = 0;
};

// One field of all events that have it, in file order.
class RawFields
{
public:
    std::size_t size() const { return m_size; }
    // visit(position of the event in the file, value in the numbers of the file)
    template<typename Visit>
    void forEach(Visit visit) const
    {
        for (const Part &part : m_parts) {
            for (const RawField &field : part.fields)
                visit(field.event + part.firstEvent, part.numbers->id(field.value));
        }
    }
    void add(Appended<RawField> fields, std::uint32_t firstEvent,
             const FileNumbers &numbers); // which must outlive this

private:
    struct Part
    {
        std::uint32_t firstEvent = 0;
        const FileNumbers *numbers = nullptr;
        Appended<RawField> fields;
    };

    std::vector<Part> m_parts;
    std::size_t m_size = 0;
};

} // namespace ks
