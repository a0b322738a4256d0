// SPDX-License-Identifier: GPL-3.0-or-later
// memory: peak, curve, what was alive, who allocated.
#include "core/analysis/memory.h"
#include "app/cli/analysis_run.h"

namespace ks::cli {

TableResult memory(const Command &command, const Options &options)
{
    const bool isCurve = options.has("--curve");
    const bool isLive = options.has("--live");
    const bool isByOperator = options.has("--by-operator");
    if ((isCurve ? 1 : 0) + (isLive ? 1 : 0) + (isByOperator ? 1 : 0) > 1)
        throw UsageError("memory: only one of --curve, --live, --by-operator");
    std::optional<Selection::TimeBound> at;
    if (const auto text = options.value("--live"); text && !text->empty() && *text != "peak") {
        const TimePoint point = timePointOf("--live", *text);
        at = Selection::TimeBound{point.ns, point.isSinceStart};
    }
    AnalysisRun run = openRun(command, options);
    const auto table = [&] {
        if (isCurve)
            return memoryCurve(run.ranks, run.selection);
        if (isLive)
            return memoryLive(run.ranks, run.selection, at);
        if (isByOperator)
            return memoryByOperator(run.ranks, run.selection);
        return memoryTable(run.ranks, run.selection);
    };
    Table result = table();
    return std::move(run).result(std::move(result));
}

} // namespace ks::cli
