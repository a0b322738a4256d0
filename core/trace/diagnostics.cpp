// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/diagnostics.h"

namespace ks {

std::string_view diagnosticId(DiagnosticKind kind)
{
    switch (kind) {
    case DiagnosticKind::Truncated: return "truncated";
    case DiagnosticKind::DamagedEvent: return "damaged-event";
    case DiagnosticKind::TrailingData: return "trailing-data";
    case DiagnosticKind::NoEvents: return "no-events";
    case DiagnosticKind::RepairedJson: return "repaired-json";
    case DiagnosticKind::InvalidUtf8: return "invalid-utf8";
    case DiagnosticKind::NegativeDuration: return "negative-duration";
    case DiagnosticKind::UnmatchedBegin: return "unmatched-begin";
    case DiagnosticKind::UnmatchedEnd: return "unmatched-end";
    case DiagnosticKind::SkippedRecord: return "skipped-record";
    case DiagnosticKind::MergedRanks: return "merged-ranks";
    case DiagnosticKind::NoCpuEvents: return "no-cpu-events";
    case DiagnosticKind::OrphanKernel: return "orphan-kernel";
    case DiagnosticKind::ClockSkew: return "clock-skew";
    case DiagnosticKind::Overlap: return "overlap";
    case DiagnosticKind::OutlierTime: return "outlier-time";
    }
    return "";
}

Severity severityOf(DiagnosticKind kind)
{
    switch (kind) {
    case DiagnosticKind::Truncated:
    case DiagnosticKind::DamagedEvent:
    case DiagnosticKind::TrailingData:
    case DiagnosticKind::NoEvents: return Severity::Error;
    case DiagnosticKind::RepairedJson:
    case DiagnosticKind::InvalidUtf8:
    case DiagnosticKind::NegativeDuration:
    case DiagnosticKind::UnmatchedBegin:
    case DiagnosticKind::UnmatchedEnd:
    case DiagnosticKind::MergedRanks:
    case DiagnosticKind::ClockSkew:
    case DiagnosticKind::OutlierTime: return Severity::Warning;
    case DiagnosticKind::SkippedRecord:
    case DiagnosticKind::NoCpuEvents:
    case DiagnosticKind::OrphanKernel:
    case DiagnosticKind::Overlap: return Severity::Note;
    }
    return Severity::Note;
}

} // namespace ks
