// SPDX-License-Identifier: GPL-3.0-or-later
// The commands about device time: kernels, steps, breakdown, idle, launches, communication, findings.
#include "app/cli/analysis_run.h"
#include "core/analysis/breakdown.h"
#include "core/analysis/communication.h"
#include "core/analysis/findings.h"
#include "core/analysis/hta_tables.h"
#include "core/analysis/idle.h"
#include "core/analysis/kernels.h"
#include "core/analysis/launches.h"
#include "core/analysis/step_table.h"
#include "core/analysis/tensorboard_rules.h"
#include "core/base/parse_number.h"

namespace ks::cli {
namespace {

// The value of an option that takes one of some words; the first is the default.
template<typename Value>
Value choiceOf(const Options &options, std::string_view name,
               std::initializer_list<std::pair<std::string_view, Value>> choices)
{
    const auto text = options.value(name);
    if (!text)
        return choices.begin()->second;
    std::string known;
    for (const auto &[word, value] : choices) {
        if (word == *text)
            return value;
        known += (known.empty() ? "" : ", ") + std::string(word);
    }
    throw UsageError(std::string(name) + ": '" + std::string(*text) + "' is none of " + known);
}

} // namespace

TableResult kernels(const Command &command, const Options &options)
{
    const auto grouping = choiceOf<KernelGrouping>(
        options, "--by", {{"name", KernelGrouping::Name}, {"operator", KernelGrouping::Operator}});
    AnalysisRun run = openRun(command, options, {"kinetoscope", "hta"});
    Table table =
        run.rules == "hta" ? htaKernelTable(run.ranks, run.selection) : kernelTable(run.ranks, run.selection, grouping);
    return std::move(run).result(std::move(table));
}

TableResult steps(const Command &command, const Options &options)
{
    AnalysisRun run = openRun(command, options, {"kinetoscope", "tensorboard"});
    Table table = run.rules == "tensorboard" ? tensorboardStepTable(run.ranks, run.selection)
                                             : stepTable(run.ranks, run.selection);
    return std::move(run).result(std::move(table));
}

TableResult breakdown(const Command &command, const Options &options)
{
    AnalysisRun run = openRun(command, options, {"kinetoscope", "hta", "tracelens", "tensorboard"});
    Table table = run.rules == "hta"           ? htaBreakdownTable(run.ranks, run.selection)
                  : run.rules == "tracelens"   ? tracelensBreakdownTable(run.ranks, run.selection)
                  : run.rules == "tensorboard" ? tensorboardDeviceTable(run.ranks, run.selection)
                                               : breakdownTable(run.ranks, run.selection);
    return std::move(run).result(std::move(table));
}

TableResult idle(const Command &command, const Options &options)
{
    TimeNs kernelDelay = kUsualKernelDelay;
    if (const auto text = options.value("--kernel-delay")) {
        const auto delay = parseDuration(*text);
        if (!delay || *delay < 0)
            throw UsageError("--kernel-delay: '" + std::string(*text) + "' is no duration such as 30us");
        kernelDelay = *delay;
    }
    AnalysisRun run = openRun(command, options, {"kinetoscope", "hta"});
    if (run.rules == "hta" && !options.has("--gaps")) {
        Table table = htaIdleTable(run.ranks, run.selection, kernelDelay);
        return std::move(run).result(std::move(table));
    }
    Table table = options.has("--gaps") ? idleGapTable(run.ranks, run.selection, kernelDelay)
                                        : idleTable(run.ranks, run.selection, kernelDelay);
    return std::move(run).result(std::move(table));
}

TableResult launches(const Command &command, const Options &options)
{
    const auto grouping = choiceOf<LaunchGrouping>(
        options, "--by",
        {{"launch", LaunchGrouping::Launch}, {"kernel", LaunchGrouping::Kernel}, {"rank", LaunchGrouping::Rank}});
    AnalysisRun run = openRun(command, options, {"kinetoscope", "hta"});
    if (run.rules == "hta" && !options.has("--list")) {
        Table table = options.has("--queue")
                          ? htaQueueTable(run.ranks, run.selection)
                          : htaLaunchTable(run.ranks, run.selection, grouping == LaunchGrouping::Rank);
        return std::move(run).result(std::move(table));
    }
    Table table = options.has("--queue")  ? queueTable(run.ranks, run.selection)
                  : options.has("--list") ? launchListTable(run.ranks, run.selection)
                                          : launchTable(run.ranks, run.selection, grouping);
    return std::move(run).result(std::move(table));
}

TableResult communication(const Command &command, const Options &options)
{
    AnalysisRun run = openRun(command, options);
    Table table = options.has("--across") ? collectiveTable(run.ranks, run.selection)
                                          : communicationTable(run.ranks, run.selection);
    return std::move(run).result(std::move(table));
}

TableResult findings(const Command &command, const Options &options)
{
    AnalysisRun run = openRun(command, options);
    Table table = findingsTable(run.ranks, run.selection);
    return std::move(run).result(std::move(table));
}

} // namespace ks::cli
