// SPDX-License-Identifier: GPL-3.0-or-later
// Reads records of the source through a window of its text. At ascending offsets the source is read once, from front to
// back: a packed one is not unpacked again for each record.
#pragma once

#include "core/base/byte_source.h"
#include "core/base/error.h"
#include "core/base/json_cursor.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

namespace ks {

// How much to read at once for records that stand so far apart: large pieces if they are close, else each alone.
constexpr std::size_t readAhead(std::uint64_t span, std::size_t records)
{
    constexpr std::uint64_t kClose = std::uint64_t{1} << 14U;
    return span / std::max<std::size_t>(records, 1) < kClose ? std::size_t{1} << 18U : 0;
}

class RecordReader
{
public:
    // ahead: bytes to read at once beyond what is asked for.
    RecordReader(const ByteSource &source, std::size_t ahead)
        : m_source(source)
        , m_ahead(ahead)
    {}

    // parse(text) looks at the text from the record on, readable kPadding bytes beyond its end, and returns a
    // JsonCursor::Outcome; if it is Incomplete it is asked again with more text. Throws SourceChanged if there is no such
    // record.
    template<typename Parse>
    void read(std::uint64_t offset, Parse parse)
    {
        for (std::size_t wanted = kFirstRead;; wanted *= 8) {
            const std::string_view text = textAt(offset, wanted);
            const JsonCursor::Outcome outcome = parse(text);
            if (outcome == JsonCursor::Outcome::Done)
                return;
            if (outcome == JsonCursor::Outcome::Damaged || text.size() < wanted || wanted >= kMostRead)
                throw SourceChanged("the file no longer holds the record that was read from it");
        }
    }

private:
    static constexpr std::size_t kFirstRead = std::size_t{1} << 12U;
    static constexpr std::size_t kMostRead = std::size_t{64} << 20U; // the longest record the importer accepts

    // The text from `offset` on: `wanted` bytes or more, unless the source ends before.
    std::string_view textAt(std::uint64_t offset, std::size_t wanted);

    const ByteSource &m_source;
    std::size_t m_ahead;
    std::unique_ptr<char[]> m_text; // m_size bytes from m_begin on, then the padding
    std::size_t m_capacity = 0;     // without the padding
    std::size_t m_size = 0;
    std::uint64_t m_begin = 0;
};

} // namespace ks
