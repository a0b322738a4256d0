// SPDX-License-Identifier: GPL-3.0-or-later
// Text to be read through a ByteSource, and ways to read it.
#pragma once

#include "core/base/byte_source.h"
#include "core/base/error.h"
#include "tests/support/qt_text.h"

#include <random>
#include <string>
#include <vector>

namespace ks {

// Text that packs about like a trace, and in which no two places look alike.
inline std::string longText(std::size_t bytes)
{
    std::mt19937_64 random(11);
    std::string text;
    text.reserve(bytes + 64);
    while (text.size() < bytes)
        text += "{\"ph\":\"X\",\"ts\":" + std::to_string(text.size()) + ",\"name\":\"aten::" + std::to_string(random() % 100) + "\"},\n";
    text.resize(bytes);
    return text;
}

inline std::string readAll(const ByteSource &source, std::size_t step, bool *isTruncated = nullptr)
{
    const auto stream = source.open();
    std::string text;
    std::vector<char> buffer(step);
    for (;;) {
        const std::size_t got = stream->read(buffer);
        if (got == 0)
            break;
        text.append(buffer.data(), got);
    }
    if (stream->read(buffer) != 0)
        text += " there is more behind the end";
    if (isTruncated)
        *isTruncated = stream->isTruncated();
    return text;
}

inline std::string at(const ByteSource &source, std::uint64_t offset, std::size_t count)
{
    std::string text(count, '?');
    text.resize(source.readAt(offset, text));
    return text;
}

// "opened", or why not.
inline QString errorOf(const std::string &path)
{
    try {
        openSource(path);
        return QStringLiteral("opened");
    } catch (const ImportError &error) {
        return q(error.what());
    }
}

} // namespace ks
