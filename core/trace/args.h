// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of one event, parsed from the source when somebody asks (about 300 bytes, some microseconds; compressed sources
// inflate from the nearest checkpoint). Tolerant in the same way as the importer.
#pragma once

#include "core/base/ids.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

struct Arg
{
    std::string key;
    // The value as JSON text, every digit as in the file. What is no JSON (inf, nan, N/A) becomes a JSON string of the token.
    std::string json;
};

using Args = std::vector<Arg>; // in file order; of equal keys the first counts for reserved names

// Of a B/E pair: those of E merged over those of B. Throws SourceChanged.
Args parseArgs(const Trace &trace, EventId id);
// Arguments of any record by its offset (memory records, instants).
Args parseArgsAt(const Trace &trace, std::uint64_t recordOffset);
// Of many events, read in order of their offsets; results in the order of `ids`.
std::vector<Args> parseArgs(const Trace &trace, std::span<const EventId> ids);

// A value of an argument as it stands in the file, as Arg::json has it; "" if it is damaged.
std::string cleanJson(std::string_view raw);
// First value of that key, or none.
std::optional<std::string_view> findArg(const Args &args, std::string_view key);
// Of a JSON string value the text, of everything else the JSON itself.
std::string argText(std::string_view json);
// The elements of a JSON array as JSON text without blanks around; none of everything else.
std::vector<std::string_view> jsonElements(std::string_view json);

} // namespace ks
