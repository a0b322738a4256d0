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

enum class CompareBy : std::uint8_t { Operators, Kernels, Steps, Names };
enum class CompareSide : std::uint8_t { Cpu, Gpu, All };

struct CompareOptions
{
    CompareBy by = CompareBy::Operators;
    std::string metric;                  // a column of the table; "" = the usual one
    bool perStep = false;                // divides each side by its number of steps
    CompareSide side = CompareSide::All; // only of names
    bool shortNames = false;             // only of names: without template arguments and parameters
    bool htaRows = false;                // only of names: first rank, first step, counted as HTA counts
};

class AnalysisOptions;
// As the options of the analysis "compare" say. Throws AnalysisError.
CompareOptions compareOptions(const AnalysisOptions &options);

// name status baseline_calls candidate_calls baseline candidate delta ratio, by |delta| descending. status: both, baseline, candidate; missing
// = 0; delta = candidate − baseline; ratio = candidate / baseline, null if that is 0. Steps are joined by position, all else by name.
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
