// SPDX-License-Identifier: GPL-3.0-or-later
// (pid, tid) pairs and metadata rows -> processes and lanes. Whether an event stands on a host or a device lane is decided by its
// category, never by numbers: a container's python may be pid 1, like GPU 1.
#pragma once

#include "core/import/raw_trace.h"
#include "core/index/event_columns.h"

#include <functional>
#include <vector>

namespace ks {

struct BuiltLanes
{
    std::vector<Process> processes;
    std::vector<Lane> lanes; // without rows and events
    LanesOfEvents lanesOf;
    std::vector<std::uint32_t> groupOfTrack; // process group: files merged from several ranks have one per rank
    std::vector<std::uint32_t> groupOfLane;
    std::size_t rankTags = 0;             // different ranks told by pids
    TimeRange extent{kMaxTime, kMinTime}; // from the first begin to the last end, file time
};

// EventKind of each category of the file.
std::vector<EventKind> kindsOfCategories(const RawTrace &raw);

// Only lanes with events, in the order of the command line. Cost: one pass over the events, stretches of the file in parallel.
BuiltLanes buildLanes(const RawTrace &raw, std::vector<EventKind> kindOfCategory, unsigned workers,
                      const std::function<void()> &throwIfStopped);

// What a pid says of its rank in a merged file: "[TP01] 100", "rank 3 CPU". Empty if nothing.
std::string_view rankTagOf(std::string_view pid);

} // namespace ks
