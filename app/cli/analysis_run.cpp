// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_run.h"

#include "app/cli/open_traces.h"

#include <algorithm>

namespace ks::cli {

TableResult AnalysisRun::result(Table table) &&
{
    TableResult whole;
    whole.table = std::move(table);
    whole.traces = std::move(traces);
    whole.rules = std::move(rules);
    return whole;
}

AnalysisRun openRun(const Command &command, const Options &options, std::initializer_list<std::string_view> rules)
{
    AnalysisRun run;
    const SelectionOptions given = selectionOf(options);
    if (std::find(rules.begin(), rules.end(), given.rules) == rules.end()) {
        std::string known;
        for (const std::string_view name : rules)
            known += (known.empty() ? "" : ", ") + std::string(name);
        throw UsageError("--rules: '" + given.rules + "' is none of those " + std::string(command.name)
                         + " knows: " + known);
    }
    run.rules = given.rules;
    if (given.steps)
        run.selection.steps = Selection::StepRange{given.steps->first, given.steps->last};
    const auto bound = [](const std::optional<TimePoint> &point) -> std::optional<Selection::TimeBound> {
        if (!point)
            return {};
        return Selection::TimeBound{point->ns, point->isSinceStart};
    };
    run.selection.from = bound(given.from);
    run.selection.to = bound(given.to);
    run.selection.ranks = given.ranks;
    run.selection.devices = given.devices;
    run.selection.lanes = given.lanes;
    run.selection.stepPattern = given.stepPattern.value_or(std::string());
    run.traces = openTraces(command, options);
    for (const OpenTrace &open : run.traces)
        run.ranks.push_back({open.trace, open.rank});
    return run;
}

std::vector<OptionSpec> withSelection(std::vector<OptionSpec> own)
{
    own.insert(own.end(), {kStepOption, kFromOption, kToOption, kRankOption, kDeviceOption, kLaneOption,
                           kStepPatternOption, kRulesOption});
    return own;
}

} // namespace ks::cli
