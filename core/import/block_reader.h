// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts the text into blocks at places where a record is likely to start. Workers take turns: whoever needs a block reads it into its
// own buffer, so there is no reading thread and no queue, for plain and packed files alike.
#pragma once

#include "core/base/byte_source.h"
#include "core/import/padded_buffer.h"

#include <cstdint>
#include <mutex>

namespace ks {

struct FileBlock
{
    PaddedBuffer text;          // some text of the next block stands behind the limit
    std::uint64_t offset = 0;   // of the text in the file
    std::size_t limit = 0;      // where the next block starts
    std::size_t number = 0;     // counts from 0
    bool startsAtRecord = true; // as far as can be told; a block cut at no sensible place is scanned later, in order
    bool isLast = false;        // no text behind this block
};

class BlockReader
{
public:
    // A record longer than this is given up as damaged; bounds the memory.
    static constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20U;

    // `head` is text that was read from the stream already; it starts at `offset`.
    BlockReader(ByteStream &stream, std::size_t blockBytes, std::string_view head, std::uint64_t offset);

    // The next block, or false at the end. Thread-safe.
    bool next(FileBlock &block);

    std::uint64_t storedBytesRead() const;
    bool isTruncated() const;
    std::uint64_t textBytes() const; // read so far

private:
    ByteStream &m_stream;
    const std::size_t m_blockBytes;
    mutable std::mutex m_mutex;
    PaddedBuffer m_tail;
    std::uint64_t m_offset;
    std::size_t m_number = 0;
    bool m_startsAtRecord = true;
    bool m_ended = false;     // the stream has no more
    bool m_delivered = false; // the last block is out
};

} // namespace ks
