// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of events, in row order: (lane, group, depth in the group, begin). All columns have one length.
// 31 bytes per event; what only some events have is in sparse columns.
#pragma once

#include "core/base/ids.h"
#include "core/base/large_memory.h"
#include "core/base/time.h"
#include "core/trace/sparse_column.h"

#include <cstdint>
#include <vector>

namespace ks {

struct EventTable
{
    static constexpr std::uint32_t kLong = 0xffffffffU; // duration is in longDurations

    LargeArray<TimeNs> begin;
    LargeArray<std::uint32_t> duration; // ns, or kLong
    LargeArray<NameId> name;
    LargeArray<CategoryId> category;
    LargeArray<EventId> parent;                // innermost enclosing event of the lane, all groups together
    LargeArray<std::uint32_t> fileIndex;       // position in file order
    LargeArray<std::uint32_t> recordOffsetLow; // byte of the record in the JSON text, 40 bits
    LargeArray<std::uint8_t> recordOffsetHigh;

    SparseColumn<TimeNs> longDurations;
    SparseColumn<EventId> caller;          // event named by `Python parent id`
    SparseColumn<std::uint64_t> endRecord; // B/E and b/e pairs: byte of the end record, whose args count too
    std::vector<EventId> unfinished;       // no end in the file; ascending

    std::size_t size() const { return begin.size(); }
};

} // namespace ks
