// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"

#include "core/base/utf8.h"

#include <array>
#include <cassert>
#include <cmath>

namespace ks {
namespace {

constexpr bool isPlain(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void putEscaped(TextSink &sink, char c)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    switch (c) {
    case '"': sink.put("\\\""); return;
    case '\\': sink.put("\\\\"); return;
    case '\n': sink.put("\\n"); return;
    case '\r': sink.put("\\r"); return;
    case '\t': sink.put("\\t"); return;
    case '\b': sink.put("\\b"); return;
    case '\f': sink.put("\\f"); return;
    default:
        sink.put("\\u00");
        sink.put(kHex[static_cast<unsigned char>(c) >> 4U]);
        sink.put(kHex[static_cast<unsigned char>(c) & 15U]);
    }
}

} // namespace

void putJsonString(TextSink &sink, std::string_view text)
{
    sink.put('"');
    while (!text.empty()) {
        std::size_t plain = 0;
        while (plain < text.size() && isPlain(text[plain]))
            ++plain;
        sink.put(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty())
            break;
        if (static_cast<unsigned char>(text.front()) < 0x80) {
            putEscaped(sink, text.front());
            text.remove_prefix(1);
            continue;
        }
        const Utf8Char c = decodeUtf8(text);
        sink.put(c.isValid ? text.substr(0, c.bytes) : kReplacementUtf8);
        text.remove_prefix(c.bytes);
    }
    sink.put('"');
}

std::string jsonString(std::string_view text)
{
    std::string json;
    {
        TextSink sink(json);
        putJsonString(sink, text);
    }
    return json;
}

void putJsonNumber(TextSink &sink, double number)
{
    if (!std::isfinite(number)) {
        sink.put("null");
        return;
    }
    std::array<char, 32> text{};
    const auto result = std::to_chars(text.data(), text.data() + text.size(), number);
    sink.put(std::string_view(text.data(), static_cast<std::size_t>(result.ptr - text.data())));
}

JsonWriter &JsonWriter::key(std::string_view name)
{
    assert(!m_levels.empty() && m_levels.back().isObject && !m_afterKey);
    separate();
    putJsonString(m_sink, name);
    m_sink.put(m_levels.back().layout == Layout::Lines ? std::string_view(": ") : std::string_view(":"));
    m_afterKey = true;
    return *this;
}

JsonWriter &JsonWriter::value(std::string_view text)
{
    beforeValue();
    putJsonString(m_sink, text);
    return *this;
}

JsonWriter &JsonWriter::value(double number)
{
    beforeValue();
    putJsonNumber(m_sink, number);
    return *this;
}

JsonWriter &JsonWriter::begin(char bracket, Layout layout)
{
    beforeValue();
    // What stands inside a line stays on that line.
    if (!m_levels.empty() && m_levels.back().layout == Layout::Inline)
        layout = Layout::Inline;
    m_sink.put(bracket);
    m_levels.push_back({layout, bracket == '{'});
    return *this;
}

JsonWriter &JsonWriter::end(char bracket)
{
    assert(!m_levels.empty() && m_levels.back().isObject == (bracket == '}') && !m_afterKey);
    const Level level = m_levels.back();
    m_levels.pop_back();
    if (level.layout == Layout::Lines && !level.isEmpty)
        newLine();
    m_sink.put(bracket);
    if (m_levels.empty())
        m_sink.put('\n');
    return *this;
}

void JsonWriter::beforeValue()
{
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    assert(m_levels.empty() || !m_levels.back().isObject);
    if (!m_levels.empty())
        separate();
}

void JsonWriter::separate()
{
    Level &level = m_levels.back();
    if (!level.isEmpty)
        m_sink.put(',');
    level.isEmpty = false;
    if (level.layout == Layout::Lines)
        newLine();
}

void JsonWriter::newLine()
{
    m_sink.put('\n');
    m_sink.putRepeated(' ', 2 * m_levels.size());
}

} // namespace ks
