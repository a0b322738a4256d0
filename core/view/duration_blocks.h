// SPDX-License-Identifier: GPL-3.0-or-later
// Longest event and sum of durations of any stretch of ids, without looking at each event. Blocks of 64 neighbours, and
// blocks of 64 blocks, know their greatest duration; sums are kept before every block. 0.2 bytes an event.
// Build: O(n), 1 ns an event. longest() and sum() look at the events of at most two blocks and the blocks between
// them: about 1 us per 10,000 events.
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace ks {

class DurationBlocks
{
public:
    DurationBlocks() = default;
    explicit DurationBlocks(const Trace &trace);

    // The first event of [first, end) that lasts at least `least` ns; end if there is none. Skips what is shorter block
    // by block. `least` must be below 2^32 - 1.
    std::size_t nextAtLeast(const Trace &trace, std::size_t first, std::size_t end, std::uint32_t least) const;
    // The first of the longest of [first, end); kNoEvent if that is empty.
    EventId longest(const Trace &trace, EventId first, EventId end) const;
    TimeNs sum(const Trace &trace, EventId first, EventId end) const; // ns, saturating

private:
    static constexpr std::size_t kBlock = 64;

    TimeNs sumBefore(const Trace &trace, std::size_t event) const;

    std::vector<std::uint32_t> m_longest;     // of 64 events; EventTable::kLong counts as the greatest
    std::vector<std::uint32_t> m_longestOf64; // of 64 of those
    std::vector<TimeNs> m_before;             // durations before each block
};

} // namespace ks
