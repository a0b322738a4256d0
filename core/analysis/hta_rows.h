// SPDX-License-Identifier: GPL-3.0-or-later
// The events as HolisticTraceAnalysis (v0.6) sees them, so that its numbers can be reproduced: complete events with a category, device rows
// by their `stream` and `correlation` arguments, the last step left out, fractional times rounded inwards to microseconds.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ks {

enum class HtaClass : std::uint8_t { Compute, Communication, Memory, Other };
std::string_view htaClassId(HtaClass);
// By name, first match wins; note that names with "Sync" or "dma" are no computation there.
HtaClass htaClassOf(std::string_view name);

struct HtaRow
{
    EventId event = kNoEvent;
    TimeNs begin = 0; // file time; whole microseconds in traces with fractions
    TimeNs end = 0;   // may be 1 us before begin after rounding
    std::int64_t stream = -1;
    std::int64_t correlation = -1;
    std::optional<std::int64_t> iteration; // number of its step
    bool isHost() const { return stream == -1; }
    TimeNs duration() const { return end - begin; }
};

// In file order. Reads the arguments of every event but python frames (about 1 us each).
std::vector<HtaRow> htaRows(const Trace &trace, const Progress &progress = {});

} // namespace ks
