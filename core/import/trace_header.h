// SPDX-License-Identifier: GPL-3.0-or-later
// The keys around the records: where the records begin, and what stands before and behind them. Kineto writes
// {"schemaVersion": …, "deviceProperties": […], …, "traceEvents": [ records ], …}; the Chrome form may be a bare array of records.
// Keys stand in any order, before or behind the records, and their values may be broken JSON.
#pragma once

#include "core/trace/metadata.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ks {

struct TopLevelKeys
{
    std::vector<std::pair<std::string, std::string>> values; // key, JSON text; very long values are cut
    bool isDamaged = false;
    std::uint64_t damagedAt = 0;
};

enum class HeadResult : std::uint8_t { Records, NeedsMore };

struct TraceHead
{
    bool isArray = false;
    std::size_t recordsBegin = 0; // behind the '[' of the records
    bool firstIsArray = false;    // the first element is an array: no record
    TopLevelKeys keys;
};

// `text` starts with the first byte of the file and is padded; `isAll` if the file has no more. Throws ImportError for what is no trace.
HeadResult parseHead(std::string_view text, bool isAll, TraceHead &head);

// What stands behind the records of an object form. Returns the place behind its closing brace, or npos if the text ends first.
std::size_t parseTail(std::string_view text, std::uint64_t offset, TopLevelKeys &keys);

// Understood keys go to their fields, all others to topLevel.
void applyKeys(const TopLevelKeys &keys, Metadata &metadata);

} // namespace ks
