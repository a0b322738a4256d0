// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/decimal_oracle.h"

#include <limits>
#include <string>

namespace ks {
namespace {

std::string digitsAt(std::string_view &text)
{
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string digits(text.substr(0, count));
    text.remove_prefix(count);
    return digits;
}

bool takeChar(std::string_view &text, std::string_view any)
{
    if (text.empty() || any.find(text.front()) == std::string_view::npos)
        return false;
    text.remove_prefix(1);
    return true;
}

// As a whole number of up to 19 digits, or the largest that counts as "enormous".
long long exponentOf(const std::string &digits)
{
    const std::size_t first = digits.find_first_not_of('0');
    if (first == std::string::npos)
        return 0;
    return digits.size() - first > 9 ? 1'000'000'000 : std::stoll(digits.substr(first));
}

std::string incremented(std::string digits)
{
    std::size_t i = digits.size();
    while (i > 0 && digits[i - 1] == '9')
        digits[--i] = '0';
    if (i == 0)
        return '1' + digits;
    ++digits[i - 1];
    return digits;
}

} // namespace

std::optional<std::int64_t> exactNanoseconds(std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    std::string whole = digitsAt(text);
    std::string fraction = takeChar(text, ".") ? digitsAt(text) : std::string();
    if (whole.empty() && fraction.empty())
        return {};
    long long exponent = 3;
    if (takeChar(text, "eE")) {
        const bool isDown = text.starts_with('-');
        takeChar(text, "+-");
        const std::string digits = digitsAt(text);
        if (digits.empty())
            return {};
        exponent += isDown ? -exponentOf(digits) : exponentOf(digits);
    }
    if (!text.empty())
        return {};

    const bool isZero = (whole + fraction).find_first_not_of('0') == std::string::npos;
    constexpr long long kFar = 100'000;
    if (isZero || exponent < -kFar)
        return 0;
    if (exponent > kFar)
        return isNegative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    for (; exponent > 0; --exponent) {
        whole += fraction.empty() ? '0' : fraction.front();
        if (!fraction.empty())
            fraction.erase(0, 1);
    }
    for (; exponent < 0; ++exponent) {
        fraction.insert(0, 1, whole.empty() ? '0' : whole.back());
        if (!whole.empty())
            whole.pop_back();
    }
    whole = '0' + whole;
    if (!fraction.empty() && fraction.front() >= '5')
        whole = incremented(whole);
    whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
    if (whole.empty())
        return 0;
    const std::string limit = isNegative ? "9223372036854775808" : "9223372036854775807";
    if (whole.size() > limit.size() || (whole.size() == limit.size() && whole >= limit))
        return isNegative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    return isNegative ? -std::stoll(whole) : std::stoll(whole);
}

} // namespace ks
