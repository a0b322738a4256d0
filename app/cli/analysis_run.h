// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that run an analysis have in common: the traces as ranks of one run, what they look at.
#pragma once

#include "app/cli/command.h"
#include "core/analysis/analysis.h"

#include <vector>

namespace ks::cli {

struct AnalysisRun
{
    std::vector<OpenTrace> traces;
    std::vector<RankTrace> ranks;
    Scope scope;

    // The result around a table.
    TableResult result(Table table) &&;
};

// Reads the options, then opens the traces. Throws UsageError, OpenFailed.
AnalysisRun openRun(const Command &command, const Options &options);

// `own` and the options of every analysis: --step, --from, --to, --rank, --device, --lane, --step-pattern.
std::vector<OptionSpec> withScope(std::vector<OptionSpec> own);

// An analysis of the registry as a command: its options are those of the command line, of its views each is a flag.
Command commandOf(const Analysis &analysis);
// The options of an analysis, and --rules.
std::vector<OptionSpec> optionsOf(const Analysis &analysis);
// What was given of them. Throws UsageError.
AnalysisOptions chosenOf(const Analysis &analysis, const Options &options);
// The sentence behind "kinetoscope-cli: ".
UsageError usageError(const AnalysisError &error);

} // namespace ks::cli
