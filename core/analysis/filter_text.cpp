// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter.h"
#include "core/analysis/filter_node.h"

#include <charconv>

namespace ks {
namespace {

constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Does `pattern` with * for anything fit the whole text? Linear in practice: on a mismatch only the last star moves.
bool fits(std::string_view pattern, std::string_view text, bool anyCase)
{
    const auto isSame = [anyCase](char a, char b) { return anyCase ? lower(a) == lower(b) : a == b; };
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && isSame(pattern[p], text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace

bool FilterText::isPartOf(std::string_view whole) const
{
    return isPattern() ? fits(text, whole, true) : containsIgnoringCase(whole, text);
}

bool FilterText::isWhole(std::string_view whole) const
{
    return isPattern() ? fits(text, whole, false) : text == whole;
}

std::optional<double> parseReal(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

std::string quotedForFilter(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + '"';
}

} // namespace ks
