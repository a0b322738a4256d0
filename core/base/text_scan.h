// SPDX-License-Identifier: GPL-3.0-or-later
// The lowest level of reading: where does a string end, where does a nested value end, what number is this text?
// All functions may read up to kPadding bytes beyond `end`; callers own buffers that are that much longer.
#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ks {

inline constexpr std::size_t kPadding = 64;

// What a string token holds besides plain text.
inline constexpr std::uint8_t kHasEscapes = 1;
inline constexpr std::uint8_t kHasControls = 2; // raw bytes below 0x20, which JSON forbids
// What is known of a word: up to 16 digits and nothing else.
inline constexpr std::uint8_t kIsPlainInteger = 4;

namespace detail {

// One bit per byte of the 16 at `at` that is a quote, a backslash or a control character.
inline std::uint32_t stringStops(const char *at)
{
#if defined(__SSE2__)
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, slashes), controls)));
#else
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < 16; ++i) {
        const auto c = static_cast<unsigned char>(at[i]);
        mask |= static_cast<std::uint32_t>(c == '"' || c == '\\' || c < 0x20) << i;
    }
    return mask;
#endif
}

// One bit per byte of the 16 at `at` that is a quote or any kind of bracket.
inline std::uint32_t nestingStops(const char *at)
{
#if defined(__SSE2__)
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    // '[' 0x5b, ']' 0x5d, '{' 0x7b, '}' 0x7d: equal once bit 5 is set; then 0x7b and 0x7d.
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    const __m128i open = _mm_cmpeq_epi8(folded, _mm_set1_epi8('{'));
    const __m128i close = _mm_cmpeq_epi8(folded, _mm_set1_epi8('}'));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(open, close), quotes)));
#else
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < 16; ++i) {
        const char c = at[i];
        mask |= static_cast<std::uint32_t>(c == '"' || c == '[' || c == ']' || c == '{' || c == '}') << i;
    }
    return mask;
#endif
}

// One bit per byte of 64.
struct ArrayBits
{
    std::uint64_t quotes = 0;
    std::uint64_t opening = 0; // [
    std::uint64_t closing = 0; // ]
    std::uint64_t odd = 0;     // \ { } |
    std::uint64_t controls = 0;
};

inline ArrayBits arrayBits(const char *at)
{
    ArrayBits bits;
#if defined(__SSE2__)
    const auto mask = [](__m128i bytes) { return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(bytes))}; };
    for (unsigned i = 0; i < 64; i += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at + i));
        const __m128i opening = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('['));
        const __m128i closing = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(']'));
        // [ \ ] and { | } are three neighbours each, and the same three once bit 5 is set.
        const __m128i folded = _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('{'));
        const __m128i all = _mm_cmpeq_epi8(_mm_min_epu8(folded, _mm_set1_epi8(2)), folded);
        bits.quotes |= mask(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'))) << i;
        bits.opening |= mask(opening) << i;
        bits.closing |= mask(closing) << i;
        bits.odd |= mask(_mm_andnot_si128(_mm_or_si128(opening, closing), all)) << i;
        bits.controls |= mask(_mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes)) << i;
    }
#else
    for (unsigned i = 0; i < 64; ++i) {
        const char c = at[i];
        bits.quotes |= std::uint64_t{c == '"'} << i;
        bits.opening |= std::uint64_t{c == '['} << i;
        bits.closing |= std::uint64_t{c == ']'} << i;
        bits.odd |= std::uint64_t{c == '\\' || c == '{' || c == '}' || c == '|'} << i;
        bits.controls |= std::uint64_t{static_cast<unsigned char>(c) < 0x20} << i;
    }
#endif
    return bits;
}

// Bit i of the result: is the number of bits set in 0..i odd? Of the quotes of a text: does byte i stand in a string?
constexpr std::uint64_t oddSoFar(std::uint64_t bits)
{
    for (unsigned shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

// At a '['. Returns the place behind the matching ']' of an array that holds nothing but arrays, numbers, words and plain strings; null
// for all others, and where the text ends before it.
inline const char *behindPlainArray(const char *at, const char *end)
{
    std::uint64_t depth = 0;
    std::uint64_t startsInString = 0;
    for (; at < end; at += 64) {
        const ArrayBits bits = arrayBits(at);
        const std::uint64_t inString = oddSoFar(bits.quotes) ^ startsInString;
        const std::uint64_t odd = bits.odd | (bits.controls & inString);
        for (std::uint64_t left = (bits.opening | bits.closing) & ~inString; left != 0; left &= left - 1) {
            const std::uint64_t bracket = left & (~left + 1);
            depth += (bits.opening & bracket) != 0 ? 1U : ~std::uint64_t{0};
            if (depth != 0)
                continue;
            const char *const behind = at + std::countr_zero(bracket) + 1;
            return (odd & (bracket - 1)) == 0 && behind <= end ? behind : nullptr;
        }
        if (odd != 0)
            return nullptr;
        startsInString = ~std::uint64_t{0} * (inString >> 63U);
    }
    return nullptr;
}

// One bit per byte of the 16 at `at` that is no digit.
inline std::uint32_t nonDigits(const char *at)
{
#if defined(__SSE2__)
    const __m128i values = _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i *>(at)), _mm_set1_epi8('0'));
    const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    return ~static_cast<std::uint32_t>(_mm_movemask_epi8(digits)) & 0xffffU;
#else
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < 16; ++i)
        mask |= static_cast<std::uint32_t>(at[i] < '0' || at[i] > '9') << i;
    return mask;
#endif
}

// Is the text of `size` bytes the same at both places? Up to 16 bytes behind both are read.
inline bool isSame(const char *a, const char *b, std::size_t size)
{
#if defined(__SSE2__)
    for (;; a += 16, b += 16, size -= 16) {
        const __m128i one = _mm_loadu_si128(reinterpret_cast<const __m128i *>(a));
        const __m128i other = _mm_loadu_si128(reinterpret_cast<const __m128i *>(b));
        const auto same = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(one, other)));
        if (size <= 16)
            return (~same & ((1U << size) - 1U)) == 0;
        if (same != 0xffffU)
            return false;
    }
#else
    return std::memcmp(a, b, size) == 0;
#endif
}

// The number of `count` digits, at most 8. All at once: pairs, then quads, then all eight by multiplication.
inline std::uint64_t upToEightDigits(const char *at, unsigned count)
{
    if constexpr (std::endian::native == std::endian::little) {
        if (count == 0)
            return 0;
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        word <<= 64U - 8U * count; // the digits move to the end, zeros stand before them
        word = (word & 0x0f0f0f0f0f0f0f0fULL) * 2561 >> 8U;
        word = (word & 0x00ff00ff00ff00ffULL) * 6553601 >> 16U;
        return (word & 0x0000ffff0000ffffULL) * 42949672960001ULL >> 32U;
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i)
        value = value * 10 + static_cast<std::uint64_t>(at[i] - '0');
    return value;
}

// … at most 16.
inline std::uint64_t upToSixteenDigits(const char *at, unsigned count)
{
    if (count <= 8)
        return upToEightDigits(at, count);
    return upToEightDigits(at, count - 8) * 100'000'000 + upToEightDigits(at + (count - 8), 8);
}

} // namespace detail

constexpr bool isJsonSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

inline const char *skipSpace(const char *at, const char *end)
{
    while (at < end && isJsonSpace(*at))
        ++at;
    return at;
}

// `at` stands behind the opening quote. Returns the closing quote, or null if the text ends before it.
inline const char *findStringEnd(const char *at, const char *end, std::uint8_t &flags)
{
    while (at < end) {
        const std::uint32_t stops = detail::stringStops(at);
        if (stops == 0) {
            at += 16;
            continue;
        }
        at += std::countr_zero(stops);
        if (at >= end)
            return nullptr;
        if (*at == '"')
            return at;
        if (*at == '\\') {
            flags |= kHasEscapes;
            at += 2;
        } else {
            flags |= kHasControls;
            ++at;
        }
    }
    return nullptr;
}

// Bytes of numbers and of words like null, NaN or N/A.
inline constexpr std::array<bool, 256> kIsWordByte = [] {
    std::array<bool, 256> table{};
    for (int c = '0'; c <= '9'; ++c)
        table[static_cast<std::size_t>(c)] = true;
    for (int c = 'a'; c <= 'z'; ++c)
        table[static_cast<std::size_t>(c)] = table[static_cast<std::size_t>(c - 'a' + 'A')] = true;
    for (const char c : {'+', '-', '.', '/', '_', '#'})
        table[static_cast<std::size_t>(c)] = true;
    return table;
}();

// A number as nearly all are: 1 to 16 digits, perhaps a point and up to 16 more.
struct PlainNumber
{
    const char *end = nullptr; // null: a word of another kind
    std::uint8_t whole = 0;    // digits before the point; 0 if there is no point
};

inline PlainNumber findPlainNumber(const char *at)
{
    const auto digitsAt = [](const char *from) {
        return static_cast<unsigned>(std::countr_zero(detail::nonDigits(from) | 0x10000U));
    };
    const unsigned digits = digitsAt(at);
    unsigned whole = 0;
    const char *end = at + digits;
    if (*end == '.') {
        end += 1 + digitsAt(end + 1);
        whole = digits;
    }
    if (digits == 0 || kIsWordByte[static_cast<unsigned char>(*end)]) [[unlikely]]
        return {};
    return {end, static_cast<std::uint8_t>(whole)};
}

// The first byte at or behind `at` that belongs to no word; padding stops it.
inline const char *findWordEnd(const char *at)
{
#if defined(__SSE2__)
    // '-', '.', '/' and the digits are neighbours: a number without an exponent is passed 16 bytes at a time.
    for (unsigned passed = 16; passed == 16; at += passed) {
        const __m128i bytes = _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i *>(at)), _mm_set1_epi8('-'));
        const __m128i inside = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8('9' - '-')), bytes);
        passed =
            static_cast<unsigned>(std::countr_zero(~static_cast<std::uint32_t>(_mm_movemask_epi8(inside)) | 0x10000U));
    }
#endif
    while (kIsWordByte[static_cast<unsigned char>(*at)])
        ++at;
    return at;
}

enum class Skip : std::uint8_t { Done, Incomplete, Damaged };

// Does a string that holds raw control characters end with the border of two records, `}`, a comma and `{`? Then it is no string: a quote
// was lost somewhere before, and what is taken for strings is what stands between them.
inline bool isRecordBorder(const char *first, const char *last)
{
    for (const char expected : {'{', ',', '}'}) {
        while (first < last && isJsonSpace(last[-1]))
            --last;
        if (first == last || *--last != expected)
            return false;
    }
    return true;
}

// `at` stands on '[' or '{'; afterwards behind the matching bracket. Brackets of the wrong kind are damage, and so is a border of records where
// a string should be; `damage` tells where.
inline Skip skipNested(const char *&at, const char *end, std::uint8_t &flags, const char **damage = nullptr)
{
    if (*at == '[') {
        if (const char *const behind = detail::behindPlainArray(at, end)) {
            at = behind;
            return Skip::Done;
        }
    }
    constexpr unsigned kMaxDepth = 64; // deeper levels are counted, not checked for their kind
    std::uint64_t isObject = 0;
    unsigned depth = 0;
    const char *from = at;
    while (from < end) {
        std::uint32_t stops = detail::nestingStops(from);
        if (stops == 0) {
            from += 16;
            continue;
        }
        const char *stop = from + std::countr_zero(stops);
        if (stop >= end)
            return Skip::Incomplete;
        from = stop + 1;
        switch (*stop) {
        case '"': {
            std::uint8_t own = 0;
            const char *close = findStringEnd(from, end, own);
            if (!close)
                return Skip::Incomplete;
            if ((own & kHasControls) != 0 && isRecordBorder(from, close)) [[unlikely]] {
                if (damage)
                    *damage = stop;
                return Skip::Damaged;
            }
            flags |= own;
            from = close + 1;
            break;
        }
        case '{':
        case '[':
            if (depth < kMaxDepth)
                isObject = (isObject & ~(std::uint64_t{1} << depth)) | (std::uint64_t{*stop == '{'} << depth);
            ++depth;
            break;
        default:
            --depth;
            if (depth < kMaxDepth && ((isObject >> depth) & 1U) != std::uint64_t{*stop == '}'}) {
                if (damage)
                    *damage = stop;
                return Skip::Damaged;
            }
            if (depth == 0) {
                at = from;
                return Skip::Done;
            }
            break;
        }
    }
    return Skip::Incomplete;
}

// Decimal microseconds -> nanoseconds: exact, further digits rounded to nearest, ties away from zero; exponents are understood;
// numbers beyond 64 bits saturate. False if the text is no number.
bool parseMicroseconds(std::string_view text, TimeNs &ns);

// The number of kIsPlainInteger. Reads up to kPadding bytes behind the text.
inline std::uint64_t plainInteger(std::string_view text)
{
    return detail::upToSixteenDigits(text.data(), static_cast<unsigned>(text.size()));
}

inline constexpr std::uint64_t kMostPlainMicroseconds = static_cast<std::uint64_t>(kMaxTime) / 1000 - 1;

// Of 1 to 16 digits, a point and more digits. False if those behind the point are not one to three.
inline bool plainMicroseconds(std::string_view text, unsigned whole, TimeNs &ns)
{
    const char *const behind = text.data() + whole + 1;
    const std::size_t count = text.size() - whole - 1;
    const std::uint64_t microseconds = detail::upToSixteenDigits(text.data(), whole);
    if (microseconds > kMostPlainMicroseconds)
        return false;
    const auto digit = [&](std::size_t i) { return static_cast<unsigned>(behind[i] - '0'); };
    unsigned fraction = 0;
    switch (count) {
    case 3: fraction = digit(0) * 100 + digit(1) * 10 + digit(2); break;
    case 2: fraction = digit(0) * 100 + digit(1) * 10; break;
    case 1: fraction = digit(0) * 100; break;
    default: return false;
    }
    ns = static_cast<TimeNs>(microseconds * 1000 + fraction);
    return true;
}

// The plain form of the same, as nearly all files hold it: up to 16 digits, perhaps a point and up to three more. False for every
// other text, which may still be a number. Unlike the function above it reads up to kPadding bytes behind the text.
inline bool parsePlainMicroseconds(std::string_view text, TimeNs &ns)
{
    const auto size = static_cast<unsigned>(std::min<std::size_t>(text.size(), 32));
    const unsigned digits =
        std::min(static_cast<unsigned>(std::countr_zero(detail::nonDigits(text.data()) | 0x10000U)), size);
    if (digits == 0)
        return false;
    if (digits == text.size()) {
        const std::uint64_t whole = detail::upToSixteenDigits(text.data(), digits);
        ns = static_cast<TimeNs>(whole * 1000);
        return whole <= kMostPlainMicroseconds;
    }
    const auto behind = static_cast<unsigned>(std::countr_zero(detail::nonDigits(text.data() + digits + 1) | 0x10000U));
    return text[digits] == '.' && digits + 1 + behind >= text.size() && plainMicroseconds(text, digits, ns);
}

// An integer of up to 64 bits (a fraction is cut off: ints appear as floats in some files).
bool parseInteger(std::string_view text, std::int64_t &value);
bool parseUnsigned(std::string_view text, std::uint64_t &value);

// A number as double, for counter samples only; `nan` and `inf` in any spelling are no number.
bool parseDouble(std::string_view text, double &value);

// The text of a JSON string token (without its quotes): escapes resolved; raw control characters become spaces, unknown escapes keep
// their backslash, bad UTF-8 becomes U+FFFD. Repairs are told.
struct CleanText
{
    std::string text;
    bool hadControls = false;
    bool hadBadEscapes = false;
    bool hadBadUtf8 = false;
};
CleanText cleanText(std::string_view raw);

} // namespace ks
