// SPDX-License-Identifier: GPL-3.0-or-later
// Does a name match? Part of it (ASCII case ignored) and a regular expression, all of which must hold. Safe against hostile names
// and patterns: linear in the name, no recursion over it.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

bool containsIgnoringCase(std::string_view text, std::string_view part);

class NameMatch
{
public:
    void requireText(std::string_view part);
    // ECMAScript without back references, found anywhere in the name. Returns what is wrong with the pattern.
    std::optional<std::string> requirePattern(std::string_view pattern);

    bool operator()(std::string_view name) const;

private:
    std::vector<std::string> m_parts;
    std::vector<std::regex> m_patterns;
};

} // namespace ks
