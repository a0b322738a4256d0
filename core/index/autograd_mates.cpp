// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/autograd_mates.h"

#include "core/base/radix_sort.h"
#include "core/index/lane_cursor.h"
#include "core/index/number_table.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace ks {
namespace {

struct Numbered
{
    std::uint32_t sequence = 0;
    std::uint32_t thread = 0; // forward: lane; backward: internal id of the forward thread
    EventId event = kNoEvent;
};

std::uint64_t numberOf(std::uint32_t thread, std::uint32_t sequence)
{
    return (std::uint64_t{thread} << 32U) | sequence;
}

// (backward, forward) of the arrows, ascending by backward.
SparseColumn<EventId> matesOfArrows(const Trace &trace)
{
    const NameId current = findName("fwdbwd");
    const NameId old = findName("forward_backward");
    const auto tellsMates = [&](const Arrow &arrow) {
        return arrow.category != kNoName && (arrow.category == current || arrow.category == old);
    };
    const LargeArray<Arrow> &arrows = trace.arrows().all;
    LargeArray<std::pair<EventId, EventId>> mates;
    mates.reserve(static_cast<std::size_t>(std::count_if(arrows.begin(), arrows.end(), tellsMates)));
    for (const Arrow &arrow : arrows) {
        if (tellsMates(arrow))
            mates.emplace_back(arrow.to, arrow.from);
    }
    return SparseColumn<EventId>::fromPairs(std::move(mates));
}

// Which lane is meant by the internal id of a forward thread: the one most arrows from there say; without arrows, the only lane with
// forward operators. `backward` is ascending by event.
std::map<std::uint32_t, std::uint32_t> lanesOfThreads(const Trace &trace, const SparseColumn<EventId> &arrows,
                                                      std::span<const Numbered> forward,
                                                      std::span<const Numbered> backward)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> votes; // by thread and lane
    LaneCursor sources(trace);
    auto vote = votes.end();
    auto entry = backward.begin();
    for (std::size_t i = 0; i < arrows.size(); ++i) {
        const EventId to = arrows.ids()[i];
        while (entry != backward.end() && entry->event < to)
            ++entry;
        if (entry == backward.end() || entry->event != to)
            continue;
        const auto lane = static_cast<std::uint32_t>(sources.laneOf(arrows.values()[i]));
        if (const std::pair key(entry->thread, lane); vote == votes.end() || vote->first != key)
            vote = votes.try_emplace(key, 0).first;
        ++vote->second;
    }
    std::map<std::uint32_t, std::uint32_t> lanes;
    std::map<std::uint32_t, std::size_t> most;
    for (const auto &[key, count] : votes) {
        if (std::size_t &best = most[key.first]; count > best) {
            best = count;
            lanes[key.first] = key.second;
        }
    }
    const bool onlyOne = !forward.empty() && std::all_of(forward.begin(), forward.end(), [&](const Numbered &other) {
        return other.thread == forward.front().thread;
    });
    if (onlyOne) {
        for (const Numbered &other : backward)
            lanes.try_emplace(other.thread, forward.front().thread);
    }
    return lanes;
}

// Operators with a sequence number, forward ones in file order, backward ones ascending by event.
struct NumberedOperators
{
    NumberedOperators(const Trace &trace, const MateInput &input)
    {
        LargeArray<std::pair<std::uint32_t, std::uint32_t>>
            threads; // (position, thread), in file order like the numbers
        threads.reserve(input.forwardThreads.size());
        input.forwardThreads.forEach(
            [&](std::uint32_t position, std::uint32_t thread) { threads.emplace_back(position, thread); });
        backward.reserve(threads.size());
        forward.reserve(input.sequenceNumbers.size());
        auto thread = threads.begin();
        LaneCursor lanes(trace);
        input.sequenceNumbers.forEach([&](std::uint32_t position, std::uint32_t sequence) {
            const EventId event = input.idOfFileIndex[position];
            if (trace.kind(event) != EventKind::Operator)
                return;
            thread = std::find_if(thread, threads.end(), [&](const auto &entry) { return entry.first >= position; });
            if (thread != threads.end() && thread->first == position)
                backward.push_back({sequence, thread->second, event});
            else
                forward.push_back({sequence, static_cast<std::uint32_t>(lanes.laneOf(event)), event});
        });
        radixSort(backward, [](const Numbered &entry) { return static_cast<std::uint32_t>(entry.event); });
    }

    LargeArray<Numbered> forward;
    LargeArray<Numbered> backward;
};

} // namespace

Mates findMates(const Trace &trace, const MateInput &input)
{
    const auto [forward, backward] = NumberedOperators(trace, input);
    const NumberTable innermostForward(
        [&, &forward = forward](auto visit) {
            for (const Numbered &entry : forward)
                visit(numberOf(entry.thread, entry.sequence), entry.event);
        },
        [&](EventId later, EventId earlier) {
            return std::pair(trace.begin(later), -trace.duration(later))
                   >= std::pair(trace.begin(earlier), -trace.duration(earlier));
        });

    const SparseColumn<EventId> arrows = matesOfArrows(trace);
    const std::map<std::uint32_t, std::uint32_t> lanes = lanesOfThreads(trace, arrows, forward, backward);
    LargeArray<std::pair<EventId, EventId>> told; // backward, forward
    told.reserve(arrows.size());
    for (std::size_t i = 0; i < arrows.size(); ++i)
        told.emplace_back(arrows.ids()[i], arrows.values()[i]);
    std::size_t next = 0; // of the arrows
    for (const Numbered &entry : backward) {
        while (next < arrows.size() && arrows.ids()[next] < entry.event)
            ++next;
        const auto lane = lanes.find(entry.thread);
        if (lane == lanes.end() || (next < arrows.size() && arrows.ids()[next] == entry.event))
            continue;
        const EventId mate = innermostForward.find(numberOf(lane->second, entry.sequence));
        if (mate != kNoEvent && trace.begin(mate) <= trace.begin(entry.event))
            told.emplace_back(entry.event, mate);
    }
    Mates mates;
    mates.forwardOfBackward = SparseColumn<EventId>::fromPairs(std::move(told));
    LargeArray<std::pair<EventId, EventId>> back;
    back.reserve(mates.forwardOfBackward.size());
    for (std::size_t i = 0; i < mates.forwardOfBackward.size(); ++i)
        back.emplace_back(mates.forwardOfBackward.values()[i], mates.forwardOfBackward.ids()[i]);
    mates.backwardOfForward = EventPairs::fromPairs(std::move(back), [&](EventId a, EventId b) {
        return std::pair(trace.begin(a), a) < std::pair(trace.begin(b), b);
    });
    return mates;
}

} // namespace ks
