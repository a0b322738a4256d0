// SPDX-License-Identifier: GPL-3.0-or-later
// What was odd about a file that opened: counted, told, with the place of the first. One Diagnostic per kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

// In the order the command line lists them: by severity, worst first, then as written here.
enum class DiagnosticKind : std::uint8_t {
    Truncated,
    DamagedEvent,
    TrailingData,
    NoEvents,
    RepairedJson,
    InvalidUtf8,
    NegativeDuration,
    UnmatchedBegin,
    UnmatchedEnd,
    MergedRanks,
    ClockSkew,
    OutlierTime,
    SkippedRecord,
    NoCpuEvents,
    OrphanKernel,
    Overlap,
};

enum class Severity : std::uint8_t { Error, Warning, Note };

struct Diagnostic
{
    DiagnosticKind kind{};
    std::uint64_t count = 0;
    std::optional<std::uint64_t> firstByte; // in the JSON text after unpacking
    std::string message;                    // English, one sentence
};

std::string_view diagnosticId(DiagnosticKind); // "truncated", "damaged-event" …
Severity severityOf(DiagnosticKind);

using Diagnostics = std::vector<Diagnostic>; // by severity, then kind

} // namespace ks
