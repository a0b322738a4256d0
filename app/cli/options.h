// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the command line: what a command understands, what was given. Order of options and traces is free, `--opt value` and
// `--opt=value` are the same, `--` ends the options, "-" is a trace.
#pragma once

#include "core/analysis/scope.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ks::cli {

// Exit code 2. what() is the sentence after "kinetoscope-cli: ".
class UsageError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

struct OptionSpec
{
    std::string_view name; // "--format"
    std::string_view
        value; // what it takes, for the help: "N"; empty: nothing; in brackets: words, or a time, that may be left out
    std::string_view help;
    std::string_view shortName = {}; // "-o"
};

class Options
{
public:
    // Throws UsageError.
    Options(std::span<const std::string_view> arguments, std::span<const OptionSpec> specs);

    std::span<const std::string> traces() const { return m_traces; }
    bool has(std::string_view name) const { return m_values.contains(name); }
    std::optional<std::string_view> value(std::string_view name) const; // the last one given
    std::vector<std::string> values(std::string_view name) const;       // all of them
    std::optional<std::size_t>
    tracesBefore(std::string_view name) const; // how many traces stood before it when it was first given
    std::optional<std::int64_t> integer(std::string_view name) const; // throws UsageError
    std::optional<std::size_t> count(std::string_view name) const;    // not negative; throws UsageError

private:
    std::vector<std::string> m_traces;
    std::map<std::string, std::vector<std::string>, std::less<>> m_values;
    std::map<std::string, std::size_t, std::less<>> m_tracesBefore;
};

enum class Format : std::uint8_t { Table, Json, Csv };

inline constexpr OptionSpec kHelpOption = {"--help", "", "this text", "-h"};
inline constexpr OptionSpec kFormatOption = {"--format", "table|json|csv",
                                             "table (default) is for people, json and csv are stable"};
inline constexpr OptionSpec kDocumentFormatOption = {"--format", "table|json",
                                                     "table (default) is for people, json is stable"};
inline constexpr OptionSpec kOutputOption = {"--output", "FILE", "write there instead of standard output", "-o"};
inline constexpr OptionSpec kQuietOption = {"--quiet", "", "no progress and no warnings on standard error"};
inline constexpr OptionSpec kSortOption = {"--sort", "COLUMN[:asc]", "order by another column, descending unless :asc"};
inline constexpr OptionSpec kLimitOption = {"--limit", "N", "the first N rows"};
inline constexpr OptionSpec kStepOption = {"--step", "N|N-M", "only these steps"};
inline constexpr OptionSpec kFromOption = {"--from", "T",
                                           "only from here: an integer is trace time in ns, 1.5ms is since the start"};
inline constexpr OptionSpec kToOption = {"--to", "T", "only up to here"};
inline constexpr OptionSpec kRankOption = {"--rank", "R", "only this rank; repeatable"};
inline constexpr OptionSpec kDeviceOption = {"--device", "D", "only this device; repeatable"};
inline constexpr OptionSpec kLaneOption = {"--lane", "TEXT", "only lanes whose name contains TEXT; repeatable"};
inline constexpr OptionSpec kRulesOption = {"--rules", "NAME", "count exactly as another tool does"};
inline constexpr OptionSpec kStepPatternOption = {"--step-pattern", "REGEX|auto", "what a step is"};

// Each throws UsageError.
Format formatOf(const Options &options);
// --step, --from, --to, --rank, --device, --lane, --step-pattern.
Scope scopeOf(const Options &options);
struct Sort
{
    std::string column;
    bool ascending = false;
};
std::optional<Sort> sortOf(const Options &options);

} // namespace ks::cli
