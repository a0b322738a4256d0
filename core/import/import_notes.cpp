// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/import_notes.h"

#include "core/base/format.h"

#include <algorithm>
#include <string>

namespace ks {
namespace {

std::string counted(std::uint64_t count, const char *one, const char *many)
{
    return formatCount(count) + ' ' + (count == 1 ? one : many);
}

class Notes
{
public:
    void add(DiagnosticKind kind, const ScanCounts::Count &count, const std::string &message)
    {
        if (count.count != 0)
            m_notes.push_back({kind, count.count,
                               count.first == ScanCounts::kNowhere ? std::nullopt : std::optional(count.first),
                               message});
    }
    void add(DiagnosticKind kind, std::uint64_t count, const std::string &message)
    {
        add(kind, ScanCounts::Count{count, ScanCounts::kNowhere}, message);
    }
    Diagnostics take()
    {
        std::sort(m_notes.begin(), m_notes.end(),
                  [](const Diagnostic &a, const Diagnostic &b) { return a.kind < b.kind; });
        return std::move(m_notes);
    }

private:
    Diagnostics m_notes;
};

void noteRepairs(Notes &notes, const ScannedFile &file, const ScanCounts &scan)
{
    ScanCounts::Count all = scan.repairedControls;
    all.add(scan.repairedEscapes);
    all.add(scan.repairedNumbers);
    std::string what;
    const auto part = [&what](const std::string &text) { what += (what.empty() ? "" : "; ") + text; };
    if (scan.repairedControls.count != 0)
        part(counted(scan.repairedControls.count, "record holds", "records hold")
             + " raw control characters (line breaks and the like), read as spaces");
    if (scan.repairedEscapes.count != 0)
        part(counted(scan.repairedEscapes.count, "name holds", "names hold")
             + " a backslash that is no JSON escape, kept as it is");
    if (scan.repairedNumbers.count != 0)
        part(counted(scan.repairedNumbers.count, "record holds", "records hold")
             + " a word instead of a number (nan, infinity), kept as text");
    if (file.keys.isDamaged) {
        all.add(file.keys.damagedAt);
        part("the keys around the events are no valid JSON and were read as far as possible");
    }
    notes.add(DiagnosticKind::RepairedJson, all, what);
    notes.add(DiagnosticKind::InvalidUtf8, scan.invalidUtf8,
              counted(scan.invalidUtf8.count, "name is", "names are")
                  + " not valid UTF-8; bad bytes are shown as U+FFFD");
}

} // namespace

Diagnostics notesOf(const ScannedFile &file, const ScanCounts &scan, const FinishCounts &finish)
{
    Notes notes;
    if (file.truncatedAt) {
        const std::string where =
            file.packedTruncated
                ? "the compressed stream is incomplete (truncated), so the trace ends early"
                : "the file ends early (truncated: it is cut inside a record or before its closing brackets)";
        notes.add(DiagnosticKind::Truncated, ScanCounts::Count{1, *file.truncatedAt},
                  where + "; " + counted(scan.records, "complete record is", "complete records are") + " shown");
    } else if (file.packedTruncated) {
        notes.add(DiagnosticKind::Truncated, ScanCounts::Count{1, file.textBytes},
                  "the compressed stream is damaged or incomplete (truncated) at its end");
    }
    notes.add(DiagnosticKind::DamagedEvent, scan.damaged,
              counted(scan.damaged.count, "damaged record was", "damaged records were") + " skipped: no valid JSON");
    if (file.trailingAt)
        notes.add(DiagnosticKind::TrailingData, ScanCounts::Count{1, *file.trailingAt},
                  "there is more data after the end of the trace (a second document, perhaps several ranks wrote into "
                  "one file); it is not shown");
    if (!finish.hasEvents)
        notes.add(DiagnosticKind::NoEvents, 1, "the trace is empty: there are no events in it");
    noteRepairs(notes, file, scan);
    notes.add(DiagnosticKind::NegativeDuration, scan.negativeDurations,
              counted(scan.negativeDurations.count, "event has", "events have")
                  + " a negative duration, shown with length 0");
    notes.add(DiagnosticKind::UnmatchedBegin, finish.unmatchedBegins,
              counted(finish.unmatchedBegins.count, "event was begun and never", "events were begun and never")
                  + " ended (did not finish)");
    notes.add(DiagnosticKind::UnmatchedEnd, finish.unmatchedEnds,
              counted(finish.unmatchedEnds.count, "end belongs", "ends belong") + " to no begin and was ignored");
    if (finish.rankTags > 1)
        notes.add(DiagnosticKind::MergedRanks, finish.rankTags,
                  "the file holds more than one process of a distributed run: " + std::to_string(finish.rankTags)
                      + " ranks merged into one");
    notes.add(DiagnosticKind::ClockSkew, finish.skewed,
              counted(finish.skewed.count, "piece of device work starts", "pieces of device work start")
                  + " before its launch: the clocks of host and device differ (skew)");
    notes.add(DiagnosticKind::OutlierTime, finish.outliers,
              counted(finish.outliers, "event lies", "events lie")
                  + " far from all others in time (a gap of more than a minute); the first view leaves it out");
    notes.add(DiagnosticKind::SkippedRecord, scan.skipped,
              counted(scan.skipped.count, "record was", "records were")
                  + " skipped: without a phase, without a time, or of a phase that is not shown");
    if (finish.hasDeviceWork && !finish.hasHostEvents)
        notes.add(DiagnosticKind::NoCpuEvents, 1, "no CPU events were recorded, so no launching operators are known");
    else
        notes.add(DiagnosticKind::OrphanKernel, finish.orphans,
                  counted(finish.orphans.count, "piece of device work has", "pieces of device work have")
                      + " no launch and no operator in the file (launched before the recording began, perhaps)");
    notes.add(DiagnosticKind::Overlap, finish.overlaps,
              counted(finish.overlaps.count, "event overlaps", "events overlap")
                  + " others on its lane without nesting; shown on further rows");
    return notes.take();
}

} // namespace ks
