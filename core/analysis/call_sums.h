// SPDX-License-Identifier: GPL-3.0-or-later
// Adds up calls, each into the sums it is told: times, memory and device work, as the operator table counts them.
//
// Calls are looked at by blocks of their order in TorchNesting::calls(), so that who knows the sums of whole blocks
// (call_blocks.h) adds up the others only.
#pragma once

#include "core/analysis/call_memory.h"
#include "core/analysis/call_work.h"
#include "core/analysis/device_work.h"
#include "core/analysis/operator_inputs.h"
#include "core/analysis/operator_sums.h"
#include "core/analysis/scope.h"
#include "core/base/progress.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace ks {

class CallSums
{
public:
    static constexpr std::uint32_t kBlock = 4096; // calls
    static constexpr WorkStretch kAllWork[] = {{0, std::numeric_limits<std::uint32_t>::max()}};

    // Calls of the scope `host`; no block is included yet. The scope must stay.
    explicit CallSums(const TraceScope &host, const Progress &progress = {});

    void include(std::uint32_t block);
    void includeAll();

    // Each selected call of the blocks, in their order, goes to the sums that sumsOf(call) names; these must stay.
    // `costs` may be null.
    void addCalls(const std::function<OperatorSums &(std::uint32_t call)> &sumsOf, const CallCosts *costs);
    // The sums of a call; null if it is not selected or in no block that is included.
    OperatorSums *sumsOf(std::uint32_t call)
    {
        const std::uint32_t slot = m_slots[call / kBlock];
        return slot != TorchNesting::kNone ? m_sums[targetOf(slot, call)] : nullptr;
    }
    // After the calls:
    void addMemory(const CallMemory &memory);
    // Of the work that stands within these, by position. also(call, position, part) hears of each call it belongs to,
    // forward ones and those that are not selected, too.
    template<typename Also>
    void addWork(const TraceScope &work, const CallWork &owners, std::span<const WorkStretch> within, Also also);
    void addWork(const TraceScope &work, const CallWork &owners, std::span<const WorkStretch> within = kAllWork)
    {
        addWork(work, owners, within, [](std::uint32_t, std::uint32_t, TimeRange) {});
    }

private:
    // Work comes by begin, so the union of a call grows at its end only.
    struct WorkEnds
    {
        TimeNs total = kMinTime;
        TimeNs self = kMinTime;
    };

    static void add(TimeNs &sum, TimeNs &unionOf, TimeNs &end, TimeRange part)
    {
        sum = saturatingAdd(sum, part.duration());
        if (part.end > end) {
            unionOf = saturatingAdd(unionOf, part.end - std::max(part.begin, end));
            end = part.end;
        }
    }
    static std::size_t targetOf(std::uint32_t slot, std::uint32_t call)
    {
        return std::size_t{slot} * kBlock + call % kBlock;
    }
    // visit(first, end) for all calls of the blocks on lanes of the scope, ascending.
    template<typename Visit>
    void visitStretches(Visit visit) const;

    const Trace &m_trace;
    const TraceScope &m_host;
    const Progress &m_progress;
    const TorchNesting &m_nesting;
    std::vector<std::uint32_t> m_slots; // by block: where its targets are, in blocks; kNone: not included
    std::vector<OperatorSums *> m_sums; // of each call of the blocks that are included
    std::vector<WorkEnds> m_ends;       // of the same, once there is work
};

template<typename Also>
void CallSums::addWork(const TraceScope &work, const CallWork &owners, std::span<const WorkStretch> within, Also also)
{
    if (m_sums.empty())
        return;
    m_ends.resize(m_sums.size());
    const auto addPiece = [&](std::uint32_t position, const WorkIndex::Entry &, TimeRange part) {
        const CallWork::Owners of = owners.ownersOf(position);
        for (const std::uint32_t call : of.all) {
            also(call, position, part);
            OperatorSums *const sums = sumsOf(call);
            if (!sums)
                continue;
            WorkEnds &ends = m_ends[targetOf(m_slots[call / kBlock], call)];
            sums->hasWork = true;
            sums->deviceWithBackward = saturatingAdd(sums->deviceWithBackward, part.duration());
            add(sums->deviceTotal, sums->deviceTotalUnion, ends.total, part);
            if (call == of.self)
                add(sums->deviceSelf, sums->deviceSelfUnion, ends.self, part);
        }
        for (const std::uint32_t call : of.forward) {
            also(call, position, part);
            if (OperatorSums *const sums = sumsOf(call))
                sums->deviceWithBackward = saturatingAdd(sums->deviceWithBackward, part.duration());
        }
    };
    for (const WorkStretch &stretch : within)
        visitWork(work, m_progress, addPiece, stretch);
}

} // namespace ks
