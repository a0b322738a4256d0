// SPDX-License-Identifier: GPL-3.0-or-later
// What decides the place of an event on its lane, in 16 bytes: lanes are read several times while they are put in order.
#pragma once

#include "core/base/time.h"
#include "core/trace/event_kind.h"

#include <cstdint>
#include <span>

namespace ks {

class LaneEvent
{
public:
    LaneEvent() = default;
    LaneEvent(TimeNs begin, TimeNs length, EventKind kind) // of a length that fits
        : m_begin(begin)
        , m_rest((static_cast<std::uint64_t>(length) << kKindBits) | static_cast<std::uint64_t>(kind))
    {}
    // Of any other length; its end stands at a place among the long ends.
    static LaneEvent ofLongEnd(TimeNs begin, std::uint64_t place, EventKind kind)
    {
        LaneEvent event(begin, 0, kind);
        event.m_rest |= kLong | (place << kKindBits);
        return event;
    }
    static bool fits(TimeNs length) { return static_cast<std::uint64_t>(length) < (kLong >> kKindBits); } // 18 years

    TimeNs begin() const { return m_begin; } // file time
    EventKind kind() const { return static_cast<EventKind>(m_rest & ((1U << kKindBits) - 1)); }
    bool hasLongEnd() const { return (m_rest & kLong) != 0; }
    // Length or place of the end: a longer one is greater, but for two long ends.
    std::uint64_t lengthOrPlace() const { return m_rest >> kKindBits; }
    std::uint64_t placeOfEnd() const { return (m_rest & ~kLong) >> kKindBits; }

private:
    static constexpr unsigned kKindBits = 4;
    static constexpr std::uint64_t kLong = std::uint64_t{1} << 63U;
    static_assert(static_cast<unsigned>(EventKind::Other) < (1U << kKindBits));

    TimeNs m_begin = 0;
    std::uint64_t m_rest = 0;
};
static_assert(sizeof(LaneEvent) == 16);

// The events of one lane, in file order.
struct LaneEvents
{
    std::span<const LaneEvent> all;
    std::span<const TimeNs> longEnds; // of all lanes

    std::size_t size() const { return all.size(); }
    const LaneEvent &operator[](std::size_t position) const { return all[position]; }
    TimeNs end(const LaneEvent &event) const
    {
        if (event.hasLongEnd()) [[unlikely]]
            return longEnds[static_cast<std::size_t>(event.placeOfEnd())];
        return saturatingAdd(event.begin(), static_cast<TimeNs>(event.lengthOrPlace()));
    }
    // By begin, then longest first. Without branches but for the longest: which one of two threads of time goes on first cannot be foreseen.
    bool isBefore(const LaneEvent &a, const LaneEvent &b) const
    {
        if (a.hasLongEnd() && b.hasLongEnd()) [[unlikely]]
            return a.begin() < b.begin() || (a.begin() == b.begin() && end(a) > end(b));
        return static_cast<bool>(
            static_cast<int>(a.begin() < b.begin())
            | (static_cast<int>(a.begin() == b.begin()) & static_cast<int>(a.lengthOrPlace() > b.lengthOrPlace())));
    }
};

} // namespace ks
