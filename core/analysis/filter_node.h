// SPDX-License-Identifier: GPL-3.0-or-later
// A parsed filter: terms joined by and, or, not. For those that parse, match and complete filters alone.
#pragma once

#include "core/base/name_match.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ks {

enum class FilterField : std::uint8_t {
    Name,
    Category,
    Kind,
    Lane,
    Thread,
    Stream,
    Device,
    Rank,
    Step,
    Operator,
    Module,
    Shape,
    Dtype,
    Argument,
    Duration,
    Self,
    Delay,
    Start,
};

enum class FilterCompare : std::uint8_t { Has, Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };

// A text to compare with.
struct FilterText
{
    std::string text;
    bool isQuoted = false; // then * is a star

    bool isPattern() const { return !isQuoted && text.find('*') != std::string::npos; }
    bool isPartOf(std::string_view whole) const; // in any case; a pattern must fit the whole
    bool isWhole(std::string_view whole) const;  // a pattern fits the whole
};

struct FilterNode
{
    enum class Type : std::uint8_t { Term, And, Or, Not };

    Type type = Type::Term;
    std::vector<FilterNode> children; // of And, Or: two or more; of Not: one

    // Of a term
    FilterField field = FilterField::Name;
    FilterCompare compare = FilterCompare::Has;
    FilterText value;
    std::string key;                        // of Argument
    std::optional<std::int64_t> number;     // the value as a number
    std::optional<double> real;             // the same of Argument
    bool isSinceStart = false;              // of Start
    bool isAny = false;                     // field:*
    std::shared_ptr<const NameMatch> regex; // of Name

    bool readsArguments() const
    {
        return field == FilterField::Shape || field == FilterField::Dtype || field == FilterField::Argument;
    }
};

// The fields as they are written; arguments are written arg.KEY.
std::span<const std::pair<std::string_view, FilterField>> filterFields();
inline constexpr std::string_view kArgumentPrefix = "arg.";

// The whole text as a number, or nothing.
std::optional<double> parseReal(std::string_view text);

// Null if the text is blank. Throws FilterError.
std::shared_ptr<const FilterNode> parseFilter(std::string_view text);

} // namespace ks
