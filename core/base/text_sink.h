// SPDX-License-Identifier: GPL-3.0-or-later
// Where output text goes: gathers small pieces and hands them on in blocks of 64 KiB. What is left is handed on by
// flush() or when the sink ends.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace ks {

class TextSink
{
public:
    explicit TextSink(std::function<void(std::string_view)> receiver)
        : m_receiver(std::move(receiver))
    {
        m_text.reserve(kBlock + kBlock / 4);
    }
    // Appends to `into`, which must outlive the sink.
    explicit TextSink(std::string &into)
        : TextSink([&into](std::string_view text) { into += text; })
    {}
    ~TextSink()
    {
        if (std::uncaught_exceptions() == m_exceptions)
            flush();
    }
    TextSink(const TextSink &) = delete;
    TextSink &operator=(const TextSink &) = delete;

    TextSink &put(std::string_view text)
    {
        m_text += text;
        if (m_text.size() >= kBlock)
            flush();
        return *this;
    }
    TextSink &put(char c)
    {
        m_text += c;
        if (m_text.size() >= kBlock)
            flush();
        return *this;
    }
    // A number in decimal, every digit.
    template<std::integral Int>
    TextSink &putNumber(Int number)
    {
        char digits[24];
        const auto result = std::to_chars(digits, digits + sizeof digits, number);
        return put(std::string_view(digits, static_cast<std::size_t>(result.ptr - digits)));
    }
    TextSink &putRepeated(char c, std::size_t times)
    {
        m_text.append(times, c);
        return *this;
    }
    void flush()
    {
        if (!m_text.empty())
            m_receiver(m_text);
        m_text.clear();
    }

private:
    static constexpr std::size_t kBlock = std::size_t{1} << 16U;
    std::function<void(std::string_view)> m_receiver;
    std::string m_text;
    int m_exceptions = std::uncaught_exceptions();
};

} // namespace ks
