// SPDX-License-Identifier: GPL-3.0-or-later
// The list of analyses.
#include "core/analysis/analysis.h"
#include "core/analysis/breakdown.h"
#include "core/analysis/call_tree.h"
#include "core/analysis/communication.h"
#include "core/analysis/compare.h"
#include "core/analysis/compare_tree.h"
#include "core/analysis/findings.h"
#include "core/analysis/hta_tables.h"
#include "core/analysis/idle.h"
#include "core/analysis/kernels.h"
#include "core/analysis/launches.h"
#include "core/analysis/memory.h"
#include "core/analysis/modules.h"
#include "core/analysis/operators.h"
#include "core/analysis/step_table.h"
#include "core/analysis/tensorboard_rules.h"
#include "core/analysis/waterfall.h"
#include "core/base/translate.h"

namespace ks {
namespace {

using Kind = AnalysisOption::Kind;
using To = ColumnLink::To;

// Columns of many tables.
constexpr ColumnLink kName = {"name", To::Field, "name"};
constexpr ColumnLink kKind = {"kind", To::Field, "kind"};
constexpr ColumnLink kRank = {"rank", To::Field, "rank"};
constexpr ColumnLink kStep = {"step", To::Field, "step"};
constexpr ColumnLink kDevice = {"device", To::Field, "device"};
constexpr ColumnLink kStream = {"stream", To::Field, "stream"};
constexpr ColumnLink kStart = {"start_ns", To::Start};
constexpr ColumnLink kLength = {"dur_ns", To::Length};
constexpr ColumnLink kEnd = {"end_ns", To::End};

Analysis operators()
{
    Analysis analysis{
        "operators",
        KS_TR("Analysis", "Operators"),
        KS_TR("Analysis", "which operators cost most? (torch's key_averages())"),
        {{"by-shape", Kind::Flag, KS_TR("Analysis", "rows differ by the recorded shapes")},
         {"by-stack", Kind::Count, KS_TR("Analysis", "rows differ by the N innermost frames of the recorded stack")}},
        {"kinetoscope", "torch"},
        {kName, kKind},
        {"device_total_union_ns", "device_self_union_ns", "cpu_memory_bytes", "cpu_memory_self_bytes",
         "device_memory_bytes", "flops", "model_bytes"},
        [](const AnalysisInput &in, const Progress &progress) {
            OperatorOptions how;
            how.byShape = in.options.isOn("by-shape");
            how.frames = static_cast<std::size_t>(in.options.count("by-stack"));
            return operatorTable(in.traces, in.scope, how, progress);
        },
    };
    analysis.inside = RowsInside{
        {"operator"}, "device_self_ns",
        "op",         "kernels",
        {},           {{"name", "name"}, {"kind", "kind"}, {"calls", "calls"}, {"total_ns", "device_self_ns"}}};
    return analysis;
}

Analysis kernels()
{
    Analysis analysis{
        "kernels",
        KS_TR("Analysis", "Kernels"),
        KS_TR("Analysis", "which kernels cost most?"),
        {{"by",
          Kind::Choice,
          KS_TR("Analysis", "what a row is: a name, or a name and its launching operator or launch configuration"),
          {{"name", KS_TR("Analysis", "Name")},
           {"operator", KS_TR("Analysis", "Name and operator")},
           {"configuration", KS_TR("Analysis", "Name and launch configuration")}}}},
        {"kinetoscope", "hta"},
        {kName, kKind, {"operator", To::Field, "op"}, kRank},
        {"kind", "class", "stddev_ns", "p95_ns", "p99_ns", "blocks_per_sm"},
        [](const AnalysisInput &in, const Progress &progress) {
            if (in.options.rules() == "hta")
                return htaKernelTable(in.traces, in.scope, progress);
            const std::string_view by = in.options.choice("by");
            return kernelTable(in.traces, in.scope,
                               by == "operator"        ? KernelGrouping::Operator
                               : by == "configuration" ? KernelGrouping::Configuration
                                                       : KernelGrouping::Name,
                               progress);
        },
    };
    RowsInside inside{{"kernel", "memcpy", "memset"}, "total_ns", "name", "kernels", {{"by", "operator"}},
                      {{"operator", "name"}}};
    for (const char *column :
         {"calls", "total_ns", "mean_ns", "min_ns", "max_ns", "stddev_ns", "median_ns", "p95_ns", "p99_ns"})
        inside.columns.emplace_back(column, column);
    analysis.inside = std::move(inside);
    return analysis;
}

Analysis steps()
{
    return {
        "steps",
        KS_TR("Analysis", "Steps"),
        KS_TR("Analysis", "how long is each step and what fills it?"),
        {},
        {"kinetoscope", "tensorboard"},
        {kStep, kRank, kStart, kLength},
        {"device_start_ns", "device_end_ns", "device_work"},
        [](const AnalysisInput &in, const Progress &progress) {
            return in.options.rules() == "tensorboard" ? tensorboardStepTable(in.traces, in.scope, progress)
                                                       : stepTable(in.traces, in.scope, progress);
        },
    };
}

Analysis breakdown()
{
    return {
        "breakdown",
        KS_TR("Analysis", "Breakdown"),
        KS_TR("Analysis", "compute, communication, copies, idle"),
        {},
        {"kinetoscope", "hta", "tracelens", "tensorboard"},
        {kDevice, kRank},
        {"events", "sum_ns", "unlinked_events", "unlinked_ns"},
        [](const AnalysisInput &in, const Progress &progress) {
            const std::string_view rules = in.options.rules();
            return rules == "hta"           ? htaBreakdownTable(in.traces, in.scope, progress)
                   : rules == "tracelens"   ? tracelensBreakdownTable(in.traces, in.scope, progress)
                   : rules == "tensorboard" ? tensorboardDeviceTable(in.traces, in.scope, progress)
                                            : breakdownTable(in.traces, in.scope, progress);
        },
    };
}

Analysis idle()
{
    return {
        "idle",
        KS_TR("Analysis", "Idle gaps"),
        KS_TR("Analysis", "why was the GPU waiting?"),
        {{"show",
          Kind::View,
          KS_TR("Analysis", "what a row is"),
          {{"streams", KS_TR("Analysis", "one row per stream")}, {"gaps", KS_TR("Analysis", "one row per gap")}}},
         {"kernel-delay", Kind::Duration,
          KS_TR("Analysis", "gaps shorter than this are the usual delay between kernels (default 30us)")}},
        {"kinetoscope", "hta"},
        {{"after", To::Event}, {"before", To::Event}, {"call", To::Event}, kStart, kEnd, kDevice, kStream, kRank},
        {"end_ns", "before", "after", "call"},
        [](const AnalysisInput &in, const Progress &progress) {
            const TimeNs delay = in.options.duration("kernel-delay").value_or(kUsualKernelDelay);
            if (in.options.choice("show") == "gaps")
                return idleGapTable(in.traces, in.scope, delay, progress);
            return in.options.rules() == "hta" ? htaIdleTable(in.traces, in.scope, delay, progress)
                                               : idleTable(in.traces, in.scope, delay, progress);
        },
    };
}

Analysis launches()
{
    return {
        "launches",
        KS_TR("Analysis", "Launches"),
        KS_TR("Analysis", "how late do kernels start, how long is the queue?"),
        {{"show",
          Kind::View,
          KS_TR("Analysis", "what a row is"),
          {{"names", KS_TR("Analysis", "one row per name")},
           {"queue", KS_TR("Analysis", "the queue of each stream")},
           {"list", KS_TR("Analysis", "one row per launch and its work")}}},
         {"by",
          Kind::Choice,
          KS_TR("Analysis", "what a row is"),
          {{"launch", KS_TR("Analysis", "Launch call")},
           {"kernel", KS_TR("Analysis", "Kernel")},
           {"rank", KS_TR("Analysis", "Rank")}}}},
        {"kinetoscope", "hta"},
        {{"kernel", To::Event}, {"launch", To::Event}, kName, kDevice, kStream, kRank},
        {"kernel", "launch", "correlation"},
        [](const AnalysisInput &in, const Progress &progress) {
            const std::string_view show = in.options.choice("show");
            const std::string_view by = in.options.choice("by");
            if (show == "list")
                return launchListTable(in.traces, in.scope, progress);
            if (in.options.rules() == "hta")
                return show == "queue" ? htaQueueTable(in.traces, in.scope, progress)
                                       : htaLaunchTable(in.traces, in.scope, by == "rank", progress);
            if (show == "queue")
                return queueTable(in.traces, in.scope, progress);
            return launchTable(in.traces, in.scope,
                               by == "kernel" ? LaunchGrouping::Kernel
                               : by == "rank" ? LaunchGrouping::Rank
                                              : LaunchGrouping::Launch,
                               progress);
        },
    };
}

Analysis memory()
{
    return {
        "memory",
        KS_TR("Analysis", "Memory"),
        KS_TR("Analysis", "peak, curve, what was alive, who allocated"),
        {{"show",
          Kind::View,
          KS_TR("Analysis", "what a row is"),
          {{"devices", KS_TR("Analysis", "one row per device")},
           {"curve", KS_TR("Analysis", "one row per record of the allocators")},
           {"live", KS_TR("Analysis", "the blocks alive at the peak, or then")},
           {"by-operator", KS_TR("Analysis", "one row per operator that allocated")}}},
         {"live", Kind::Moment, KS_TR("Analysis", "the moment; the peak unless told")}},
        {"kinetoscope"},
        {{"operator", To::Event},
         {"operator", To::Field, "name"},
         {"ts_ns", To::Start},
         {"peak_at_ns", To::Start},
         {"allocated_at_ns", To::Start},
         kRank},
        {"freed_inside", "freed_without_alloc", "address"},
        [](const AnalysisInput &in, const Progress &progress) {
            const std::string_view show = in.options.choice("show");
            if (show == "curve")
                return memoryCurve(in.traces, in.scope, progress);
            if (show == "live")
                return memoryLive(in.traces, in.scope, in.options.moment("live"), progress);
            return show == "by-operator" ? memoryByOperator(in.traces, in.scope, progress)
                                         : memoryTable(in.traces, in.scope, progress);
        },
    };
}

Analysis modules()
{
    return {
        "modules",
        KS_TR("Analysis", "Modules"),
        KS_TR("Analysis", "which nn.Module costs most?"),
        {},
        {"kinetoscope"},
        {{"name", To::Field, "module"}},
        {"path", "depth"},
        [](const AnalysisInput &in, const Progress &progress) { return moduleTable(in.traces, in.scope, progress); },
    };
}

Analysis callTree()
{
    return {
        "calltree",
        KS_TR("Analysis", "Call tree"),
        KS_TR("Analysis", "which calls lead to the time? (flame graph)"),
        {{"show",
          Kind::View,
          KS_TR("Analysis", "what stands below a row"),
          {{"top-down", KS_TR("Analysis", "what it calls")}, {"bottom-up", KS_TR("Analysis", "who calls it")}}},
         {"by",
          Kind::Choice,
          KS_TR("Analysis", "whose time"),
          {{"cpu", KS_TR("Analysis", "Host time")}, {"device", KS_TR("Analysis", "Device time")}}}},
        {"kinetoscope"},
        {kName, kKind},
        {"depth"},
        [](const AnalysisInput &in, const Progress &progress) {
            return callTreeTable(in.traces, in.scope,
                                 {in.options.choice("show") == "bottom-up", in.options.choice("by") == "device"},
                                 progress);
        },
    };
}

Analysis communication()
{
    return {
        "communication",
        KS_TR("Analysis", "Communication"),
        KS_TR("Analysis", "collectives, across ranks"),
        {{"show",
          Kind::View,
          KS_TR("Analysis", "what a row is"),
          {{"kernels", KS_TR("Analysis", "one row per kernel")},
           {"across", KS_TR("Analysis", "one row per collective of all ranks")}}}},
        {"kinetoscope"},
        {{"kernel", To::Event}, kStart, kLength, kDevice, kStream, kRank},
        {"kernel", "out_elements"},
        [](const AnalysisInput &in, const Progress &progress) {
            return in.options.choice("show") == "across" ? collectiveTable(in.traces, in.scope, progress)
                                                         : communicationTable(in.traces, in.scope, progress);
        },
    };
}

Analysis compare()
{
    const AnalysisOption::Need ofWaterfall = {"show", {"waterfall"}};
    const AnalysisOption::Need ofRows = {"show", {"rows"}};
    const AnalysisOption::Need ofNames = {"by", {"names"}};
    return {
        "compare",
        KS_TR("Analysis", "Compare"),
        KS_TR("Analysis", "what changed between A (baseline) and B (candidate)?"),
        {{"show",
          Kind::View,
          KS_TR("Analysis", "what a row is"),
          {{"rows", KS_TR("Analysis", "one row per name")},
           {"waterfall", KS_TR("Analysis", "what explains the step time, part by part")},
           {"tree", KS_TR("Analysis", "where the calls part")}}},
         {"pair",
          Kind::Text,
          KS_TR("Analysis", "of the waterfall: steps, such as 3:5, or all; else the medians"),
          {},
          {ofWaterfall}},
         {"by",
          Kind::Choice,
          KS_TR("Analysis", "what a row is"),
          {{"operators", KS_TR("Analysis", "Operators")},
           {"kernels", KS_TR("Analysis", "Kernels")},
           {"steps", KS_TR("Analysis", "Steps")},
           {"names", KS_TR("Analysis", "Names")},
           {"modules", KS_TR("Analysis", "Modules")},
           {"shapes", KS_TR("Analysis", "Operators and shapes")},
           {"families", KS_TR("Analysis", "Kernel families")}},
          {ofRows}},
         {"metric", Kind::Text, KS_TR("Analysis", "what is compared, a column of that table"), {}, {ofRows}},
         {"per-step",
          Kind::Flag,
          KS_TR("Analysis", "divide both sides by their number of steps"),
          {},
          {{"show", {"rows", "tree"}}}},
         {"side",
          Kind::Choice,
          KS_TR("Analysis", "of names: which events"),
          {{"all", KS_TR("Analysis", "All")}, {"cpu", KS_TR("Analysis", "Host")}, {"gpu", KS_TR("Analysis", "Device")}},
          {ofRows, ofNames}},
         {"short-names",
          Kind::Flag,
          KS_TR("Analysis", "of names: without template arguments and parameters"),
          {},
          {ofRows, ofNames}},
         {"renamed",
          Kind::Flag,
          KS_TR("Analysis", "of kernels: join those in the same place of the same operator"),
          {},
          {ofRows, {"by", {"kernels"}}}}},
        {"kinetoscope", "hta"},
        {kName, {"module", To::Field, "module"}, {"event", To::Event}, kStart, {"length_ns", To::Length}},
        {"p_value", "baseline_spread", "candidate_spread", "start_ns", "length_ns", "event", "baseline_start_ns",
         "baseline_length_ns", "baseline_event", "path"},
        [](const AnalysisInput &in, const Progress &progress) {
            if (in.options.choice("show") == "waterfall") {
                const std::optional<StepPair> pair = parseStepPair(in.options.text("pair"));
                if (!pair)
                    throw AnalysisError("pair", "a pair of steps is written 3:5");
                return waterfallTable(Baseline{in.baseline}, Candidate{in.traces}, in.scope, *pair, progress);
            }
            const CompareOptions how = compareOptions(in.options);
            if (in.options.choice("show") == "tree")
                return compareTreeTable(Baseline{in.baseline}, Candidate{in.traces}, in.scope, how, progress);
            std::optional<Table> table =
                compareTable(Baseline{in.baseline}, Candidate{in.traces}, in.scope, how, progress);
            if (!table)
                throw AnalysisError("metric", "there is no column '" + how.metric + "'");
            return std::move(*table);
        },
        true,
    };
}

Analysis findings()
{
    return {
        "findings",
        KS_TR("Analysis", "Findings"),
        KS_TR("Analysis", "what should I look at first?"),
        {},
        {"kinetoscope"},
        {{"events", To::Event}},
        {"code", "events"},
        [](const AnalysisInput &in, const Progress &progress) { return findingsTable(in.traces, in.scope, progress); },
    };
}

} // namespace

std::span<const Analysis> analyses()
{
    static const std::vector<Analysis> all = {
        operators(), kernels(), steps(),    breakdown(),     idle(),    launches(),
        memory(),    modules(), callTree(), communication(), compare(), findings(),
    };
    return all;
}

} // namespace ks
