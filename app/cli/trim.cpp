// SPDX-License-Identifier: GPL-3.0-or-later
// trim: part of a trace as a smaller trace.
#include "app/cli/analysis_run.h"
#include "app/cli/filter_option.h"
#include "core/export/write_trace.h"

namespace ks::cli {

std::string trim(const Command &command, const Options &options)
{
    const std::string_view target = options.value(kOutputOption.name).value_or("");
    const bool isPacked = target.ends_with(".gz");
    if (!target.ends_with(".json") && !target.ends_with(".json.gz"))
        throw UsageError("trim writes .json and .json.gz, not '" + std::string(target) + "'");
    const Filter filter = filterFrom(options);
    AnalysisRun run = openRun(command, options);
    run.scope.events = matchingEvents(filter, run.ranks, run.scope.stepPattern);
    const Trace &trace = *run.ranks.front().trace;
    const TrimmedTrace part = trimmed(trace, run.scope);
    if (part.events.empty())
        throw UsageError("nothing of the trace is selected");
    std::string text;
    {
        TextSink sink(text);
        writeTrace(sink, trace, part);
        sink.put('\n');
    }
    return isPacked ? gzipOf(text) : text;
}

} // namespace ks::cli
