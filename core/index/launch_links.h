// SPDX-License-Identifier: GPL-3.0-or-later
// Device work -> the call that launched it -> the operator around that call.
// 1. launch = host call with the same non-zero correlation in the same process group (outermost, if calls nest; the nearest earlier one, if an
//    id is used again); 2. operator = innermost one enclosing the whole call; 3. only without a launch in the file: the operator with that
//    `External id`, unless the file is of the years in which that field merely repeated the correlation (torch 1.12 to 2.3); 4. else none.
#pragma once

#include "core/index/raw_fields.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ks {

struct LinkInput
{
    std::span<const EventId> idOfFileIndex;
    RawField correlations;
    RawField externalIds;
    std::function<std::uint64_t(std::uint32_t)> rawId; // the number behind such a value, 0 for none
    std::span<const std::uint32_t> groupOfLane;        // process groups: ids are unique within one
    const SparseColumn<EventId> &operatorOfLaunch;     // where the parent is none
};

struct LinkResult
{
    LaunchLinks links;
    std::uint64_t orphans = 0; // device work that names a correlation but is linked to nothing
    std::uint64_t skewed = 0;  // starts before its launch
    EventId firstSkewed = kNoEvent;
    EventId firstOrphan = kNoEvent;
};

// `trace` has its events, rows and lanes. Cost: sorting of the correlated events.
LinkResult linkLaunches(const Trace &trace, const LinkInput &input);

} // namespace ks
