// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/block_reader.h"

#include "core/import/record_start.h"

#include <algorithm>

namespace ks {

BlockReader::BlockReader(ByteStream &stream, std::size_t blockBytes, std::string_view head, std::uint64_t offset)
    : m_stream(stream)
    , m_blockBytes(
          std::clamp<std::size_t>(blockBytes, 64, kMaxRecordBytes / 2)) // so that no block holds a longer record
    , m_offset(offset)
{
    m_tail.assign(head);
}

bool BlockReader::next(FileBlock &block)
{
    const std::lock_guard lock(m_mutex);
    if (m_delivered)
        return false;
    block.offset = m_offset;
    block.number = m_number++;
    block.startsAtRecord = m_startsAtRecord;
    block.text.assign(m_tail.text());
    std::size_t wanted = m_blockBytes;
    std::size_t cut = std::string_view::npos;
    for (;;) {
        while (!m_ended && block.text.size() < wanted) {
            const std::size_t before = block.text.size();
            const std::size_t got = m_stream.read(block.text.extend(wanted - before));
            block.text.shrink(before + got);
            m_ended = got == 0;
        }
        if (m_ended && block.text.size() <= wanted) {
            cut = block.text.size();
            break;
        }
        cut = findLastRecordStart(block.text.text());
        if (cut != std::string_view::npos && cut != 0)
            break;
        if (block.text.size() >= kMaxRecordBytes) {
            cut = std::string_view::npos;
            break;
        }
        wanted = std::max(wanted, block.text.size()) * 2;
    }
    m_startsAtRecord = cut != std::string_view::npos;
    block.limit = m_startsAtRecord ? cut : block.text.size();
    m_tail.assign(block.text.text().substr(block.limit));
    m_offset += block.limit;
    block.isLast = m_ended && m_tail.size() == 0;
    m_delivered = block.isLast;
    return true;
}

std::uint64_t BlockReader::storedBytesRead() const
{
    const std::lock_guard lock(m_mutex);
    return m_stream.storedBytesRead();
}

bool BlockReader::isTruncated() const
{
    const std::lock_guard lock(m_mutex);
    return m_stream.isTruncated();
}

std::uint64_t BlockReader::textBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_offset + m_tail.size();
}

} // namespace ks
