// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter_operand.h"

#include "core/base/parse_number.h"
#include "core/trace/event_kind.h"

#include <algorithm>

namespace ks {
namespace {

std::optional<std::string> readNumber(FilterNode &term)
{
    const std::string &text = term.value.text;
    const auto whole = parseInteger(text);
    switch (term.field) {
    case FilterField::Duration:
    case FilterField::Self:
    case FilterField::Delay:
    case FilterField::Start:
        term.number = whole ? whole : parseDuration(text);
        term.isSinceStart = !whole;
        if (!term.number)
            return "'" + text + "' is no time (500ns, 20us, 1.5ms, 3s)";
        break;
    case FilterField::Stream:
    case FilterField::Device:
    case FilterField::Rank:
    case FilterField::Step:
        term.number = whole;
        if (!whole)
            return "'" + text + "' is no whole number";
        break;
    case FilterField::Thread: term.number = whole; break;
    case FilterField::Argument:
        if (term.value.isQuoted)
            break;
        term.real = parseReal(text);
        term.number = parseBytes(text);
        if (!term.number)
            term.number = parseDuration(text);
        if (!term.real && term.number)
            term.real = static_cast<double>(*term.number);
        break;
    default: break;
    }
    return {};
}

std::optional<std::string> checkKind(const FilterNode &term)
{
    std::string known;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(EventKind::Other); ++i) {
        const std::string_view id = eventKindId(static_cast<EventKind>(i));
        if (isKeyword(term.value.text, id))
            return {};
        known += (known.empty() ? "" : ", ") + std::string(id);
    }
    return "'" + term.value.text + "' is no kind; kinds are " + known;
}

} // namespace

bool isOrder(FilterCompare compare)
{
    return compare != FilterCompare::Has && compare != FilterCompare::Equal && compare != FilterCompare::NotEqual;
}

bool hasOrder(FilterField field)
{
    switch (field) {
    case FilterField::Name:
    case FilterField::Category:
    case FilterField::Kind:
    case FilterField::Lane:
    case FilterField::Operator:
    case FilterField::Module:
    case FilterField::Shape:
    case FilterField::Dtype: return false;
    default: return true;
    }
}

bool isKeyword(std::string_view text, std::string_view keyword)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(text.begin(), text.end(), keyword.begin(), keyword.end(),
                      [lower](char a, char b) { return lower(a) == b; });
}

std::optional<std::string> readOperand(FilterNode &term)
{
    if (const auto error = readNumber(term))
        return error;
    if (isOrder(term.compare) && !term.number && !term.real)
        return "'" + term.value.text + "' is no number";
    return term.field == FilterField::Kind ? checkKind(term) : std::nullopt;
}

} // namespace ks
