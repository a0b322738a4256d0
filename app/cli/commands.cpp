// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_run.h"
#include "app/cli/command.h"

#include <algorithm>
#include <limits>

namespace ks::cli {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

} // namespace

std::span<const Command> commands()
{
    static const std::vector<Command> all = {
        {"info", "what is in this file, and what was not recorded?", "TRACE...", 1, kAny, true, {}, info},
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
        {"operators", "which operators cost most? (torch's key_averages())", "TRACE...", 1, kAny, false,
         withSelection({{"--by-shape", "", "rows differ by the recorded shapes"},
                        {"--by-stack", "N", "rows differ by the N innermost frames of the recorded stack"}}),
         nullptr, operators},
        {"memory", "peak, curve, what was alive, who allocated", "TRACE...", 1, kAny, false,
         withSelection({{"--curve", "", "one row per record of the allocators"},
                        {"--live", "[peak|T]", "the blocks alive at the peak, or then"},
                        {"--by-operator", "", "one row per operator that allocated"}}),
         nullptr, memory},
        {"modules", "which nn.Module costs most?", "TRACE...", 1, kAny, false, withSelection({}), nullptr, modules},
        {"kernels", "which kernels cost most?", "TRACE...", 1, kAny, false,
         withSelection({{"--by", "name|operator", "one row per name, or per name and launching operator"}}), nullptr,
         kernels},
        {"steps", "how long is each step and what fills it?", "TRACE...", 1, kAny, false, withSelection({}), nullptr,
         steps},
        {"breakdown", "compute, communication, copies, idle", "TRACE...", 1, kAny, false, withSelection({}), nullptr,
         breakdown},
        {"idle", "why was the GPU waiting?", "TRACE...", 1, kAny, false,
         withSelection(
             {{"--kernel-delay", "T", "gaps shorter than this are the usual delay between kernels (default 30us)"},
              {"--gaps", "", "one row per gap"}}),
         nullptr, idle},
        {"launches", "how late do kernels start, how long is the queue?", "TRACE...", 1, kAny, false,
         withSelection({{"--by", "launch|kernel|rank", "what a row is"},
                        {"--queue", "", "the queue of each stream"},
                        {"--list", "", "one row per launch and its work"}}),
         nullptr, launches},
        {"communication", "collectives, across ranks", "TRACE...", 1, kAny, false,
         withSelection({{"--across", "", "one row per collective of all ranks"}}), nullptr, communication},
        {"compare", "what changed between A (baseline) and B (candidate)? Exit code 1 if a gate fails",
         "A B | A... --with B...", 2, kAny, false,
         withSelection(
             {{"--with", "", "the traces behind it are the candidate"},
              {"--by", "operators|kernels|steps|names", "what a row is"},
              {"--metric", "COLUMN", "what is compared, a column of that table"},
              {"--per-step", "", "divide both sides by their number of steps"},
              {"--side", "cpu|gpu|all", "of --by names: which events"},
              {"--short-names", "", "of --by names: without template arguments and parameters"},
              {"--fail-if", "EXPR", "a gate such as \"step_mean > 5%\" or \"kernel:NAME > 2ms\"; repeatable"}}),
         nullptr, compare},
        {"findings", "what should I look at first?", "TRACE...", 1, kAny, false, withSelection({}), nullptr, findings},
        {"search", "events by name, category, duration", "TRACE...", 1, kAny, false,
         withSelection({{"--name", "TEXT", "part of the name, case ignored"},
                        {"--regex", "RE", "a match anywhere in the name (ECMAScript)"},
                        {"--where", "EXPR", "a filter such as \"dur > 100us and kind == kernel\""}}),
         nullptr, search},
        {"render",
         "a picture of the time line (PNG or SVG, by the extension of FILE)",
         "TRACE",
         1,
         1,
         false,
         {{"--size", "WxH", "pixels, default 1600x900"}, kFromOption, kToOption, kStepOption},
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
