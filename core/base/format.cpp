// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"

#include <array>
#include <charconv>
#include <cmath>

namespace ks {
namespace {

// Digits after the point only, independent of any locale.
std::string fixed(double value, int decimals)
{
    std::array<char, 64> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return error == std::errc() ? std::string(text.data(), end) : std::string("?");
}

// Rounded to `digits` significant digits, but never fewer than all digits before the point.
std::string significant(double value, int digits)
{
    const double magnitude = std::abs(value);
    int before = 1;
    for (double limit = 10; magnitude >= limit && before < digits; limit *= 10)
        ++before;
    std::string text = fixed(value, std::max(0, digits - before));
    return text;
}

std::string grouped(std::string digits)
{
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

struct Unit
{
    double size;
    const char *name;
};

// The first unit the value reaches; so close below the next that rounding would reach it counts as the next.
template<std::size_t N>
std::string withUnit(double value, const std::array<Unit, N> &largestFirst, int digits)
{
    for (const Unit &unit : largestFirst) {
        if (std::abs(value) >= unit.size * 0.99995)
            return significant(value / unit.size, digits) + ' ' + unit.name;
    }
    return significant(value, 1) + ' ' + largestFirst.back().name;
}

constexpr std::array kTimeUnits = {Unit{1e9, "s"}, Unit{1e6, "ms"}, Unit{1e3, "µs"}};

} // namespace

std::string formatDuration(TimeNs ns)
{
    if (ns > -1000 && ns < 1000)
        return std::to_string(ns) + " ns";
    const double value = static_cast<double>(ns);
    const double scaled = std::abs(value) >= 1e9 ? value / 1e9 : std::abs(value) >= 1e6 ? value / 1e6 : value / 1e3;
    // A leading 1 needs one digit more to be as exact as a leading 9.
    double lead = std::abs(scaled);
    while (lead >= 10)
        lead /= 10;
    return withUnit(value, kTimeUnits, lead < 2 ? 4 : 3);
}

std::string formatExactNs(TimeNs ns)
{
    return grouped(std::to_string(ns)) + " ns";
}

std::string formatTimePoint(TimeNs ns, TimeNs resolution)
{
    resolution = std::max<TimeNs>(resolution, 1);
    const double reach = std::max(std::abs(static_cast<double>(ns)), static_cast<double>(resolution));
    const Unit *unit = nullptr;
    for (const Unit &candidate : kTimeUnits) {
        if (reach >= candidate.size) {
            unit = &candidate;
            break;
        }
    }
    if (!unit)
        return std::to_string(ns) + " ns";
    int decimals = 0;
    for (double step = unit->size; step > static_cast<double>(resolution) * 1.0001 && decimals < 9; step /= 10)
        ++decimals;
    return fixed(static_cast<double>(ns) / unit->size, decimals) + ' ' + unit->name;
}

std::string formatBytes(std::int64_t bytes)
{
    constexpr double kStep = 1024;
    constexpr std::array kUnits = {Unit{kStep * kStep * kStep * kStep, "TiB"}, Unit{kStep * kStep * kStep, "GiB"},
                                   Unit{kStep * kStep, "MiB"}, Unit{kStep, "KiB"}};
    if (bytes > -1024 && bytes < 1024)
        return std::to_string(bytes) + " B";
    return withUnit(static_cast<double>(bytes), kUnits, 3);
}

std::string formatCount(std::uint64_t count)
{
    return grouped(std::to_string(count));
}

std::string formatPercent(double ratio)
{
    const double percent = ratio * 100;
    if (!std::isfinite(percent))
        return "–";
    if (percent == 0 || std::abs(percent) >= 99.95)
        return fixed(percent, 0) + " %";
    return fixed(percent, std::abs(percent) >= 10 ? 1 : 2) + " %";
}

std::string formatChange(double ratio)
{
    const std::string text = formatPercent(ratio - 1);
    return ratio > 1 && std::isfinite(ratio) ? "+" + text : text;
}

std::string formatRate(double bytesPerSecond)
{
    constexpr std::array kUnits = {Unit{1e12, "TB/s"}, Unit{1e9, "GB/s"}, Unit{1e6, "MB/s"}, Unit{1e3, "KB/s"}};
    return withUnit(bytesPerSecond, kUnits, 3);
}

} // namespace ks
