// SPDX-License-Identifier: GPL-3.0-or-later
// An event as it came from the file, in file order, before lanes are sorted into rows. It keeps the numbers of the worker that scanned it
// (FileNumbers tells the file's own). Compact on purpose: these and the final columns are alive together while a trace is put together.
#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <vector>

namespace ks {

struct RawEvent
{
    TimeNs begin = 0;         // file time
    std::uint32_t length = 0; // RawDurations tells the duration
    std::uint32_t name = 0;
    std::uint32_t place = 0;            // (track, category)
    std::uint32_t offset : 31 = 0;      // of the record in its block
    std::uint32_t isUnfinished : 1 = 0; // no end in the file
};
static_assert(sizeof(RawEvent) == 24);

// How long the events of one batch take. Those of two seconds and more, which are few, stand in a list.
class RawDurations
{
public:
    TimeNs of(const RawEvent &event) const
    {
        if (event.length < kLong) [[likely]]
            return TimeNs{event.length};
        return m_long[event.length - kLong];
    }
    TimeNs endOf(const RawEvent &event) const { return saturatingAdd(event.begin, of(event)); }
    void set(RawEvent &event, TimeNs duration) // not negative
    {
        if (event.length >= kLong) {
            m_long[event.length - kLong] = duration;
        } else if (duration < TimeNs{kLong}) [[likely]] {
            event.length = static_cast<std::uint32_t>(duration);
        } else {
            event.length = kLong + static_cast<std::uint32_t>(m_long.size());
            m_long.push_back(duration);
        }
    }

private:
    static constexpr std::uint32_t kLong = 0x80000000U;

    std::vector<TimeNs> m_long;
};

} // namespace ks
