// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/autograd_mates.h"

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

using Pairs = std::vector<std::pair<EventId, EventId>>; // forward, backward

Pairs pairsOfArrows(const Trace &trace)
{
    const NameId current = findName("fwdbwd");
    const NameId old = findName("forward_backward");
    Pairs pairs;
    for (const Arrow &arrow : trace.arrows().all) {
        if (arrow.category != kNoName && (arrow.category == current || arrow.category == old))
            pairs.emplace_back(arrow.from, arrow.to);
    }
    return pairs;
}

// Which lane is meant by the internal id of a forward thread: the one most arrows from there say; without arrows, the only lane with
// forward operators.
std::map<std::uint32_t, std::uint32_t> lanesOfThreads(const Trace &trace, const Pairs &arrows,
                                                      std::span<const Numbered> forward,
                                                      std::span<const Numbered> backward)
{
    std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> votes;
    if (!arrows.empty()) {
        std::vector<std::pair<EventId, std::uint32_t>> threads;
        for (const Numbered &entry : backward)
            threads.emplace_back(entry.event, entry.thread);
        const auto threadOf = SparseColumn<std::uint32_t>::fromPairs(std::move(threads));
        LaneCursor sources(trace);
        for (const auto &[from, to] : arrows) {
            if (const std::uint32_t *thread = threadOf.find(to))
                ++votes[*thread][static_cast<std::uint32_t>(sources.laneOf(from))];
        }
    }
    std::map<std::uint32_t, std::uint32_t> lanes;
    for (const auto &[thread, counts] : votes) {
        const auto most = std::max_element(counts.begin(), counts.end(),
                                           [](const auto &a, const auto &b) { return a.second < b.second; });
        lanes[thread] = most->first;
    }
    const bool onlyOne = !forward.empty() && std::all_of(forward.begin(), forward.end(), [&](const Numbered &entry) {
        return entry.thread == forward.front().thread;
    });
    if (onlyOne) {
        for (const Numbered &entry : backward)
            lanes.try_emplace(entry.thread, forward.front().thread);
    }
    return lanes;
}

} // namespace

Mates findMates(const Trace &trace, const MateInput &input)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> threads; // (position, thread), in file order like the numbers
    threads.reserve(input.forwardThreads.size());
    input.forwardThreads.forEach(
        [&](std::uint32_t position, std::uint32_t thread) { threads.emplace_back(position, thread); });
    std::vector<Numbered> forward;
    std::vector<Numbered> backward;
    auto thread = threads.begin();
    LaneCursor laneOfForward(trace);
    input.sequenceNumbers.forEach([&](std::uint32_t position, std::uint32_t sequence) {
        const EventId event = input.idOfFileIndex[position];
        if (trace.kind(event) != EventKind::Operator)
            return;
        thread = std::find_if(thread, threads.end(), [&](const auto &entry) { return entry.first >= position; });
        if (thread != threads.end() && thread->first == position)
            backward.push_back({sequence, thread->second, event});
        else
            forward.push_back({sequence, static_cast<std::uint32_t>(laneOfForward.laneOf(event)), event});
    });
    const NumberTable innermostForward(
        [&](auto visit) {
            for (const Numbered &entry : forward)
                visit(numberOf(entry.thread, entry.sequence), entry.event);
        },
        [&](EventId later, EventId earlier) {
            return std::pair(trace.begin(later), -trace.duration(later))
                   >= std::pair(trace.begin(earlier), -trace.duration(earlier));
        });

    const Pairs pairs = pairsOfArrows(trace);
    const std::map<std::uint32_t, std::uint32_t> lanes = lanesOfThreads(trace, pairs, forward, backward);
    std::vector<std::pair<EventId, EventId>> told; // backward, forward
    for (const auto &[from, to] : pairs)
        told.emplace_back(to, from);
    const auto forwardOf = SparseColumn<EventId>::fromPairs(told);
    for (const Numbered &entry : backward) {
        const auto lane = lanes.find(entry.thread);
        if (lane == lanes.end() || forwardOf.find(entry.event))
            continue;
        const EventId mate = innermostForward.find(numberOf(lane->second, entry.sequence));
        if (mate != kNoEvent && trace.begin(mate) <= trace.begin(entry.event))
            told.emplace_back(entry.event, mate);
    }
    Mates mates;
    mates.forwardOfBackward = SparseColumn<EventId>::fromPairs(std::move(told));
    Pairs back;
    back.reserve(mates.forwardOfBackward.size());
    for (std::size_t i = 0; i < mates.forwardOfBackward.size(); ++i)
        back.emplace_back(mates.forwardOfBackward.values()[i], mates.forwardOfBackward.ids()[i]);
    mates.backwardOfForward = EventPairs::fromPairs(std::move(back), [&](EventId a, EventId b) {
        return std::pair(trace.begin(a), a) < std::pair(trace.begin(b), b);
    });
    return mates;
}

} // namespace ks
