// SPDX-License-Identifier: GPL-3.0-or-later
// The analyses, each described once: what it asks, what can be chosen, where its rows lead, and the function that
// computes its table. The command line, the panes of the window and the tests go through this list; a new analysis is a
// file with its function and an entry in registry.cpp.
//
//   const Analysis &analysis = *findAnalysis("idle");
//   AnalysisOptions options(analysis);
//   options.set("show", "gaps");
//   const Table table = analysis.run({traces, scope, options}, progress);
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/table/table.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

struct AnalysisChoice
{
    std::string_view id; // stable: "operator"
    const char *title;   // translatable, context "Analysis"
};

struct AnalysisOption
{
    enum class Kind : std::uint8_t {
        Flag,     // on or off: "true", "false"
        Choice,   // one of several, the first unless told
        View,     // the same, each another table about the matter
        Count,    // a number of things, 0 unless told
        Duration, // "30us"
        Moment,   // of the view with the same id: "1500" as printed, "1.5ms" since the start, "" or "peak" by itself
        Text,
    };

    // What another option must be for this one to matter.
    struct Need
    {
        std::string_view option;
        std::vector<std::string_view> choices; // one of them
    };

    std::string_view id; // stable: "by-shape"
    Kind kind;
    const char *title; // translatable, context "Analysis"
    std::vector<AnalysisChoice> choices = {};
    std::vector<Need> needs = {}; // all of them
};

// What the cell of a column leads to, so that every row of every table can be followed back into the trace.
struct ColumnLink
{
    enum class To : std::uint8_t {
        Event,  // number of an event in file order, or a list of them
        Start,  // the row is a stretch of time: when it starts, in file time,
        Length, //   how long it is
        End,    //   or when it ends; without both a moment
        Field,  // the row is about events with that value of a field of the filter language
    };

    std::string_view column;
    To to;
    std::string_view field = {};
};

struct Analysis;

// The value of an option does not do. what() is a sentence about it; on the command line the option stands before it.
class AnalysisError : public std::runtime_error
{
public:
    AnalysisError(std::string_view option, const std::string &what)
        : std::runtime_error(what)
        , m_option(option)
    {}
    const std::string &option() const { return m_option; }

private:
    std::string m_option;
};

// What was chosen, as text: settings keep it, the command line gives it.
class AnalysisOptions
{
public:
    explicit AnalysisOptions(const Analysis &analysis) // which must stay
        : m_analysis(&analysis)
    {}

    // Throws AnalysisError: no such option, or the value does not do.
    void set(std::string_view option, std::string value);
    // Counts as that tool counts. Throws AnalysisError.
    void setRules(std::string_view rules);
    const std::map<std::string, std::string, std::less<>> &values() const { return m_values; }

    // For the analysis; the option must be one of its own.
    std::string_view rules() const { return m_rules; }
    bool isOn(std::string_view flag) const { return text(flag) == "true"; }
    std::string_view choice(std::string_view option) const; // also of a View
    std::int64_t count(std::string_view option) const;
    std::optional<TimeNs> duration(std::string_view option) const;
    std::optional<Scope::TimeBound> moment(std::string_view option) const;
    std::string_view text(std::string_view option) const; // "" if not told
    bool matters(const AnalysisOption &option) const;

private:
    const Analysis *m_analysis;
    std::string m_rules = "kinetoscope";
    std::map<std::string, std::string, std::less<>> m_values;
};

struct AnalysisInput
{
    std::span<const RankTrace> traces; // the ranks of one run
    const Scope &scope;
    const AnalysisOptions &options;
    std::span<const RankTrace> baseline = {}; // of a comparison: the run before
};

// What rows of some kinds open to, see rows_inside.h.
struct RowsInside
{
    std::vector<std::string_view> ofKinds; // cells of the column "kind"
    std::string_view sum;                  // a column: rows that have none of it do not open
    std::string_view field;                // of the filter language: the events inside, by the row's name
    std::string_view analysis;             // whose rows they are
    std::vector<std::pair<std::string_view, std::string_view>> options; // of that
    std::vector<std::pair<std::string_view, std::string_view>> columns; // there, here
};

struct Analysis
{
    // Pure: same input, same table.
    using Compute = Table (*)(const AnalysisInput &input, const Progress &progress);

    std::string_view id;  // stable: "operators"
    const char *title;    // translatable, context "Analysis": "Operators"
    const char *question; // translatable: "which operators cost most?"
    std::vector<AnalysisOption> options;
    std::vector<std::string_view> rules;  // tools it can count as, the first unless told
    std::vector<ColumnLink> links;        // of Event, the first column counts for the row
    std::vector<std::string_view> hidden; // columns that people ask for rather than start with
    Compute compute;
    bool isComparison = false; // needs a baseline
    std::optional<RowsInside> inside = {};

    // Any thread. Reports shares up to 1. Throws Cancelled, AnalysisError, SourceChanged.
    Table run(const AnalysisInput &input, const Progress &progress = {}) const;

    const AnalysisOption *option(std::string_view id) const; // null if there is none
    bool isShown(std::string_view column) const;             // at first
};

// In the order of the window's menu.
std::span<const Analysis> analyses();
const Analysis *findAnalysis(std::string_view id); // null if there is none

} // namespace ks
