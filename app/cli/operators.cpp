// SPDX-License-Identifier: GPL-3.0-or-later
// operators: which operators cost most?
#include "core/analysis/operators.h"
#include "app/cli/analysis_run.h"

namespace ks::cli {

TableResult operators(const Command &command, const Options &options)
{
    OperatorOptions wanted;
    wanted.byShape = options.has("--by-shape");
    wanted.frames = options.count("--by-stack").value_or(0);
    AnalysisRun run = openRun(command, options, {"kinetoscope", "torch"});
    Table table = operatorTable(run.ranks, run.selection, wanted);
    return std::move(run).result(std::move(table));
}

} // namespace ks::cli
