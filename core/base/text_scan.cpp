// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_scan.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ks {
namespace {

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// The exponent behind an 'e'. Beyond any use it is just far.
bool parseExponent(std::string_view text, int &exponent)
{
    constexpr int kFar = 1 << 27;
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    exponent = 0;
    for (const char c : text) {
        if (!isDigit(c))
            return false;
        exponent = std::min(exponent * 10 + (c - '0'), kFar);
    }
    exponent = negative ? -exponent : exponent;
    return !text.empty();
}

// The general way: digits collected as text from the first that is not 0, the decimal point moved by the exponent, then rounded.
bool parseDecimal(std::string_view text, int scale, std::int64_t &value)
{
    constexpr std::size_t kMostDigits = 32; // more than 64 bits hold; of the others only their number counts
    const char *at = text.data();
    const char *const end = at + text.size();
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        ++at;
    std::array<char, kMostDigits> digits{};
    std::size_t count = 0;
    std::int64_t point = 0; // digits before the decimal point; negative: zeros behind it
    bool sawDigit = false;
    bool sawPoint = false;
    for (; at < end && (isDigit(*at) || (*at == '.' && !sawPoint)); ++at) {
        if (*at == '.') {
            sawPoint = true;
            continue;
        }
        sawDigit = true;
        const bool counts = *at != '0' || count != 0;
        if (counts && count < kMostDigits)
            digits[count++] = *at;
        if (counts && !sawPoint)
            ++point;
        else if (!counts && sawPoint)
            --point;
    }
    if (!sawDigit)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        int exponent = 0;
        if (!parseExponent({at + 1, end}, exponent))
            return false;
        point += exponent;
    } else if (at != end) {
        return false;
    }
    point += scale;
    std::uint64_t magnitude = 0;
    constexpr std::uint64_t kLimit = std::uint64_t{1} << 63U;
    for (std::int64_t i = 0; i < point && count != 0; ++i) {
        const auto place = static_cast<std::size_t>(i);
        const std::uint64_t digit = place < count ? static_cast<std::uint64_t>(digits[place] - '0') : 0;
        if (magnitude > (kLimit - digit) / 10) {
            magnitude = kLimit;
            break;
        }
        magnitude = magnitude * 10 + digit;
    }
    if (point >= 0 && static_cast<std::size_t>(point) < count && digits[static_cast<std::size_t>(point)] >= '5'
        && magnitude < kLimit)
        ++magnitude;
    if (negative)
        value = magnitude >= kLimit ? kMinTime : -static_cast<std::int64_t>(magnitude);
    else
        value = magnitude >= kLimit ? kMaxTime : static_cast<std::int64_t>(magnitude);
    return true;
}

void appendUtf8(std::string &out, std::uint32_t code)
{
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0U | (code >> 6U));
        out += static_cast<char>(0x80U | (code & 0x3fU));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0U | (code >> 12U));
        out += static_cast<char>(0x80U | ((code >> 6U) & 0x3fU));
        out += static_cast<char>(0x80U | (code & 0x3fU));
    } else {
        out += static_cast<char>(0xf0U | (code >> 18U));
        out += static_cast<char>(0x80U | ((code >> 12U) & 0x3fU));
        out += static_cast<char>(0x80U | ((code >> 6U) & 0x3fU));
        out += static_cast<char>(0x80U | (code & 0x3fU));
    }
}

bool fourHexDigits(std::string_view text, std::size_t at, std::uint32_t &code)
{
    if (at + 4 > text.size())
        return false;
    const char *first = text.data() + at;
    const auto [stop, error] = std::from_chars(first, first + 4, code, 16);
    return error == std::errc() && stop == first + 4;
}

// One escape at raw[at] == '\\'. Returns how many bytes it took.
std::size_t resolveEscape(std::string_view raw, std::size_t at, CleanText &clean)
{
    const char kind = at + 1 < raw.size() ? raw[at + 1] : '\0';
    switch (kind) {
    case '"':
    case '\\':
    case '/': clean.text += kind; return 2;
    case 'b': clean.text += '\b'; return 2;
    case 'f': clean.text += '\f'; return 2;
    case 'n': clean.text += '\n'; return 2;
    case 'r': clean.text += '\r'; return 2;
    case 't': clean.text += '\t'; return 2;
    case 'u': {
        std::uint32_t code = 0;
        if (!fourHexDigits(raw, at + 2, code))
            break;
        std::size_t length = 6;
        if (code >= 0xd800 && code < 0xdc00) {
            std::uint32_t low = 0;
            if (raw.substr(at + 6, 2) == "\\u" && fourHexDigits(raw, at + 8, low) && low >= 0xdc00 && low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10U) + (low - 0xdc00);
                length = 12;
            }
        }
        if (code >= 0xd800 && code < 0xe000) {
            clean.text += kReplacementUtf8; // half a pair
            clean.hadBadEscapes = true;
        } else {
            appendUtf8(clean.text, code);
        }
        return length;
    }
    default: break;
    }
    clean.text += '\\'; // no escape of JSON: a Windows path, say
    clean.hadBadEscapes = true;
    return 1;
}

} // namespace

bool parseMicroseconds(std::string_view text, TimeNs &ns)
{
    return parseDecimal(text, 3, ns);
}

bool parseInteger(std::string_view text, std::int64_t &value)
{
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && stop == text.data() + text.size())
        return true;
    std::uint64_t wide = 0; // addresses beyond 2^63 are kept bit by bit
    const auto [wideStop, wideError] = std::from_chars(text.data(), text.data() + text.size(), wide);
    if (wideError == std::errc() && wideStop == text.data() + text.size()) {
        value = static_cast<std::int64_t>(wide);
        return true;
    }
    double number = 0;
    if (!parseDouble(text, number) || number < -9.2e18 || number > 9.2e18)
        return false;
    value = static_cast<std::int64_t>(number);
    return true;
}

bool parseUnsigned(std::string_view text, std::uint64_t &value)
{
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && stop == text.data() + text.size();
}

bool parseDouble(std::string_view text, double &value)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && stop == text.data() + text.size() && value - value == 0;
}

CleanText cleanText(std::string_view raw)
{
    CleanText clean;
    clean.text.reserve(raw.size());
    for (std::size_t at = 0; at < raw.size();) {
        const auto c = static_cast<unsigned char>(raw[at]);
        if (c == '\\') {
            at += resolveEscape(raw, at, clean);
        } else if (c < 0x20) {
            clean.text += ' ';
            clean.hadControls = true;
            ++at;
        } else if (const Utf8Char next = decodeUtf8(raw.substr(at)); next.isValid) {
            clean.text.append(raw, at, next.bytes);
            at += next.bytes;
        } else {
            clean.text += kReplacementUtf8;
            clean.hadBadUtf8 = true;
            at += next.bytes;
        }
    }
    return clean;
}

} // namespace ks
