// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/call_blocks.h"

#include "core/analysis/call_memory.h"
#include "core/analysis/call_sums.h"
#include "core/analysis/call_work.h"
#include "core/analysis/device_work.h"
#include "core/analysis/torch_nesting.h"

#include <algorithm>

namespace ks {
namespace {

constexpr std::uint32_t kBlock = CallSums::kBlock;

// All of it, to the last nanosecond, for what is empty as well.
bool isWithin(TimeRange range, TimeRange bounds)
{
    return range.begin >= bounds.begin && range.end < bounds.end;
}

bool touches(TimeRange a, TimeRange b)
{
    return a.begin <= b.end && b.begin <= a.end;
}

} // namespace

CallBlocks::CallBlocks(const Trace &trace, const Progress &progress)
{
    const LargeMemoryReuse reuse; // columns that are read from the file make room for sums
    makeEntries(trace);
    const TraceScope everything(trace, Scope());
    CallSums sums(everything, progress);
    sums.includeAll();
    sums.addCalls([this](std::uint32_t call) -> OperatorSums & { return m_entries[m_entryOf[call]].sums; },
                  &callCosts(trace, progress));
    sums.addMemory(callMemory(trace, progress));
    sums.addWork(everything, callWork(trace, progress));
    addChildren(trace, progress);
    findExtents(trace, progress);
}

void CallBlocks::makeEntries(const Trace &trace)
{
    const auto calls = torchNesting(trace).calls();
    constexpr std::uint32_t kNone = TorchNesting::kNone;
    std::vector<std::uint32_t> entryOfGroup; // the last one
    m_entryOf.reserve(calls.size());
    for (std::size_t begin = 0; begin < calls.size(); begin += kBlock) {
        const auto firstEntry = static_cast<std::uint32_t>(m_entries.size());
        const auto block = calls.subspan(begin, std::min<std::size_t>(kBlock, calls.size() - begin));
        for (const TorchNesting::Call &call : block) {
            const std::uint32_t group = m_groups.numberOf(trace.nameId(call.event), trace.kind(call.event));
            entryOfGroup.resize(m_groups.all().size(), kNone);
            std::uint32_t &entry = entryOfGroup[group];
            if (entry == kNone || entry < firstEntry) {
                entry = static_cast<std::uint32_t>(m_entries.size());
                m_entries.push_back({group, {}});
            }
            m_entryOf.push_back(entry);
        }
        m_blocks.push_back({static_cast<std::uint32_t>(m_entries.size()), 0, {}, {}});
    }
}

void CallBlocks::addChildren(const Trace &trace, const Progress &progress)
{
    const auto calls = torchNesting(trace, progress).calls();
    const MemorySums &memory = callMemory(trace, progress).sums;
    std::size_t hint = 0;
    for (std::uint32_t block = 0; block < m_blocks.size(); ++block) {
        progress.throwIfStopped();
        const std::size_t first = m_children.size();
        const std::size_t end = std::min<std::size_t>(calls.size(), std::size_t{block + 1} * kBlock);
        for (std::size_t i = std::size_t{block} * kBlock; i < end; ++i) {
            const TorchNesting::Call &call = calls[i];
            if (call.parent == TorchNesting::kNone || call.parent / kBlock == block)
                continue;
            // The deepest parent is the last one found.
            auto known = std::find_if(m_children.rbegin(), m_children.rend() - static_cast<std::ptrdiff_t>(first),
                                      [&call](const Children &one) { return one.parent == call.parent; });
            if (known == m_children.rend() - static_cast<std::ptrdiff_t>(first)) {
                m_children.push_back({call.parent, 0, {}});
                known = m_children.rbegin();
            }
            known->time = saturatingAdd(known->time, call.range.duration());
            if (!memory.isEmpty())
                known->memory += memory.sum(memory.within(call.range, hint));
        }
        m_blocks[block].children = static_cast<std::uint32_t>(m_children.size());
    }
}

void CallBlocks::findExtents(const Trace &trace, const Progress &progress)
{
    const auto calls = torchNesting(trace, progress).calls();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        TimeRange &extent = m_blocks[i / kBlock].calls;
        extent = i % kBlock == 0 ? calls[i].range : extent.united(calls[i].range);
    }
    for (Block &block : m_blocks)
        block.all = block.calls;
    const CallWork &owners = callWork(trace, progress);
    const auto work = workIndex(trace, progress).byBegin();
    for (std::uint32_t i = 0; i < work.size(); ++i) {
        const CallWork::Owners of = owners.ownersOf(i);
        const TimeRange range = trace.range(work[i].event);
        for (const auto &owning : {of.all, of.forward}) {
            for (const std::uint32_t call : owning) {
                TimeRange &extent = m_blocks[call / kBlock].all;
                extent = extent.united(range);
            }
        }
    }
}

std::vector<OperatorSums> CallBlocks::sumsIn(const TraceScope &scope, const Progress &progress) const
{
    const Trace &trace = scope.trace();
    std::vector<OperatorSums> result(m_groups.all().size());
    CallSums cut(scope, progress);
    std::vector<std::uint32_t> whole;
    for (std::uint32_t block = 0; block < m_blocks.size(); ++block) {
        if (!scope.range() || isWithin(m_blocks[block].all, *scope.range()))
            whole.push_back(block);
        else if (touches(m_blocks[block].calls, *scope.range()))
            cut.include(block);
    }
    cut.addCalls([&](std::uint32_t call) -> OperatorSums & { return result[m_entries[m_entryOf[call]].group]; },
                 &callCosts(trace, progress));
    cut.addMemory(callMemory(trace, progress));
    cut.addWork(scope, callWork(trace, progress));
    for (const std::uint32_t block : whole) {
        const Block before = block != 0 ? m_blocks[block - 1] : Block();
        for (std::uint32_t i = before.entries; i < m_blocks[block].entries; ++i)
            result[m_entries[i].group] += m_entries[i].sums;
        for (std::uint32_t i = before.children; i < m_blocks[block].children; ++i) {
            if (OperatorSums *parent = cut.sumsOf(m_children[i].parent)) {
                parent->self = saturatingSubtract(parent->self, m_children[i].time);
                parent->memorySelf -= m_children[i].memory;
            }
        }
    }
    return result;
}

const CallBlocks &callBlocks(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<CallBlocks>([&] { return CallBlocks(trace, progress); });
}

} // namespace ks
