// SPDX-License-Identifier: GPL-3.0-or-later
// What the JSON of several commands has in common.
#pragma once

#include "app/cli/command.h"
#include "core/analysis/open_rows.h"
#include "core/base/json_writer.h"
#include "core/trace/trace.h"

namespace ks::cli {

// Opens the object and writes `format`, `command`, `rules` (unless empty) and `traces`.
void beginDocument(JsonWriter &writer, const Command &command, std::span<const OpenTrace> traces,
                   std::string_view rules = {});

// Members `start_ns`, `end_ns`, `main_start_ns`, `main_end_ns`.
void writeRange(JsonWriter &writer, const Trace &trace);
// Member `lanes`.
void writeLanes(JsonWriter &writer, const Trace &trace, const OpenRows &rows);
// Member `warnings`.
void writeWarnings(JsonWriter &writer, const Trace &trace);

// A pid, tid or counter id: a number if it is one of up to 64 bits, else text.
void writeScalar(JsonWriter &writer, const ScalarId &id);

// The number the file holds for that time.
inline std::int64_t fileNs(const Trace &trace, TimeNs time)
{
    return static_cast<std::int64_t>(trace.fileTime(time));
}

// The number of an event in `dump`; none for kNoEvent.
std::optional<std::uint32_t> printedId(const Trace &trace, EventId id);

} // namespace ks::cli
