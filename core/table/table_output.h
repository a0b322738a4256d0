// SPDX-License-Identifier: GPL-3.0-or-later
// A table as JSON, as CSV and for reading.
#pragma once

#include "core/base/json_writer.h"
#include "core/table/table.h"

#include <string>

namespace ks {

// The members "columns" and "rows" of an object that is open in the writer.
void writeTableJson(JsonWriter &writer, const Table &table);

// First line the column names; RFC 4180 with line ends CR LF; List cells as JSON text; null is empty.
void writeTableCsv(TextSink &sink, const Table &table);

// For people: units chosen by size, numbers right-aligned, trees indented, long texts shortened in the middle to `maxTextColumns`
// (0 = not at all). Points of time are shown as of `origin`, a time of the file: where the trace begins.
void writeTableText(TextSink &sink, const Table &table, std::size_t maxTextColumns = 72, std::int64_t origin = 0);

// One cell as in writeTableText, not shortened; "–" for null.
std::string cellText(const Column &column, std::size_t row);
// Is it a column of points of time, not of durations?
bool isMoment(const Column &column);
// One cell of such a column.
std::string momentText(const Column &column, std::size_t row, std::int64_t origin);

} // namespace ks
