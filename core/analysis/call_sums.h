// SPDX-License-Identifier: GPL-3.0-or-later
// Adds up calls, each into the sums it is told: times, memory and device work, as the operator table counts them.
//
// Calls are looked at by blocks of their order in TorchNesting::calls(), so that who knows the sums of whole blocks
// (call_blocks.h) adds up the others only.
#pragma once

#include "core/analysis/call_memory.h"
#include "core/analysis/call_work.h"
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
    void addWork(const TraceScope &work, const CallWork &owners);

private:
    // Work comes by begin, so the union of a call grows at its end only.
    struct WorkEnds
    {
        TimeNs total = kMinTime;
        TimeNs self = kMinTime;
    };

    static std::size_t targetOf(std::uint32_t slot, std::uint32_t call)
    {
        return std::size_t{slot} * kBlock + call % kBlock;
    }
    // visit(call) for all calls of the blocks on lanes of the scope.
    template<typename Visit>
    void visitCalls(Visit visit) const;

    const Trace &m_trace;
    const TraceScope &m_host;
    const Progress &m_progress;
    const TorchNesting &m_nesting;
    std::vector<std::uint32_t> m_slots; // by block: where its targets are, in blocks; kNone: not included
    std::vector<OperatorSums *> m_sums; // of each call of the blocks that are included
    std::vector<WorkEnds> m_ends;       // of the same, once there is work
};

} // namespace ks
