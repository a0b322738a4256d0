// SPDX-License-Identifier: GPL-3.0-or-later
// B with E, b with e, S with F: gives slices that were begun their end.
#pragma once

#include "core/import/raw_trace.h"

#include <utility>
#include <vector>

namespace ks {

struct SpanPairs
{
    std::vector<std::pair<std::uint32_t, std::uint64_t>> endRecords; // event in file order, byte of its end record
    ScanCounts::Count unmatchedBegins;
    ScanCounts::Count unmatchedEnds;
    std::vector<std::uint32_t> open; // begun and never ended; they run to the end of the trace
};

// Marks are worked off in file order. Per thread B and E are a stack: an E with a name closes the nearest open B of that name, those left
// open above it end there too and are marked unfinished; an E without a name closes the last. Async marks belong together by category and
// id (and process, for local ids), then by name, innermost first. Fills asyncTracks and the tracks of async events.
SpanPairs pairSpans(RawTrace &raw);

} // namespace ks
