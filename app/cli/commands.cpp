// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_run.h"
#include "app/cli/command.h"
#include "app/cli/filter_option.h"

#include <algorithm>

namespace ks::cli {
namespace {

Command analysis(std::string_view id)
{
    return commandOf(*findAnalysis(id));
}

std::vector<OptionSpec> joined(std::vector<OptionSpec> a, const std::vector<OptionSpec> &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

std::span<const Command> commands()
{
    static const std::vector<Command> all = {
        {"info", "what is in this file, and what was not recorded?", "TRACE...", 1, kAnyNumber, true, {}, info},
        {"dump",
         "the whole trace, normalised",
         "TRACE",
         1,
         1,
         true,
         {{"--args", "", "with the arguments of every event"}},
         dump},
        {"chain",
         "why did this event run? python line > module > operator > launch > kernel",
         "TRACE",
         1,
         1,
         false,
         {{"--event", "ID", "the event with this id (as in dump)"},
          {"--at", "NAME@NS", "the event with this name and start_ns"}},
         chain},
        analysis("operators"),
        analysis("memory"),
        analysis("modules"),
        analysis("calltree"),
        analysis("kernels"),
        analysis("steps"),
        analysis("breakdown"),
        analysis("idle"),
        analysis("launches"),
        analysis("communication"),
        {"compare", "what changed between A (baseline) and B (candidate)? Exit code 1 if a gate fails",
         "A B | A... --with B...", 2, kAnyNumber, false,
         withScope(
             joined({{"--with", "", "the traces behind it are the candidate"},
                     {"--fail-if", "EXPR", "a gate such as \"step_mean > 5%\" or \"kernel:NAME > 2ms\"; repeatable"},
                     {"--junit", "FILE", "the gates as a JUnit report"},
                     {"--markdown", "FILE", "a summary fit for a comment"}},
                    optionsOf(*findAnalysis("compare")))),
         nullptr, compare},
        analysis("findings"),
        {"search", "events by name, category, duration", "TRACE...", 1, kAnyNumber, false,
         withScope({{"--name", "TEXT", "part of the name, case ignored"},
                    {"--regex", "RE", "a match anywhere in the name (ECMAScript)"},
                    kWhereOption,
                    {kRulesOption.name, "kinetoscope", kRulesOption.help}}),
         nullptr, search},
        {"trim",
         "part of a trace as a smaller trace (.json or .json.gz), its numbers unchanged",
         "TRACE",
         1,
         1,
         false,
         {kWhereOption, kStepOption, kFromOption, kToOption, kDeviceOption, kLaneOption, kStepPatternOption},
         nullptr,
         nullptr,
         trim},
        {"render",
         "a picture of the time line (PNG or SVG, by the extension of FILE)",
         "TRACE",
         1,
         1,
         false,
         {{"--size", "WxH", "pixels, default 1600x900"},
          {"--scale", "N", "a PNG of N times as many pixels, 1 to 4"},
          {"--colour-by", "MODE", "family (default), name, category, module, phase, step, delay or occupancy"},
          {"--dark", "", "the dark theme"},
          kWhereOption,
          kFromOption,
          kToOption,
          kStepOption},
         nullptr,
         nullptr,
         render},
    };
    return all;
}

const Command *findCommand(std::string_view name)
{
    const auto all = commands();
    const auto found =
        std::find_if(all.begin(), all.end(), [name](const Command &command) { return command.name == name; });
    return found != all.end() ? &*found : nullptr;
}

std::vector<OptionSpec> Command::options() const
{
    std::vector<OptionSpec> specs = own;
    if (document)
        specs.push_back(kDocumentFormatOption);
    if (table)
        specs.insert(specs.end(), {kFormatOption, kSortOption, kLimitOption});
    specs.insert(specs.end(), {kOutputOption, kQuietOption, kHelpOption});
    return specs;
}

} // namespace ks::cli
