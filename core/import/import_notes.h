// SPDX-License-Identifier: GPL-3.0-or-later
// What was odd about a file, in words.
#pragma once

#include "core/import/event_batch.h"
#include "core/import/scan_file.h"
#include "core/trace/diagnostics.h"

#include <cstdint>

namespace ks {

// Counts that only come up while the trace is put together.
struct FinishCounts
{
    ScanCounts::Count unmatchedBegins;
    ScanCounts::Count unmatchedEnds;
    ScanCounts::Count overlaps;
    ScanCounts::Count skewed;
    ScanCounts::Count orphans;
    std::uint64_t outliers = 0;
    std::size_t rankTags = 0;
    bool hasEvents = false; // events, instants or counters
    bool hasHostEvents = false;
    bool hasDeviceWork = false;
};

// By severity, then kind; only what happened.
Diagnostics notesOf(const ScannedFile &file, const ScanCounts &scan, const FinishCounts &finish);

} // namespace ks
