// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of blocks of calls by name and kind, kept with the trace: the operator table of any range of time adds up whole
// blocks, and looks at single calls only where the range cuts a block, or work its calls launched.
#pragma once

#include "core/analysis/device_work.h"
#include "core/analysis/operator_sums.h"
#include "core/analysis/row_groups.h"
#include "core/analysis/scope.h"
#include "core/base/large_memory.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ks {

class CallBlocks
{
public:
    // About 150 ns a call; 4 bytes a call and some for each name of a block. Throws SourceChanged, Cancelled.
    explicit CallBlocks(const Trace &trace, const Progress &progress = {});

    // In the order of their first calls.
    std::span<const RowGroups::Group> groups() const { return m_groups.all(); }
    // By group. The scope is of the same trace and restricts time only.
    std::vector<OperatorSums> sumsIn(const TraceScope &scope, const Progress &progress = {}) const;

private:
    struct Entry
    {
        std::uint32_t group = 0;
        OperatorSums sums;
    };
    // What the parent of some calls of a block, itself in another block, does not count as its own.
    struct Children
    {
        std::uint32_t parent = 0; // call
        TimeNs time = 0;
        MemorySum memory;
    };
    struct Block
    {
        std::uint32_t entries = 0;  // end in m_entries
        std::uint32_t children = 0; // end in m_children
        TimeRange calls;            // from the first begin to the last end
        TimeRange all;              // with the work they launched, also that of their backward calls
        // Where that work stands: a stretch for each time its calls are from, as where a lane ends and the next begins.
        std::vector<WorkStretch> work;

        void add(std::uint32_t position, TimeRange range); // a piece of it, positions ascending
    };

    void makeEntries(const Trace &trace);
    void addChildren(const Trace &trace, const Progress &progress);

    RowGroups m_groups;
    LargeArray<std::uint32_t> m_entryOf; // by call
    std::vector<Entry> m_entries;        // by block
    std::vector<Children> m_children;    // by block
    std::vector<Block> m_blocks;
};

// Of the trace, made on first use and kept.
const CallBlocks &callBlocks(const Trace &trace, const Progress &progress = {});

} // namespace ks
