// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "core/analysis/analysis.h"
#include "core/analysis/compare_sides.h"
#include "core/analysis/mann_whitney.h"
#include "core/analysis/renamed_kernels.h"
#include "core/analysis/step_table.h"
#include "core/analysis/step_values.h"
#include "core/trace/args.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace ks {
namespace {

struct Side
{
    std::int64_t calls = 0;
    double value = 0;
    bool present = false;
    std::string name; // differs from that of the other side if it was renamed
};

struct Joined
{
    std::string shapes; // JSON, only by shapes
    Side baseline;
    Side candidate;

    const std::string &name() const { return baseline.present ? baseline.name : candidate.name; }
    std::string_view status() const
    {
        if (!candidate.present)
            return "baseline";
        if (!baseline.present)
            return "candidate";
        return baseline.name == candidate.name ? "both" : "renamed";
    }
    double delta() const { return candidate.value - baseline.value; }
};

// The rows of both runs.
class Join
{
public:
    // Renamed ones have in `names` the name they had.
    void add(const Table &table, const Column &metric, CompareBy by, double divisor, Side Joined::*side,
             const std::map<std::string, std::string> &names = {})
    {
        const Column *name = table.findColumn(keyColumn(by));
        const Column *shapes = by == CompareBy::Shapes ? table.findColumn("input_shapes") : nullptr;
        const Column *calls = table.findColumn("calls");
        for (std::size_t row = 0; row < table.rowCount(); ++row) {
            const std::string own(name->text(row));
            const auto renamed = names.find(own);
            const std::string ofShapes(shapes ? shapes->text(row) : std::string_view());
            const auto [entry, isNew] = m_known.try_emplace({by == CompareBy::Steps   ? std::to_string(row)
                                                             : renamed != names.end() ? renamed->second
                                                                                      : own,
                                                             ofShapes},
                                                            rows.size());
            if (isNew)
                rows.push_back({ofShapes, {}, {}});
            Side &to = rows[entry->second].*side;
            to.present = true;
            to.name = by == CompareBy::Steps && !isNew ? rows[entry->second].name() : own;
            to.calls += calls ? static_cast<std::int64_t>(calls->number(row).value_or(0)) : 1;
            to.value += metric.number(row).value_or(0) / divisor;
        }
    }

    void sort()
    {
        std::stable_sort(rows.begin(), rows.end(), [](const Joined &x, const Joined &y) {
            const double deltaX = std::abs(x.delta());
            const double deltaY = std::abs(y.delta());
            return deltaX != deltaY ? deltaX > deltaY : x.name() < y.name();
        });
    }

    std::vector<Joined> rows;

private:
    std::map<std::pair<std::string, std::string>, std::size_t> m_known; // by name and shapes
};

// What the steps say about a difference.
class Noise
{
public:
    Noise(Baseline baseline, Candidate candidate, const Scope &scope, CompareBy by, std::string_view metric,
          const Progress &progress)
    {
        if (by != CompareBy::Operators && by != CompareBy::Kernels)
            return;
        const auto stepsOfSide = by == CompareBy::Operators ? operatorSteps : kernelSteps;
        m_baseline = stepsOfSide(baseline.traces, scope, metric, progress);
        m_candidate = stepsOfSide(candidate.traces, scope, metric, progress);
    }

    static void addColumns(Table &table, Unit unit)
    {
        for (const char *name : {"baseline_spread", "candidate_spread"})
            table.reals(name, unit);
        table.reals("p_value", Unit::Number);
        table.texts("verdict");
    }

    void append(Table &table, std::size_t firstColumn, const Joined &row) const
    {
        const bool isKnown = m_baseline.steps != 0 && m_candidate.steps != 0;
        if (!isKnown) {
            for (std::size_t i = 0; i < 4; ++i)
                table.column(firstColumn + i).appendNull();
            return;
        }
        const std::vector<double> a = m_baseline.of(row.baseline.present ? row.baseline.name : row.name());
        const std::vector<double> b = m_candidate.of(row.candidate.present ? row.candidate.name : row.name());
        table.column(firstColumn).append(sampleDeviation(a));
        table.column(firstColumn + 1).append(sampleDeviation(b));
        constexpr std::size_t kFewestSteps = 4;
        constexpr double kLevel = 0.05;
        if (a.size() < kFewestSteps || b.size() < kFewestSteps) {
            table.column(firstColumn + 2).appendNull();
            table.column(firstColumn + 3).append("too few steps");
            return;
        }
        const double p = mannWhitneyP(a, b);
        table.column(firstColumn + 2).append(p);
        table.column(firstColumn + 3).append(p > kLevel ? "not significant" : "significant");
    }

private:
    StepValues m_baseline;
    StepValues m_candidate;
};

// The module at the end of a path.
std::string lastOf(std::string_view path)
{
    const std::vector<std::string_view> names = jsonElements(path);
    return names.empty() ? std::string() : argText(names.back());
}

std::optional<CompareBy> compareBy(std::string_view id)
{
    static constexpr std::pair<std::string_view, CompareBy> kAll[] = {
        {"operators", CompareBy::Operators}, {"kernels", CompareBy::Kernels}, {"steps", CompareBy::Steps},
        {"names", CompareBy::Names},         {"modules", CompareBy::Modules}, {"shapes", CompareBy::Shapes},
        {"families", CompareBy::Families},
    };
    for (const auto &[name, by] : kAll) {
        if (name == id)
            return by;
    }
    return {};
}

} // namespace

CompareOptions compareOptions(const AnalysisOptions &options)
{
    const std::string_view side = options.choice("side");
    CompareOptions how;
    how.by = compareBy(options.choice("by")).value_or(CompareBy::Operators);
    how.side = side == "cpu" ? CompareSide::Cpu : side == "gpu" ? CompareSide::Gpu : CompareSide::All;
    how.metric = options.text("metric");
    how.perStep = options.isOn("per-step");
    how.shortNames = options.isOn("short-names");
    how.findRenamed = options.isOn("renamed");
    how.htaRows = options.rules() == "hta";
    if (how.htaRows && how.by != CompareBy::Names)
        throw AnalysisError("rules", "hta compares --by names only");
    return how;
}

std::optional<Table> compareTable(Baseline baseline, Candidate candidate, const Scope &scope,
                                  const CompareOptions &options, const Progress &progress)
{
    const Table a = comparedTable(baseline.traces, scope, options, progress);
    const Table b = comparedTable(candidate.traces, scope, options, progress);
    const std::string metric = options.metric.empty() ? usualMetric(options.by, a, b) : options.metric;
    const Column *metricA = a.findColumn(metric);
    const Column *metricB = b.findColumn(metric);
    if (!metricA || !metricB || !metricA->isNumeric())
        return {};
    const auto divisor = [&](std::span<const RankTrace> traces) {
        return options.perStep ? static_cast<double>(std::max<std::size_t>(1, stepCount(traces, scope))) : 1.0;
    };
    Join join;
    join.add(a, *metricA, options.by, divisor(baseline.traces), &Joined::baseline);
    join.add(b, *metricB, options.by, divisor(candidate.traces), &Joined::candidate,
             options.findRenamed && options.by == CompareBy::Kernels
                 ? renamedKernels(baseline.traces, candidate.traces, scope, progress)
                 : std::map<std::string, std::string>());
    join.sort();

    const bool isWhole = metricA->type() == CellType::Integer && !options.perStep;
    Table table;
    if (options.by == CompareBy::Modules)
        table.lists("path");
    table.texts(options.by == CompareBy::Modules ? "module" : std::string(keyColumn(options.by)));
    if (options.by == CompareBy::Shapes)
        table.lists("input_shapes");
    table.texts("status");
    table.integers("baseline_calls", Unit::Count);
    table.integers("candidate_calls", Unit::Count);
    const CellType type = isWhole ? CellType::Integer : CellType::Real;
    for (const char *name : {"baseline", "candidate"})
        table.addColumn(name, metricA->unit(), type).setMeasure(metric);
    table.addColumn("delta", metricA->unit(), type);
    table.reals("ratio", Unit::Change);
    if (options.findRenamed && options.by == CompareBy::Kernels)
        table.texts("candidate_name");
    const std::size_t noiseColumn = table.columns().size();
    Noise::addColumns(table, metricA->unit());
    const Noise noise(baseline, candidate, scope, options.by, metric, progress);
    for (const Joined &row : join.rows) {
        std::size_t at = 0;
        const auto put = [&](auto value) { table.column(at++).append(value); };
        const auto putMetric = [&](double value) {
            if (isWhole)
                put(static_cast<std::int64_t>(std::llround(value)));
            else
                put(value);
        };
        put(std::string_view(row.name()));
        if (options.by == CompareBy::Modules)
            put(lastOf(row.name()));
        if (options.by == CompareBy::Shapes)
            put(std::string_view(row.shapes));
        put(row.status());
        put(row.baseline.calls);
        put(row.candidate.calls);
        putMetric(row.baseline.value);
        putMetric(row.candidate.value);
        putMetric(row.delta());
        put(row.baseline.value != 0 ? std::optional(row.candidate.value / row.baseline.value) : std::nullopt);
        if (at < noiseColumn)
            put(row.status() == "renamed" ? std::optional(row.candidate.name) : std::nullopt);
        noise.append(table, noiseColumn, row);
    }
    return table;
}

} // namespace ks
