// SPDX-License-Identifier: GPL-3.0-or-later
// A cursor over tolerant JSON: what the scanner of records, the arguments of one event and the keys around the records have in common.
// Accepts raw control characters in strings, any escape, trailing and doubled commas and number-like words (inf, NaN, N/A).
#pragma once

#include "core/base/text_scan.h"

namespace ks {

// A token of the text: of a string what stands between the quotes, else the bare token.
struct Token
{
    const char *data = nullptr;
    std::uint32_t size = 0;
    std::uint8_t flags = 0; // kHasEscapes, kHasControls; kIsPlainInteger where that was looked at
    bool isString = false;
    std::uint8_t whole = 0; // of a number: digits before its point, where that was looked at

    std::string_view text() const { return {data, size}; }
};

class JsonCursor
{
public:
    enum class Outcome : std::uint8_t { Done, Incomplete, Damaged };

    // [at, end) must be readable kPadding bytes beyond its end, and those bytes must not be white space.
    JsonCursor(const char *at, const char *end)
        : m_at(at)
        , m_end(end)
    {}

    const char *at() const { return m_at; }
    const char *end() const { return m_end; }
    void moveTo(const char *at) { m_at = at; }
    bool atEnd() const { return m_at >= m_end; }
    char peek() const { return *m_at; }
    void advance() { ++m_at; }
    std::uint8_t stringFlags() const { return m_stringFlags; } // of all strings passed so far
    bool sawOddNumber() const { return m_sawOddNumber; }
    // After damage: how far the text was looked at.
    const char *furthest() const { return m_damage > m_at ? m_damage : m_at; }
    void clearFlags()
    {
        m_stringFlags = 0;
        m_sawOddNumber = false;
    }

    void skipSpace()
    {
        while (static_cast<unsigned char>(*m_at) <= ' ' && isJsonSpace(*m_at) && m_at < m_end)
            ++m_at;
    }

    // At the opening quote; afterwards behind the closing one. The token is what stands between.
    Outcome string(Token &token)
    {
        std::uint8_t flags = 0;
        const char *const first = m_at + 1;
        const char *const close = findStringEnd(first, m_end, flags);
        if (!close)
            return Outcome::Incomplete;
        token = {first, static_cast<std::uint32_t>(close - first), flags, true};
        m_stringFlags |= flags;
        m_at = close + 1;
        return Outcome::Done;
    }

    // A string, a number or a word.
    Outcome scalar(Token &token)
    {
        if (*m_at == '"')
            return string(token);
        const char *const first = m_at;
        m_at = findWordEnd(m_at);
        if (m_at >= m_end)
            return Outcome::Incomplete;
        if (m_at == first)
            return Outcome::Damaged;
        token = {first, static_cast<std::uint32_t>(m_at - first), 0, false};
        if (!isJsonWord(token))
            m_sawOddNumber = true;
        return Outcome::Done;
    }

    // Any value; scalars only are told.
    Outcome value(Token &token)
    {
        if (*m_at == '{' || *m_at == '[') {
            token = {};
            return nested();
        }
        return scalar(token);
    }

    Outcome nested()
    {
        switch (skipNested(m_at, m_end, m_stringFlags, &m_damage)) {
        case Skip::Done: return Outcome::Done;
        case Skip::Incomplete: return Outcome::Incomplete;
        case Skip::Damaged: break;
        }
        return Outcome::Damaged;
    }

    // Walks an object; at its '{'. For each key calls onKey(cursor, key), which must pass the value with one of the functions above
    // and return how that went. Afterwards behind the '}'.
    template<typename OnKey>
    Outcome object(OnKey onKey)
    {
        ++m_at;
        return members(onKey);
    }

    // The same from somewhere between two members of an object.
    template<typename OnKey>
    Outcome members(OnKey onKey)
    {
        for (;;) {
            skipSpace();
            if (*m_at == '"') {
                Token key;
                if (const Outcome outcome = string(key); outcome != Outcome::Done)
                    return outcome;
                skipSpace();
                if (*m_at != ':')
                    return atEnd() ? Outcome::Incomplete : Outcome::Damaged;
                ++m_at;
                skipSpace();
                if (const Outcome outcome = onKey(*this, key); outcome != Outcome::Done)
                    return outcome;
                skipSpace();
                if (*m_at == ',' && m_at < m_end) {
                    ++m_at;
                    continue;
                }
            }
            if (atEnd())
                return Outcome::Incomplete;
            if (*m_at == '}') {
                ++m_at;
                return Outcome::Done;
            }
            if (*m_at != ',')
                return Outcome::Damaged;
            ++m_at;
        }
    }

    static bool isJsonWord(const Token &token)
    {
        const char first = *token.data;
        if (first >= '0' && first <= '9')
            return true;
        const std::string_view text = token.text();
        if (first == '-')
            return text.size() > 1 && text[1] >= '0' && text[1] <= '9';
        return text == "null" || text == "true" || text == "false";
    }

private:
    const char *m_at;
    const char *m_end;
    const char *m_damage = nullptr;
    std::uint8_t m_stringFlags = 0;
    bool m_sawOddNumber = false;
};

} // namespace ks
