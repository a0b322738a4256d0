// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/autograd_mates.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ks {
namespace {

struct Numbered
{
    std::uint32_t sequence = 0;
    std::uint32_t thread = 0; // forward: lane; backward: internal id of the forward thread
    EventId event = kNoEvent;
};

bool byNumber(const Numbered &a, const Numbered &b)
{
    return std::tuple(a.thread, a.sequence) < std::tuple(b.thread, b.sequence);
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
    std::vector<std::pair<EventId, std::uint32_t>> threads;
    for (const Numbered &entry : backward)
        threads.emplace_back(entry.event, entry.thread);
    const auto threadOf = SparseColumn<std::uint32_t>::fromPairs(std::move(threads));
    std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> votes;
    for (const auto &[from, to] : arrows) {
        if (const std::uint32_t *thread = threadOf.find(to))
            ++votes[*thread][static_cast<std::uint32_t>(trace.lane(from))];
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
    std::vector<std::pair<EventId, std::uint32_t>> threads;
    for (const RawField &field : input.forwardThreads)
        threads.emplace_back(input.idOfFileIndex[field.event], field.value);
    const auto forwardThread = SparseColumn<std::uint32_t>::fromPairs(std::move(threads));

    std::vector<Numbered> forward;
    std::vector<Numbered> backward;
    for (const RawField &field : input.sequenceNumbers) {
        const EventId event = input.idOfFileIndex[field.event];
        if (trace.kind(event) != EventKind::Operator)
            continue;
        if (const std::uint32_t *thread = forwardThread.find(event))
            backward.push_back({field.value, *thread, event});
        else
            forward.push_back({field.value, static_cast<std::uint32_t>(trace.lane(event)), event});
    }
    // Of the forward operators with one number the innermost is the last in this order.
    std::sort(forward.begin(), forward.end(), [&](const Numbered &a, const Numbered &b) {
        return std::tuple(a.thread, a.sequence, trace.begin(a.event), -trace.duration(a.event))
               < std::tuple(b.thread, b.sequence, trace.begin(b.event), -trace.duration(b.event));
    });

    Pairs pairs = pairsOfArrows(trace);
    const std::map<std::uint32_t, std::uint32_t> lanes = lanesOfThreads(trace, pairs, forward, backward);
    std::vector<std::pair<EventId, EventId>> told;
    for (const auto &[from, to] : pairs)
        told.emplace_back(to, from);
    auto forwardOf = SparseColumn<EventId>::fromPairs(told);
    for (const Numbered &entry : backward) {
        const auto lane = lanes.find(entry.thread);
        if (lane == lanes.end() || forwardOf.find(entry.event))
            continue;
        const auto after = std::upper_bound(forward.begin(), forward.end(),
                                            Numbered{entry.sequence, lane->second, kNoEvent}, byNumber);
        if (after == forward.begin())
            continue;
        const Numbered &mate = *std::prev(after);
        if (mate.sequence == entry.sequence && mate.thread == lane->second
            && trace.begin(mate.event) <= trace.begin(entry.event))
            told.emplace_back(entry.event, mate.event);
    }
    Mates mates;
    mates.forwardOfBackward = SparseColumn<EventId>::fromPairs(std::move(told));
    Pairs back;
    for (std::size_t i = 0; i < mates.forwardOfBackward.size(); ++i)
        back.emplace_back(mates.forwardOfBackward.values()[i], mates.forwardOfBackward.ids()[i]);
    std::sort(back.begin(), back.end(), [&](const auto &a, const auto &b) {
        return std::tuple(trace.begin(a.second), a.second) < std::tuple(trace.begin(b.second), b.second);
    });
    mates.backwardOfForward = EventPairs::fromPairs(std::move(back));
    return mates;
}

} // namespace ks
