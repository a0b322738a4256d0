// SPDX-License-Identifier: GPL-3.0-or-later
// compare: what changed between A (baseline) and B (candidate)? May fail a CI job.
#include "core/analysis/compare.h"
#include "core/analysis/compare_notes.h"
#include "core/analysis/waterfall.h"

#include "app/cli/analysis_run.h"
#include "app/cli/compare_report.h"
#include "app/cli/output_file.h"
#include "core/base/json_writer.h"

#include <cmath>
#include <cstdio>

namespace ks::cli {
namespace {

// Where the candidate's traces start: the second of two, or the ones from --with on.
std::size_t firstCandidate(const Options &options, std::size_t traces)
{
    if (const auto position = options.tracesBefore("--with"))
        return *position;
    if (traces != 2)
        throw UsageError("compare takes two traces, or A... --with B...");
    return 1;
}

void writePair(JsonWriter &writer, std::string_view name, const std::optional<double> &a,
               const std::optional<double> &b)
{
    const auto value = [&writer](const std::optional<double> &number) {
        if (number && std::floor(*number) == *number && std::abs(*number) < 9e15)
            writer.value(static_cast<std::int64_t>(*number));
        else
            writer.value(number);
    };
    writer.key(name).beginArray();
    value(a);
    value(b);
    writer.endArray();
}

template<typename T>
std::optional<double> number(const std::optional<T> &value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

void writeSummary(JsonWriter &writer, const RunSummary &a, const RunSummary &b)
{
    writer.key("summary").beginObject();
    writePair(writer, "step_mean", a.stepMean, b.stepMean);
    writePair(writer, "device_busy", number(a.deviceBusy), number(b.deviceBusy));
    writePair(writer, "device_sum", number(a.deviceSum), number(b.deviceSum));
    writePair(writer, "cpu_self", number(a.cpuSelf), number(b.cpuSelf));
    writePair(writer, "peak_memory", number(a.peakMemory), number(b.peakMemory));
    writer.endObject();
}

void writeGates(JsonWriter &writer, const std::vector<Gate> &gates)
{
    writer.key("gates").beginArray();
    for (const Gate &gate : gates) {
        writer.beginObject();
        writer.member("expr", gate.expression).member("baseline", gate.baseline).member("candidate", gate.candidate);
        writer.member("failed", gate.failed);
        writer.endObject();
    }
    writer.endArray();
}

std::string namesOf(std::span<const OpenTrace> traces)
{
    std::string names;
    for (const OpenTrace &open : traces)
        names += (names.empty() ? "" : ", ") + open.file.substr(open.file.find_last_of('/') + 1);
    return names;
}

void writeReports(const Options &options, const CompareReport &report)
{
    const auto write = [&options](std::string_view option, const std::string &text) {
        const std::optional<std::string_view> path = options.value(option);
        if (!path)
            return;
        OutputFile file{std::string(*path)};
        file.write(text);
        file.commit();
    };
    write("--junit", junitText(report));
    write("--markdown", markdownText(report));
}

} // namespace

TableResult compare(const Command &command, const Options &options)
{
    std::vector<Gate> gates;
    for (const std::string &expression : options.values("--fail-if")) {
        std::optional<Gate> gate = parseGate(expression);
        if (!gate)
            throw UsageError("--fail-if: '" + expression + "' is no gate such as \"step_mean > 5%\"");
        gates.push_back(*gate);
    }
    const std::size_t split = firstCandidate(options, options.traces().size());
    if (split == 0 || split >= options.traces().size())
        throw UsageError("compare needs a trace on each side");
    const Analysis &analysis = *findAnalysis("compare");
    const AnalysisOptions chosen = chosenOf(analysis, options);
    AnalysisRun run = openRun(command, options);
    const std::span<const RankTrace> all(run.ranks);
    const Baseline baseline{all.first(split)};
    const Candidate candidate{all.subspan(split)};
    Table table;
    bool failed = false;
    try {
        table = analysis.run({candidate.traces, run.scope, chosen, baseline.traces}, {});
        for (Gate &gate : gates) {
            if (const auto error = evaluateGate(gate, baseline, candidate, run.scope, compareOptions(chosen)))
                throw UsageError("--fail-if: " + *error);
            failed = failed || gate.failed;
        }
    } catch (const AnalysisError &error) {
        throw usageError(error);
    }
    const std::vector<const char *> notes = compareNotes(baseline, candidate, run.scope);
    for (const char *note : notes) {
        if (!options.has(kQuietOption.name))
            std::fprintf(stderr, "kinetoscope-cli: note: %s\n", note);
    }
    const RunSummary a = summaryOf(baseline.traces, run.scope);
    const RunSummary b = summaryOf(candidate.traces, run.scope);
    if (options.value("--junit") || options.value("--markdown")) {
        const std::span<const OpenTrace> open(run.traces);
        std::optional<Table> rows = compareTable(baseline, candidate, run.scope, compareOptions(chosen));
        writeReports(options, {namesOf(open.first(split)), namesOf(open.subspan(split)), a, b, gates,
                               waterfallTable(baseline, candidate, run.scope, {}), rows.value_or(Table())});
    }
    TableResult result = std::move(run).result(std::move(table));
    result.rules = chosen.rules();
    result.moreMembers = [a, b, gates, notes](JsonWriter &writer) {
        writeSummary(writer, a, b);
        writeGates(writer, gates);
        writer.key("notes").beginArray();
        for (const char *note : notes)
            writer.value(std::string_view(note));
        writer.endArray();
    };
    result.exitCode = failed ? 1 : 0;
    return result;
}

} // namespace ks::cli
