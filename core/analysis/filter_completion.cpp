// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter_completion.h"

#include "core/analysis/filter.h"

#include <algorithm>
#include <optional>

namespace ks {
namespace {

constexpr std::size_t kMostChoices = 50;
constexpr std::size_t kShortestName = 2; // less fits nearly every name

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
    return result;
}

// The term at the end of `text`, as far as it is written.
struct OpenTerm
{
    std::size_t begin = 0;
    std::optional<FilterField> field; // none: nothing but text so far
    std::string key;                  // of Argument
    bool isRegex = false;
    bool isQuoted = false;
    std::size_t valueBegin = 0; // with its quotation mark
    std::string value;          // without
};

std::size_t lengthOfSign(std::string_view text)
{
    for (const std::string_view sign : {"==", "!=", "<=", ">=", ":", "<", ">"}) {
        if (text.starts_with(sign))
            return sign.size();
    }
    return 0;
}

// The field that a term begins with and the sign behind it.
void readField(std::string_view text, OpenTerm &term)
{
    std::size_t behind = 0;
    for (const auto &[name, field] : filterFields()) {
        if (text.substr(term.begin).starts_with(name) && lengthOfSign(text.substr(term.begin + name.size())) != 0) {
            term.field = field;
            behind = term.begin + name.size();
        }
    }
    if (text.substr(term.begin).starts_with(kArgumentPrefix)) {
        const std::size_t keyBegin = term.begin + kArgumentPrefix.size();
        const bool isQuoted = text.substr(keyBegin).starts_with('"');
        const std::size_t keyEnd = isQuoted ? text.find('"', keyBegin + 1) : text.find_first_of(":<>=!", keyBegin);
        if (keyEnd != std::string_view::npos) {
            behind = keyEnd + (isQuoted ? 1 : 0);
            if (lengthOfSign(text.substr(behind)) != 0) {
                term.field = FilterField::Argument;
                term.key = text.substr(keyBegin + (isQuoted ? 1 : 0), keyEnd - keyBegin - (isQuoted ? 1 : 0));
            }
        }
    }
    if (term.field)
        term.valueBegin = behind + lengthOfSign(text.substr(behind));
}

OpenTerm openTermOf(std::string_view text)
{
    OpenTerm term;
    bool isBetween = true; // terms
    char closing = '\0';   // of a quotation or an expression
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (closing != '\0') {
            i += c == '\\' ? 1 : 0;
            closing = c == closing ? '\0' : closing;
        } else if (c == ' ' || c == '\t' || c == '(' || c == ')') {
            isBetween = true;
            continue;
        } else if (c == '"' || (c == '/' && isBetween)) {
            closing = c;
            term.isRegex = c == '/';
        }
        if (isBetween) {
            term.begin = i;
            term.isRegex = c == '/';
        }
        isBetween = false;
    }
    if (isBetween)
        term.begin = text.size();
    term.valueBegin = term.begin;
    readField(text, term);
    std::string_view value = text.substr(term.valueBegin);
    term.isQuoted = value.starts_with('"');
    if (term.isQuoted)
        value.remove_prefix(1);
    term.value = value;
    return term;
}

// As it must be written to be one text.
std::string written(const std::string &value, bool isQuoted)
{
    const bool isWord = value.find_first_of(" \t()\"*\\") == std::string::npos && !value.starts_with('/')
                        && !value.empty() && value != "and" && value != "or" && value != "not";
    const bool isShape = value.starts_with('[') && value.ends_with(']');
    if (!isQuoted && (isWord || isShape))
        return value;
    return quotedForFilter(value);
}

// Of `all` those that have `part`, those first that begin with it.
std::vector<std::string> fitting(const std::vector<std::string> &all, std::string_view part)
{
    const std::string wanted = lower(part);
    std::vector<std::string> first;
    std::vector<std::string> others;
    for (const std::string &text : all) {
        const std::size_t at = lower(text).find(wanted);
        if (at == std::string::npos || (at == 0 && text.size() == wanted.size()))
            continue;
        std::vector<std::string> &list = at == 0 ? first : others;
        if (list.size() < kMostChoices)
            list.push_back(text);
    }
    first.insert(first.end(), others.begin(), others.end());
    first.resize(std::min(first.size(), kMostChoices));
    return first;
}

std::vector<std::string> fieldsFitting(std::string_view part, const FilterValues &values)
{
    std::vector<std::string> choices;
    if (part.starts_with(kArgumentPrefix)) {
        std::vector<std::string> keys;
        for (const auto &[key, texts] : values.ofArgument)
            keys.push_back(key);
        const std::string_view key = part.substr(kArgumentPrefix.size());
        for (const std::string &fit : fitting(keys, key.starts_with('"') ? key.substr(1) : key))
            choices.push_back(std::string(kArgumentPrefix) + written(fit, false) + ":");
        return choices;
    }
    for (const auto &[name, field] : filterFields()) {
        const bool isTime = field == FilterField::Duration || field == FilterField::Self || field == FilterField::Delay
                            || field == FilterField::Start;
        if (name.starts_with(part) && (isTime || !values.of(field).empty()))
            choices.push_back(std::string(name) + (isTime ? ">" : ":"));
    }
    if (kArgumentPrefix.starts_with(part) && !values.ofArgument.empty())
        choices.emplace_back(kArgumentPrefix);
    return choices;
}

} // namespace

FilterCompletion completeFilter(std::string_view text, std::size_t cursor, const FilterValues &values)
{
    const OpenTerm term = openTermOf(text.substr(0, cursor));
    FilterCompletion completion;
    completion.from = term.field ? term.valueBegin : term.begin;
    if (term.isRegex)
        return completion;
    std::vector<std::string> texts;
    if (!term.field) {
        if (!term.isQuoted)
            completion.choices = fieldsFitting(lower(term.value), values);
        if (term.value.size() >= kShortestName && !term.value.starts_with(kArgumentPrefix))
            texts = fitting(values.of(FilterField::Name), term.value);
    } else if (*term.field == FilterField::Argument) {
        if (const auto known = values.ofArgument.find(term.key); known != values.ofArgument.end())
            texts = fitting(known->second, term.value);
    } else {
        texts = fitting(values.of(*term.field), term.value);
    }
    for (const std::string &choice : texts)
        completion.choices.push_back(written(choice, term.isQuoted));
    completion.choices.resize(std::min(completion.choices.size(), kMostChoices));
    return completion;
}

} // namespace ks
