// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include "core/base/parse_number.h"

#include <algorithm>

namespace ks::cli {
namespace {

std::string inQuotes(std::string_view text)
{
    return "'" + std::string(text) + "'";
}

const OptionSpec &specOf(std::string_view name, std::span<const OptionSpec> specs)
{
    const auto spec = std::find_if(specs.begin(), specs.end(), [name](const OptionSpec &candidate) {
        return name == candidate.name || (!candidate.shortName.empty() && name == candidate.shortName);
    });
    if (spec == specs.end())
        throw UsageError("unknown option " + inQuotes(name));
    return *spec;
}

// May the text be the value of an option that can go without? One of the words in its brackets, or a time.
bool isOptionalValue(const OptionSpec &spec, std::string_view text)
{
    const std::string_view words = spec.value.substr(1, spec.value.size() - 2);
    const bool isWord = ("|" + std::string(words) + "|").find("|" + std::string(text) + "|") != std::string::npos;
    return isWord || parseInteger(text) || parseDuration(text);
}

Scope::StepRange stepRangeOf(std::string_view text)
{
    // The dash of a range is never the first character: that would be a sign.
    const std::size_t dash = text.find('-', 1);
    const auto first = parseInteger(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parseInteger(text.substr(dash + 1));
    if (!first || !last || *last < *first)
        throw UsageError("--step: " + inQuotes(text) + " is no step and no range of steps (3, 3-5)");
    return {*first, *last};
}

std::vector<std::int64_t> integersOf(const Options &options, std::string_view name)
{
    std::vector<std::int64_t> numbers;
    for (const std::string &text : options.values(name)) {
        const auto number = parseInteger(text);
        if (!number)
            throw UsageError(std::string(name) + ": " + inQuotes(text) + " is no whole number");
        numbers.push_back(*number);
    }
    return numbers;
}

Scope::TimeBound timeBoundOf(std::string_view option, std::string_view text)
{
    const auto bound = parseTimeBound(text);
    if (!bound)
        throw UsageError(std::string(option) + ": " + inQuotes(text)
                         + " is no time (an integer, or 1.5ms, 20us, 3s, 500ns)");
    return *bound;
}

} // namespace

Options::Options(std::span<const std::string_view> arguments, std::span<const OptionSpec> specs)
{
    bool isEnded = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (isEnded || argument == "-" || !argument.starts_with('-')) {
            m_traces.emplace_back(argument);
            continue;
        }
        if (argument == "--") {
            isEnded = true;
            continue;
        }
        const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
        const OptionSpec &spec = specOf(argument.substr(0, equals), specs);
        std::string value;
        if (spec.value.empty()) {
            if (equals != std::string_view::npos)
                throw UsageError(std::string(spec.name) + " takes no value");
        } else if (equals != std::string_view::npos) {
            value = argument.substr(equals + 1);
        } else if (spec.value.starts_with('[')) {
            if (i + 1 < arguments.size() && isOptionalValue(spec, arguments[i + 1]))
                value = arguments[++i];
        } else {
            if (i + 1 == arguments.size())
                throw UsageError(std::string(spec.name) + " needs a value: " + std::string(spec.value));
            value = arguments[++i];
        }
        m_tracesBefore.try_emplace(std::string(spec.name), m_traces.size());
        m_values[std::string(spec.name)].push_back(std::move(value));
    }
}

std::optional<std::size_t> Options::tracesBefore(std::string_view name) const
{
    const auto found = m_tracesBefore.find(name);
    return found == m_tracesBefore.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string_view> Options::value(std::string_view name) const
{
    const auto found = m_values.find(name);
    if (found == m_values.end())
        return {};
    return found->second.back();
}

std::vector<std::string> Options::values(std::string_view name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::vector<std::string>() : found->second;
}

std::optional<std::int64_t> Options::integer(std::string_view name) const
{
    const auto text = value(name);
    if (!text)
        return {};
    const auto number = parseInteger(*text);
    if (!number)
        throw UsageError(std::string(name) + ": " + inQuotes(*text) + " is no whole number");
    return number;
}

std::optional<std::size_t> Options::count(std::string_view name) const
{
    const auto number = integer(name);
    if (!number)
        return {};
    if (*number < 0)
        throw UsageError(std::string(name) + ": must not be negative");
    return static_cast<std::size_t>(*number);
}

Format formatOf(const Options &options)
{
    const auto text = options.value(kFormatOption.name);
    if (!text || *text == "table")
        return Format::Table;
    if (*text == "json")
        return Format::Json;
    if (*text == "csv")
        return Format::Csv;
    throw UsageError("--format: " + inQuotes(*text) + " is none of table, json, csv");
}

Scope scopeOf(const Options &options)
{
    Scope scope;
    if (const auto text = options.value(kStepOption.name))
        scope.steps = stepRangeOf(*text);
    if (const auto text = options.value(kFromOption.name))
        scope.from = timeBoundOf(kFromOption.name, *text);
    if (const auto text = options.value(kToOption.name))
        scope.to = timeBoundOf(kToOption.name, *text);
    scope.ranks = integersOf(options, kRankOption.name);
    scope.devices = integersOf(options, kDeviceOption.name);
    scope.lanes = options.values(kLaneOption.name);
    scope.stepPattern = options.value(kStepPatternOption.name).value_or(std::string_view());
    return scope;
}

std::optional<Sort> sortOf(const Options &options)
{
    const auto text = options.value(kSortOption.name);
    if (!text)
        return {};
    const std::size_t colon = text->rfind(':');
    if (colon == std::string_view::npos)
        return Sort{std::string(*text), false};
    const std::string_view direction = text->substr(colon + 1);
    if (direction != "asc" && direction != "desc")
        throw UsageError("--sort: " + inQuotes(direction) + " is neither asc nor desc");
    return Sort{std::string(text->substr(0, colon)), direction == "asc"};
}

} // namespace ks::cli
