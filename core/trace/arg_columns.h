// SPDX-License-Identifier: GPL-3.0-or-later
// Some arguments of many events as columns of small numbers: most events say the same, so each distinct text is kept and
// later parsed once.
#pragma once

#include "core/base/ids.h"
#include "core/base/large_memory.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

struct ArgColumn
{
    LargeArray<std::uint32_t> numbers; // in the order of the events; 0 = the event has no such argument
    std::vector<std::string> texts;    // by number: the value as JSON text (see Arg::json); texts[0] is ""

    const std::string &text(std::size_t position) const { return texts[numbers[position]]; }
};

// One column for each key; of kNoEvent there are no arguments. Records are read in the order of the file, what is behind
// the last key is not looked at. Cost: about 0.15 us an event from a plain file where most records are written alike
// (seen_records.h), else 0.4 us. Throws SourceChanged, Cancelled; reports shares.
std::vector<ArgColumn> argColumns(const Trace &trace, std::span<const EventId> events,
                                  std::span<const std::string_view> keys, const Progress &progress = {});

} // namespace ks
