// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/scalar_id.h"

#include <charconv>

namespace ks {
namespace {

// Optional minus, then digits without a leading zero.
bool isCanonicalInteger(std::string_view text)
{
    if (text.starts_with('-'))
        text.remove_prefix(1);
    if (text.empty() || (text.size() > 1 && text.front() == '0'))
        return false;
    return text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Of two canonical integers of any size.
std::strong_ordering compareIntegers(std::string_view a, std::string_view b)
{
    const bool negativeA = a.starts_with('-');
    const bool negativeB = b.starts_with('-');
    if (negativeA != negativeB)
        return negativeA ? std::strong_ordering::less : std::strong_ordering::greater;
    const auto magnitude = a.size() != b.size() ? a.size() <=> b.size() : a <=> b;
    if (!negativeA)
        return magnitude;
    return magnitude < 0 ? std::strong_ordering::greater : magnitude > 0 ? std::strong_ordering::less : magnitude;
}

} // namespace

ScalarId::ScalarId(std::string_view token)
    : m_text(token)
    , m_isNumber(isCanonicalInteger(token) && token != "-0")
{}

ScalarId::ScalarId(std::int64_t number)
    : m_text(std::to_string(number))
    , m_isNumber(true)
{}

std::optional<std::int64_t> ScalarId::number() const
{
    if (!m_isNumber)
        return {};
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), value);
    if (error != std::errc() || end != m_text.data() + m_text.size())
        return {};
    return value;
}

std::strong_ordering operator<=>(const ScalarId &a, const ScalarId &b)
{
    if (a.m_isNumber != b.m_isNumber)
        return a.m_isNumber ? std::strong_ordering::less : std::strong_ordering::greater;
    if (a.m_isNumber)
        return compareIntegers(a.m_text, b.m_text);
    return a.m_text <=> b.m_text;
}

} // namespace ks
