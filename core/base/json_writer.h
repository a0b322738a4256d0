// SPDX-License-Identifier: GPL-3.0-or-later
// Writes JSON as it goes: no document in memory, about 10 ns a value. Always valid UTF-8: bytes of a string that are
// none become U+FFFD. The caller keeps to the grammar (a key before each value of an object, every begin ended);
// asserts check it.
#pragma once

#include "core/base/text_sink.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ks {

class JsonWriter
{
public:
    enum class Layout : std::uint8_t {
        Lines,  // every member on a line of its own, indented by two blanks
        Inline, // on one line, with everything inside
    };

    explicit JsonWriter(TextSink &sink)
        : m_sink(sink)
    {}

    JsonWriter &beginObject(Layout layout = Layout::Inline) { return begin('{', layout); }
    JsonWriter &endObject() { return end('}'); }
    JsonWriter &beginArray(Layout layout = Layout::Inline) { return begin('[', layout); }
    JsonWriter &endArray() { return end(']'); }
    JsonWriter &key(std::string_view name);

    JsonWriter &value(std::string_view text);
    JsonWriter &value(const char *text) { return value(std::string_view(text)); }
    JsonWriter &value(double number); // shortest text that reads back as the same double; null if it is no number
    JsonWriter &value(bool truth) { return raw(truth ? "true" : "false"); }
    template<std::integral Int>
    requires(!std::same_as<Int, bool>) JsonWriter &value(Int number)
    {
        beforeValue();
        m_sink.putNumber(number);
        return *this;
    }
    template<typename T>
    JsonWriter &value(const std::optional<T> &maybe)
    {
        return maybe ? value(*maybe) : null();
    }
    JsonWriter &null() { return raw("null"); }
    // A value that is JSON text already.
    JsonWriter &raw(std::string_view json)
    {
        beforeValue();
        m_sink.put(json);
        return *this;
    }
    template<typename T>
    JsonWriter &member(std::string_view name, const T &v)
    {
        return key(name).value(v);
    }

private:
    struct Level
    {
        Layout layout;
        bool isObject;
        bool isEmpty = true;
    };

    JsonWriter &begin(char bracket, Layout layout);
    JsonWriter &end(char bracket);
    void beforeValue();
    void separate();
    void newLine();

    TextSink &m_sink;
    std::vector<Level> m_levels;
    bool m_afterKey = false;
};

// A JSON string with its quotes.
void putJsonString(TextSink &sink, std::string_view text);
std::string jsonString(std::string_view text);
// Shortest text that reads back as the same double; "null" if it is no number.
void putJsonNumber(TextSink &sink, double number);

} // namespace ks
