// SPDX-License-Identifier: GPL-3.0-or-later
// modules: which nn.Module costs most?
#include "core/analysis/modules.h"
#include "app/cli/analysis_run.h"

namespace ks::cli {

TableResult modules(const Command &command, const Options &options)
{
    AnalysisRun run = openRun(command, options);
    Table table = moduleTable(run.ranks, run.selection);
    return std::move(run).result(std::move(table));
}

} // namespace ks::cli
