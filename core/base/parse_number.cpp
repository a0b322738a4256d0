// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse_number.h"

#include <array>
#include <charconv>

namespace ks {
namespace {

struct Unit
{
    std::string_view name;
    std::int64_t size;
};

constexpr std::array kTimeUnits = {
    Unit{"ns", 1},
    Unit{"us", 1000},
    Unit{"µs", 1000},
    Unit{"μs", 1000},
    Unit{"ms", 1'000'000},
    Unit{"s", 1000000000},
    Unit{"min", 60'000'000'000},
};

constexpr std::array kByteUnits = {
    Unit{"", 1},
    Unit{"B", 1},
    Unit{"KB", 1000},
    Unit{"kB", 1000},
    Unit{"MB", 1'000'000},
    Unit{"GB", 1'000'000'000},
    Unit{"TB", 1'000'000'000'000},
    Unit{"KiB", std::int64_t{1} << 10U},
    Unit{"MiB", std::int64_t{1} << 20U},
    Unit{"GiB", std::int64_t{1} << 30U},
    Unit{"TiB", std::int64_t{1} << 40U},
};

constexpr std::string_view kDigits = "0123456789";

// digits [. digits] * size, without a double in between.
std::optional<std::int64_t> scaled(std::string_view decimal, std::int64_t size)
{
    const bool isNegative = decimal.starts_with('-');
    if (isNegative || decimal.starts_with('+'))
        decimal.remove_prefix(1);
    const std::size_t point = decimal.find('.');
    const std::string_view whole = decimal.substr(0, point);
    const std::string_view fraction = point == std::string_view::npos ? std::string_view() : decimal.substr(point + 1);
    if (whole.empty() && fraction.empty())
        return {};
    std::int64_t value = 0;
    for (const char c : whole) {
        if (__builtin_mul_overflow(value, std::int64_t{10}, &value) || __builtin_add_overflow(value, c - '0', &value))
            return {};
    }
    if (__builtin_mul_overflow(value, size, &value))
        return {};
    // size * 0.fraction. 15 digits tell a millionth of a nanosecond of a second; numerator * size stays far below 2^127.
    constexpr std::size_t kEnough = 15;
    __extension__ using Wide = __int128;
    Wide numerator = 0;
    Wide denominator = 1;
    for (const char c : fraction.substr(0, kEnough)) {
        numerator = numerator * 10 + (c - '0');
        denominator *= 10;
    }
    const Wide part = (numerator * size * 2 + denominator) / (denominator * 2);
    if (__builtin_add_overflow(value, static_cast<std::int64_t>(part), &value))
        return {};
    return isNegative ? -value : value;
}

template<std::size_t N>
std::optional<std::int64_t> withUnit(std::string_view text, const std::array<Unit, N> &units)
{
    const std::size_t first = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    std::size_t end = text.find_first_not_of(kDigits, first);
    if (end == first)
        return {};
    if (end != std::string_view::npos && text[end] == '.')
        end = text.find_first_not_of(kDigits, end + 1);
    const std::string_view number = text.substr(0, end);
    std::string_view unit = end == std::string_view::npos ? std::string_view() : text.substr(end);
    while (unit.starts_with(' '))
        unit.remove_prefix(1);
    for (const Unit &candidate : units) {
        if (candidate.name == unit)
            return scaled(number, candidate.size);
    }
    return {};
}

} // namespace

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || text.empty())
        return {};
    return value;
}

std::optional<TimeNs> parseDuration(std::string_view text)
{
    return withUnit(text, kTimeUnits);
}

std::optional<std::int64_t> parseBytes(std::string_view text)
{
    return withUnit(text, kByteUnits);
}

} // namespace ks
