// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/call_sums.h"

#include "core/base/gallop.h"

namespace ks {
namespace {

void addCost(OperatorSums &sums, const CallCost &cost)
{
    sums.flops = saturatingAdd(sums.flops, cost.flops);
    if (!cost.model)
        return;
    sums.modelFlops = saturatingAdd(sums.modelFlops, cost.model->flops);
    sums.modelBytes = saturatingAdd(sums.modelBytes, cost.model->bytes.value_or(0));
    ++sums.modelled;
    sums.bytesKnown += cost.model->bytes ? 1 : 0;
}

} // namespace

CallSums::CallSums(const TraceScope &host, const Progress &progress)
    : m_trace(host.trace())
    , m_host(host)
    , m_progress(progress)
    , m_nesting(torchNesting(m_trace, progress))
    , m_slots((m_nesting.calls().size() + kBlock - 1) / kBlock, TorchNesting::kNone)
{}

void CallSums::include(std::uint32_t block)
{
    m_slots[block] = static_cast<std::uint32_t>(m_sums.size() / kBlock);
    m_sums.resize(m_sums.size() + kBlock, nullptr);
}

void CallSums::includeAll()
{
    m_sums.reserve(m_slots.size() * kBlock);
    for (std::uint32_t block = 0; block < m_slots.size(); ++block)
        include(block);
}

template<typename Visit>
void CallSums::visitStretches(Visit visit) const
{
    for (std::size_t l = 0; l < m_trace.lanes().size(); ++l) {
        const auto lane = static_cast<LaneId>(l);
        if (!m_host.includesLane(lane))
            continue;
        const std::uint32_t end = m_nesting.endOfLane(lane);
        for (std::uint32_t call = m_nesting.firstOfLane(lane); call < end;) {
            const std::uint32_t block = call / kBlock;
            const std::uint32_t blockEnd = std::min(end, (block + 1) * kBlock);
            if (m_slots[block] != TorchNesting::kNone) {
                m_progress.throwIfStopped();
                visit(call, blockEnd);
            }
            call = blockEnd;
        }
    }
}

void CallSums::addCalls(const std::function<OperatorSums &(std::uint32_t call)> &sumsOf, const CallCosts *costs)
{
    const auto calls = m_nesting.calls();
    const auto add = [&](std::uint32_t i) {
        const TorchNesting::Call &call = calls[i];
        const std::optional<TimeRange> inside = m_host.partInRange(call.range);
        if (!inside)
            return;
        // What a child takes is not its parent's own, be the child selected or not.
        if (call.parent != TorchNesting::kNone) {
            if (OperatorSums *parent = this->sumsOf(call.parent))
                parent->self = saturatingSubtract(parent->self, inside->duration());
        }
        if (!m_host.isOnlyRange() && !m_host.part(call.event))
            return;
        OperatorSums &sums = sumsOf(i);
        m_sums[targetOf(m_slots[i / kBlock], i)] = &sums;
        const bool isCall = m_host.counts(call.event);
        ++sums.parts;
        sums.calls += isCall ? 1 : 0;
        sums.total = saturatingAdd(sums.total, inside->duration());
        sums.self = saturatingAdd(sums.self, inside->duration());
        if (costs && isCall && costs->numbers[i] != 0)
            addCost(sums, costs->costs[costs->numbers[i]]);
    };
    visitStretches([&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t i = first; i < end; ++i)
            add(i);
    });
}

void CallSums::addMemory(const CallMemory &memory)
{
    const auto calls = m_nesting.calls();
    std::size_t hint = 0;
    const auto add = [&](const CallMemory::Held &held) {
        const TorchNesting::Call &call = calls[held.call];
        const std::optional<TimeRange> inside = m_host.partInRange(call.range);
        if (!inside)
            return;
        const MemorySum sum = memory.sums.sum(*inside == call.range ? held.part() : memory.sums.within(*inside, hint));
        if (call.parent != TorchNesting::kNone) {
            if (OperatorSums *parent = sumsOf(call.parent))
                parent->memorySelf -= sum;
        }
        if (OperatorSums *own = sumsOf(held.call)) {
            own->memory += sum;
            own->memorySelf += sum;
        }
    };
    std::size_t next = 0;
    visitStretches([&](std::uint32_t first, std::uint32_t end) {
        next = gallop(next, memory.held.size(), [&](std::size_t i) { return memory.held[i].call >= first; });
        for (; next < memory.held.size() && memory.held[next].call < end; ++next)
            add(memory.held[next]);
    });
}

} // namespace ks
