// SPDX-License-Identifier: GPL-3.0-or-later
// The pid, tid or id of a record as the file tells it: a whole number of any size, or text. "7" and 7 are the same id.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace ks {

class ScalarId
{
public:
    ScalarId() = default;                      // the empty text, which some exporters write
    explicit ScalarId(std::string_view token); // text of the value; a canonical integer becomes a number
    explicit ScalarId(std::int64_t number);

    bool isNumber() const { return m_isNumber; }
    const std::string &text() const { return m_text; }
    std::optional<std::int64_t> number() const; // none for text and for numbers beyond 64 bits

    friend bool operator==(const ScalarId &, const ScalarId &) = default;
    // Numbers before text; numbers by value, text bytewise.
    friend std::strong_ordering operator<=>(const ScalarId &a, const ScalarId &b);

private:
    std::string m_text;
    bool m_isNumber = false;
};

} // namespace ks
