// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that run an analysis have in common: the traces as ranks of one run, the selection, the rules.
#pragma once

#include "app/cli/command.h"
#include "core/analysis/selection.h"

#include <initializer_list>
#include <vector>

namespace ks::cli {

struct AnalysisRun
{
    std::vector<OpenTrace> traces;
    std::vector<RankTrace> ranks;
    Selection selection;
    std::string rules;

    // The result around a table.
    TableResult result(Table table) &&;
};

// Reads the options, then opens the traces. Throws UsageError (unknown rules among others), OpenFailed.
AnalysisRun openRun(const Command &command, const Options &options,
                    std::initializer_list<std::string_view> rules = {"kinetoscope"});

// `own` and the options of every analysis: --step, --from, --to, --rank, --device, --lane, --step-pattern, --rules.
std::vector<OptionSpec> withSelection(std::vector<OptionSpec> own);

} // namespace ks::cli
