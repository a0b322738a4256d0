// SPDX-License-Identifier: GPL-3.0-or-later
// How events belong together across lanes.
#pragma once

#include "core/base/ids.h"
#include "core/base/large_memory.h"
#include "core/trace/sparse_column.h"

#include <cstdint>

namespace ks {

// Why a piece of device work is linked to its operator.
enum class LinkVia : std::uint8_t {
    None,        // nothing in the file tells
    Correlation, // launch call with the same correlation id; operator = innermost one that encloses the whole call
    ExternalId,  // no launch in the file; operator named by `External id`, where that field can be trusted
};

struct LaunchLink
{
    EventId launch = kNoEvent;
    EventId op = kNoEvent;
    LinkVia via = LinkVia::None;
};

struct LaunchLinks
{
    SparseColumn<LaunchLink> ofWork;         // every device work event has an entry
    SparseColumn<std::uint64_t> correlation; // raw correlation id of device work, where told and not 0
    EventPairs workOfLaunch;                 // launch -> its device work by begin
    EventPairs workOfOperator;               // operator -> device work linked to it by ExternalId alone
    LargeArray<EventId> launches;            // launches with device work, ascending by (lane, begin)
};

// An arrow of the file: flow records (s, t, f) or bind_id, bound to the events they stand on.
struct Arrow
{
    EventId from = kNoEvent;
    EventId to = kNoEvent;
    NameId category = kNoName;
};

struct Arrows
{
    LargeArray<Arrow> all;              // ascending by from, to, then the text of the category
    LargeArray<std::uint32_t> byTarget; // positions in `all`, ascending by to
    std::uint64_t danglingEnds = 0;     // flow records without partner: normal in Kineto files, no arrow and no warning
};

// Autograd mates by fwdbwd arrows, else by sequence number.
struct Mates
{
    EventPairs backwardOfForward;
    SparseColumn<EventId> forwardOfBackward;
};

} // namespace ks
