// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_run.h"

#include "app/cli/open_traces.h"

#include <deque>
#include <utility>

namespace ks::cli {
namespace {

using Kind = AnalysisOption::Kind;

// Option names and words of the help that are put together here; they stay.
std::string_view kept(std::string text)
{
    static std::deque<std::string> all;
    return all.emplace_back(std::move(text));
}

std::string flagName(std::string_view id)
{
    return "--" + std::string(id);
}

std::string_view idOf(const AnalysisChoice &choice)
{
    return choice.id;
}
std::string_view idOf(std::string_view word)
{
    return word;
}

template<typename Items>
std::string wordsOf(const Items &items)
{
    std::string words;
    for (const auto &item : items)
        words.append(words.empty() ? "" : "|").append(idOf(item));
    return words;
}

void addSpecs(const Analysis &analysis, const AnalysisOption &option, std::vector<OptionSpec> &specs)
{
    const std::string_view name = kept(flagName(option.id));
    switch (option.kind) {
    case Kind::Flag: specs.push_back({name, "", option.title}); break;
    case Kind::Choice: specs.push_back({name, kept(wordsOf(option.choices)), option.title}); break;
    case Kind::Count: specs.push_back({name, "N", option.title}); break;
    case Kind::Duration: specs.push_back({name, "T", option.title}); break;
    case Kind::Text: specs.push_back({name, kept(option.id == "metric" ? "COLUMN" : "TEXT"), option.title}); break;
    case Kind::Moment: break; // the value of its view
    case Kind::View:
        for (const AnalysisChoice &view : std::span(option.choices).subspan(1)) {
            const AnalysisOption *moment = analysis.option(view.id);
            specs.push_back({kept(flagName(view.id)), moment ? "[peak|T]" : "", view.title});
        }
        break;
    }
}

std::string flagsOf(std::span<const AnalysisChoice> views)
{
    std::string flags;
    for (const AnalysisChoice &view : views)
        flags.append(flags.empty() ? "" : ", ").append(flagName(view.id));
    return flags;
}

void chooseView(const Analysis &analysis, const AnalysisOption &option, const Options &given, AnalysisOptions &chosen)
{
    const auto views = std::span(option.choices).subspan(1);
    bool isChosen = false;
    for (const AnalysisChoice &view : views) {
        const std::string flag = flagName(view.id);
        if (!given.has(flag))
            continue;
        if (std::exchange(isChosen, true))
            throw UsageError(std::string(analysis.id) + ": only one of " + flagsOf(views));
        chosen.set(option.id, std::string(view.id));
        if (analysis.option(view.id))
            chosen.set(view.id, std::string(given.value(flag).value_or("")));
    }
}

TableResult runAnalysis(const Command &command, const Options &options)
{
    const Analysis &analysis = *findAnalysis(command.name);
    const AnalysisOptions chosen = chosenOf(analysis, options);
    AnalysisRun run = openRun(command, options);
    try {
        Table table = analysis.run({run.ranks, run.scope, chosen}, {});
        TableResult result = std::move(run).result(std::move(table));
        result.rules = chosen.rules();
        return result;
    } catch (const AnalysisError &error) {
        throw usageError(error);
    }
}

} // namespace

TableResult AnalysisRun::result(Table table) &&
{
    TableResult whole;
    whole.table = std::move(table);
    whole.traces = std::move(traces);
    return whole;
}

AnalysisRun openRun(const Command &command, const Options &options)
{
    AnalysisRun run;
    run.scope = scopeOf(options);
    run.traces = openTraces(command, options);
    for (const OpenTrace &open : run.traces)
        run.ranks.push_back({open.trace, open.rank});
    return run;
}

std::vector<OptionSpec> withScope(std::vector<OptionSpec> own)
{
    own.insert(own.end(),
               {kStepOption, kFromOption, kToOption, kRankOption, kDeviceOption, kLaneOption, kStepPatternOption});
    return own;
}

std::vector<OptionSpec> optionsOf(const Analysis &analysis)
{
    std::vector<OptionSpec> specs;
    for (const AnalysisOption &option : analysis.options)
        addSpecs(analysis, option, specs);
    specs.push_back({kRulesOption.name, kept(wordsOf(analysis.rules)), kRulesOption.help});
    return specs;
}

Command commandOf(const Analysis &analysis)
{
    return {analysis.id, analysis.question, "TRACE...", 1, kAnyNumber, false, withScope(optionsOf(analysis)),
            nullptr,     runAnalysis};
}

AnalysisOptions chosenOf(const Analysis &analysis, const Options &options)
{
    AnalysisOptions chosen(analysis);
    try {
        for (const AnalysisOption &option : analysis.options) {
            const std::string flag = flagName(option.id);
            if (option.kind == Kind::View)
                chooseView(analysis, option, options, chosen);
            else if (option.kind == Kind::Moment || !options.has(flag))
                continue;
            else
                chosen.set(option.id, option.kind == Kind::Flag ? "true" : std::string(*options.value(flag)));
        }
        if (const auto rules = options.value(kRulesOption.name))
            chosen.setRules(*rules);
    } catch (const AnalysisError &error) {
        throw usageError(error);
    }
    return chosen;
}

UsageError usageError(const AnalysisError &error)
{
    return UsageError("--" + error.option() + ": " + error.what());
}

} // namespace ks::cli
