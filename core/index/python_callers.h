// SPDX-License-Identifier: GPL-3.0-or-later
// Python frames and the frame each was called from, as the file tells it: by `Python parent id`, which need not be the frame around it.
#pragma once

#include "core/index/raw_fields.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>

namespace ks {

struct CallerInput
{
    std::span<const EventId> idOfFileIndex;
    RawField pythonIds;
    RawField pythonParents;
    std::span<const std::uint32_t> groupOfLane; // process groups: ids are unique within one; empty: there is one
};

// `trace` has its events and lanes. Of several frames of one id the first in the file counts.
SparseColumn<EventId> findCallers(const Trace &trace, const CallerInput &input);

} // namespace ks
