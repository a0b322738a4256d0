// SPDX-License-Identifier: GPL-3.0-or-later
// What changed between two runs? Joins a table of the baseline with the same table of the candidate by name.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/table/table.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

// Strong types, so that the sides cannot be swapped by accident.
struct Baseline
{
    std::span<const RankTrace> traces;
};
struct Candidate
{
    std::span<const RankTrace> traces;
};

enum class CompareBy : std::uint8_t { Operators, Kernels, Steps, Names, Modules, Shapes, Families };
enum class CompareSide : std::uint8_t { Cpu, Gpu, All };

struct CompareOptions
{
    CompareBy by = CompareBy::Operators;
    std::string metric;                  // a column of the table; "" = the usual one
    bool perStep = false;                // divides each side by its number of steps
    CompareSide side = CompareSide::All; // only of names
    bool shortNames = false;             // only of names: without template arguments and parameters
    bool findRenamed = false;            // only of kernels: see renamed_kernels.h
    bool htaRows = false;                // only of names: first rank, first step, counted as HTA counts
};

class AnalysisOptions;
// As the options of the analysis "compare" say. Throws AnalysisError.
CompareOptions compareOptions(const AnalysisOptions &options);

// One row for each name (path of modules and the last of them; family; by shapes also input_shapes) that either run has, by |delta|
// descending; steps are joined by position.
//
//   name status                       status: both, baseline, candidate, renamed
//   baseline_calls candidate_calls    missing = 0
//   baseline candidate delta ratio    of the metric; candidate − baseline; candidate / baseline, null if that is 0
//   [candidate_name]                  of a renamed kernel
//   baseline_spread candidate_spread  standard deviation of the metric over steps, those that lie in the scope's range whole
//   p_value verdict                   of the test in mann_whitney.h over steps: "significant" up to 0.05, "not
//                                     significant"; "too few steps" under 4 against 4
//
// The last four are null without steps, for metrics that do not add up, and by other than operators and kernels.
// None if there is no such metric.
std::optional<Table> compareTable(Baseline baseline, Candidate candidate, const Scope &scope,
                                  const CompareOptions &options, const Progress &progress = {});

// Figures of a whole run; null where nothing was recorded.
struct RunSummary
{
    std::optional<double> stepMean;         // ns
    std::optional<std::int64_t> deviceBusy; // ns, union per device, added over devices
    std::optional<std::int64_t> deviceSum;  // ns
    std::optional<std::int64_t> cpuSelf;    // ns
    std::optional<std::int64_t>
        peakMemory; // bytes, of the device that peaked highest; of the CPU only if there is no other
};
RunSummary summaryOf(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

// A gate for CI: "step_mean > 5%", "operator:aten::mm > 2ms", "peak_memory > 1MiB". It fails if the change from baseline to candidate is
// beyond the limit.
struct Gate
{
    std::string expression;
    std::string metric;
    bool isUpper = true; // ">"
    double limit = 0;    // change, in the unit of the metric; of a percentage the share of the baseline
    bool isShare = false;
    double baseline = 0;
    double candidate = 0;
    bool failed = false;
};

// Syntax only; none if it is no gate.
std::optional<Gate> parseGate(std::string_view expression);
// Fills in the values. Returns what is wrong: an unknown metric, a value that was not recorded.
std::optional<std::string> evaluateGate(Gate &gate, Baseline baseline, Candidate candidate, const Scope &scope,
                                        const CompareOptions &options, const Progress &progress = {});

} // namespace ks
