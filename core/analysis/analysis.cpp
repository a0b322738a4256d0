// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

#include "core/base/parse_number.h"

#include <algorithm>
#include <cassert>

namespace ks {
namespace {

std::string inQuotes(std::string_view text)
{
    return "'" + std::string(text) + "'";
}

template<typename Items, typename IdOf>
std::string listOf(const Items &items, IdOf idOf)
{
    std::string list;
    for (const auto &item : items)
        list.append(list.empty() ? "" : ", ").append(idOf(item));
    return list;
}

std::string_view idOf(const AnalysisChoice &choice)
{
    return choice.id;
}

void check(const AnalysisOption &option, const std::string &value)
{
    using Kind = AnalysisOption::Kind;
    const auto refuse = [&](std::string_view why) {
        throw AnalysisError(option.id, inQuotes(value) + std::string(why));
    };
    switch (option.kind) {
    case Kind::Flag:
        if (value != "true" && value != "false")
            refuse(" is neither true nor false");
        break;
    case Kind::Choice:
    case Kind::View:
        if (std::none_of(option.choices.begin(), option.choices.end(),
                         [&](const AnalysisChoice &choice) { return choice.id == value; }))
            refuse(" is none of " + listOf(option.choices, idOf));
        break;
    case Kind::Count:
        if (!parseInteger(value))
            refuse(" is no whole number");
        if (*parseInteger(value) < 0)
            throw AnalysisError(option.id, "must not be negative");
        break;
    case Kind::Duration:
        if (!parseDuration(value) || *parseDuration(value) < 0)
            refuse(" is no duration such as 30us");
        break;
    case Kind::Moment:
        if (!value.empty() && value != "peak" && !parseTimeBound(value))
            refuse(" is no time (an integer, or 1.5ms, 20us, 3s, 500ns)");
        break;
    case Kind::Text: break;
    }
}

} // namespace

Table Analysis::run(const AnalysisInput &input, const Progress &progress) const
{
    progress.throwIfStopped();
    Table table = compute(input, progress);
    progress.reportShare(1);
    return table;
}

const AnalysisOption *Analysis::option(std::string_view wanted) const
{
    const auto found =
        std::find_if(options.begin(), options.end(), [&](const AnalysisOption &o) { return o.id == wanted; });
    return found != options.end() ? &*found : nullptr;
}

bool Analysis::isShown(std::string_view column) const
{
    return std::find(hidden.begin(), hidden.end(), column) == hidden.end();
}

const Analysis *findAnalysis(std::string_view id)
{
    const std::span<const Analysis> all = analyses();
    const auto found = std::find_if(all.begin(), all.end(), [id](const Analysis &a) { return a.id == id; });
    return found != all.end() ? &*found : nullptr;
}

void AnalysisOptions::set(std::string_view option, std::string value)
{
    const AnalysisOption *known = m_analysis->option(option);
    if (!known)
        throw AnalysisError(option, "is no option of " + std::string(m_analysis->id));
    check(*known, value);
    m_values.insert_or_assign(std::string(option), std::move(value));
}

void AnalysisOptions::setRules(std::string_view rules)
{
    const auto &known = m_analysis->rules;
    if (std::find(known.begin(), known.end(), rules) == known.end())
        throw AnalysisError("rules", inQuotes(rules) + " is none of those " + std::string(m_analysis->id)
                                         + " knows: " + listOf(known, [](std::string_view name) { return name; }));
    m_rules = rules;
}

bool AnalysisOptions::matters(const AnalysisOption &option) const
{
    return std::all_of(option.needs.begin(), option.needs.end(), [this](const AnalysisOption::Need &need) {
        return std::find(need.choices.begin(), need.choices.end(), choice(need.option)) != need.choices.end();
    });
}

std::string_view AnalysisOptions::text(std::string_view option) const
{
    assert(m_analysis->option(option));
    const auto found = m_values.find(option);
    return found != m_values.end() ? std::string_view(found->second) : std::string_view();
}

std::string_view AnalysisOptions::choice(std::string_view option) const
{
    const std::string_view told = text(option);
    return told.empty() ? m_analysis->option(option)->choices.front().id : told;
}

std::int64_t AnalysisOptions::count(std::string_view option) const
{
    return parseInteger(text(option)).value_or(0);
}

std::optional<TimeNs> AnalysisOptions::duration(std::string_view option) const
{
    return parseDuration(text(option));
}

std::optional<Scope::TimeBound> AnalysisOptions::moment(std::string_view option) const
{
    return parseTimeBound(text(option));
}

} // namespace ks
