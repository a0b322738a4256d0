// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/duration_blocks.h"

#include <algorithm>
#include <span>

namespace ks {
namespace {

std::vector<std::uint32_t> greatestOf(std::span<const std::uint32_t> values, std::size_t block)
{
    std::vector<std::uint32_t> greatest((values.size() + block - 1) / block);
    for (std::size_t b = 0; b < greatest.size(); ++b) {
        const std::size_t end = std::min(values.size(), (b + 1) * block);
        std::uint32_t most = 0;
        for (std::size_t i = b * block; i < end; ++i)
            most = std::max(most, values[i]);
        greatest[b] = most;
    }
    return greatest;
}

} // namespace

DurationBlocks::DurationBlocks(const Trace &trace)
    : m_longest(greatestOf(trace.events().duration, kBlock))
    , m_longestOf64(greatestOf(m_longest, kBlock))
{
    const auto &durations = trace.events().duration;
    m_before.reserve(m_longest.size() + 1);
    TimeNs sum = 0;
    for (std::size_t b = 0; b < m_longest.size(); ++b) {
        m_before.push_back(sum);
        const std::size_t end = std::min(durations.size(), (b + 1) * kBlock);
        for (std::size_t i = b * kBlock; i < end; ++i)
            sum = saturatingAdd(sum, m_longest[b] == EventTable::kLong ? trace.duration(static_cast<EventId>(i))
                                                                       : TimeNs{durations[i]});
    }
    m_before.push_back(sum);
}

std::size_t DurationBlocks::nextAtLeast(const Trace &trace, std::size_t first, std::size_t end,
                                        std::uint32_t least) const
{
    const std::uint32_t *durations = trace.events().duration.data();
    std::size_t i = first;
    while (i < end) {
        if (i % kBlock == 0) {
            std::size_t block = i / kBlock;
            const std::size_t blocks = m_longest.size();
            while (block < blocks && block * kBlock < end) {
                if (block % kBlock == 0 && m_longestOf64[block / kBlock] < least)
                    block += kBlock;
                else if (m_longest[block] < least)
                    ++block;
                else
                    break;
            }
            i = block * kBlock;
        }
        const std::size_t stop = std::min(end, (i / kBlock + 1) * kBlock);
        for (; i < stop; ++i) {
            if (durations[i] >= least)
                return i;
        }
    }
    return end;
}

EventId DurationBlocks::longest(const Trace &trace, EventId first, EventId end) const
{
    EventId best = kNoEvent;
    TimeNs most = -1;
    const auto look = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const TimeNs duration = trace.duration(static_cast<EventId>(i));
            if (duration > most) {
                most = duration;
                best = static_cast<EventId>(i);
            }
        }
    };
    std::size_t i = index(first);
    const std::size_t stop = index(end);
    while (i < stop) {
        const std::size_t block = i / kBlock;
        constexpr std::size_t kGreat = kBlock * kBlock;
        if (i % kGreat == 0 && i + kGreat <= stop && m_longestOf64[i / kGreat] != EventTable::kLong
            && TimeNs{m_longestOf64[i / kGreat]} <= most) {
            i += kGreat;
            continue;
        }
        if (i % kBlock == 0 && i + kBlock <= stop && m_longest[block] != EventTable::kLong
            && TimeNs{m_longest[block]} <= most) {
            i += kBlock;
            continue;
        }
        const std::size_t next = std::min(stop, (block + 1) * kBlock);
        look(i, next);
        i = next;
    }
    return best;
}

TimeNs DurationBlocks::sumBefore(const Trace &trace, std::size_t event) const
{
    const std::size_t block = event / kBlock;
    TimeNs sum = m_before[block];
    for (std::size_t i = block * kBlock; i < event; ++i)
        sum = saturatingAdd(sum, trace.duration(static_cast<EventId>(i)));
    return sum;
}

TimeNs DurationBlocks::sum(const Trace &trace, EventId first, EventId end) const
{
    if (first >= end)
        return 0;
    const TimeNs all = sumBefore(trace, index(end));
    if (all < kMaxTime)
        return all - sumBefore(trace, index(first));
    TimeNs sum = 0; // the sums before are no longer exact
    for (EventId id = first; id < end && sum < kMaxTime; id = advance(id, 1))
        sum = saturatingAdd(sum, trace.duration(id));
    return sum;
}

} // namespace ks
