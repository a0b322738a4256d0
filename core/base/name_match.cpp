// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/name_match.h"

#include <algorithm>

namespace ks {
namespace {

constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

std::regex::flag_type patternFlags()
{
    auto flags = std::regex::ECMAScript | std::regex::optimize | std::regex::nosubs;
#ifdef __GLIBCXX__
    // The default matcher of libstdc++ recurses once per character: a name of a megabyte would overflow the stack.
    flags |= std::regex_constants::__polynomial;
#endif
    return flags;
}

} // namespace

bool containsIgnoringCase(std::string_view text, std::string_view part)
{
    const auto isSame = [](char a, char b) { return lower(a) == lower(b); };
    return part.empty() || std::search(text.begin(), text.end(), part.begin(), part.end(), isSame) != text.end();
}

void NameMatch::requireText(std::string_view part)
{
    m_parts.emplace_back(part);
}

std::optional<std::string> NameMatch::requirePattern(std::string_view pattern)
{
    try {
        std::regex(std::string(pattern), patternFlags()); // an error is one of the pattern as it was typed
        // Anything may stand before it: one pass over the name instead of one from each character.
        m_patterns.emplace_back("[\\s\\S]*?(?:" + std::string(pattern) + ')', patternFlags());
    } catch (const std::regex_error &error) {
        return error.what();
    }
    return {};
}

bool NameMatch::operator()(std::string_view name) const
{
    return std::all_of(m_parts.begin(), m_parts.end(),
                       [name](const std::string &part) { return containsIgnoringCase(name, part); })
           && std::all_of(m_patterns.begin(), m_patterns.end(), [name](const std::regex &pattern) {
                  return std::regex_search(name.begin(), name.end(), pattern, std::regex_constants::match_continuous);
              });
}

} // namespace ks
