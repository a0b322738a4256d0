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

std::vector<WorkStretch> merged(std::vector<WorkStretch> stretches)
{
    std::sort(stretches.begin(), stretches.end(),
              [](const WorkStretch &a, const WorkStretch &b) { return a.first < b.first; });
    std::vector<WorkStretch> result;
    for (const WorkStretch &stretch : stretches) {
        if (result.empty() || stretch.first > result.back().end)
            result.push_back(stretch);
        else
            result.back().end = std::max(result.back().end, stretch.end);
    }
    return result;
}

} // namespace

CallBlocks::CallBlocks(const Trace &trace, const Progress &progress)
{
    makeEntries(trace);
    const TraceScope everything(trace, Scope());
    CallSums sums(everything, progress);
    sums.includeAll();
    sums.addCalls([this](std::uint32_t call) -> OperatorSums & { return m_entries[m_entryOf[call]].sums; },
                  &callCosts(trace, progress));
    sums.addMemory(callMemory(trace, progress));
    sums.addWork(everything, callWork(trace, progress), CallSums::kAllWork,
                 [this](std::uint32_t call, std::uint32_t position, TimeRange part) {
                     m_blocks[call / kBlock].add(position, part);
                 });
    addChildren(trace, progress);
}

void CallBlocks::makeEntries(const Trace &trace)
{
    const auto calls = torchNesting(trace).calls();
    constexpr std::uint32_t kNone = TorchNesting::kNone;
    std::vector<std::uint32_t> entryOfGroup; // the last one
    m_entryOf.reserve(calls.size());
    for (std::size_t begin = 0; begin < calls.size(); begin += kBlock) {
        TimeRange extent = calls[begin].range;
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
            extent = extent.united(call.range);
        }
        m_blocks.push_back({static_cast<std::uint32_t>(m_entries.size()), 0, extent, extent, {}});
    }
}

void CallBlocks::addChildren(const Trace &trace, const Progress &progress)
{
    const auto calls = torchNesting(trace, progress).calls();
    const CallMemory &memory = callMemory(trace, progress);
    auto held = memory.held.begin();
    for (std::uint32_t block = 0; block < m_blocks.size(); ++block) {
        progress.throwIfStopped();
        const std::size_t first = m_children.size();
        const std::size_t end = std::min<std::size_t>(calls.size(), std::size_t{block + 1} * kBlock);
        for (std::size_t i = std::size_t{block} * kBlock; i < end; ++i) {
            const TorchNesting::Call &call = calls[i];
            if (call.parent == TorchNesting::kNone || call.parent / kBlock == block)
                continue;
            while (held != memory.held.end() && held->call < i)
                ++held;
            // The deepest parent is the last one found.
            auto known = std::find_if(m_children.rbegin(), m_children.rend() - static_cast<std::ptrdiff_t>(first),
                                      [&call](const Children &one) { return one.parent == call.parent; });
            if (known == m_children.rend() - static_cast<std::ptrdiff_t>(first)) {
                m_children.push_back({call.parent, 0, {}});
                known = m_children.rbegin();
            }
            known->time = saturatingAdd(known->time, call.range.duration());
            if (held != memory.held.end() && held->call == i)
                known->memory += memory.sums.sum(held->part());
        }
        m_blocks[block].children = static_cast<std::uint32_t>(m_children.size());
    }
}

void CallBlocks::Block::add(std::uint32_t position, TimeRange range)
{
    constexpr std::uint32_t kFar = 4096; // pieces that are not worth looking at
    all = all.united(range);
    if (work.empty() || position > std::size_t{work.back().end} + kFar)
        work.push_back({position, position});
    work.back().end = position + 1;
}

std::vector<OperatorSums> CallBlocks::sumsIn(const TraceScope &scope, const Progress &progress) const
{
    const Trace &trace = scope.trace();
    std::vector<OperatorSums> result(m_groups.all().size());
    CallSums cut(scope, progress);
    std::vector<std::uint32_t> whole;
    std::vector<WorkStretch> work; // of the calls of blocks that are cut
    for (std::uint32_t block = 0; block < m_blocks.size(); ++block) {
        if (!scope.range() || isWithin(m_blocks[block].all, *scope.range()))
            whole.push_back(block);
        else if (touches(m_blocks[block].calls, *scope.range())) {
            cut.include(block);
            work.insert(work.end(), m_blocks[block].work.begin(), m_blocks[block].work.end());
        }
    }
    cut.addCalls([&](std::uint32_t call) -> OperatorSums & { return result[m_entries[m_entryOf[call]].group]; },
                 &callCosts(trace, progress));
    cut.addMemory(callMemory(trace, progress));
    cut.addWork(scope, callWork(trace, progress), merged(std::move(work)));
    for (const std::uint32_t block : whole) {
        const std::uint32_t firstEntry = block != 0 ? m_blocks[block - 1].entries : 0;
        const std::uint32_t firstChild = block != 0 ? m_blocks[block - 1].children : 0;
        for (std::uint32_t i = firstEntry; i < m_blocks[block].entries; ++i)
            result[m_entries[i].group] += m_entries[i].sums;
        for (std::uint32_t i = firstChild; i < m_blocks[block].children; ++i) {
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
