// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/packed_source.h"

#include <algorithm>
#include <vector>

namespace ks {
namespace {

constexpr std::uint64_t kCheckpointDistance = std::uint64_t{16} << 20U;

} // namespace

class PackedStream final : public ByteStream
{
public:
    explicit PackedStream(const PackedSource &source)
        : m_source(source)
        , m_unpacker(source.m_start())
    {}

    std::size_t read(std::span<char> into) override
    {
        if (m_offset >= m_nextCheckpoint) {
            m_source.leaveCheckpoint(m_offset, m_unpacker->clone());
            m_nextCheckpoint = m_offset + kCheckpointDistance;
        }
        const std::size_t got = m_unpacker->read(into);
        m_offset += got;
        return got;
    }
    std::uint64_t storedBytesRead() const override { return m_unpacker->packedBytesRead(); }
    bool isTruncated() const override { return m_unpacker->isTruncated(); }

private:
    const PackedSource &m_source;
    std::unique_ptr<Unpacker> m_unpacker;
    std::uint64_t m_offset = 0;
    std::uint64_t m_nextCheckpoint = kCheckpointDistance;
};

PackedSource::PackedSource(std::shared_ptr<const File> file, Container container, Start start)
    : m_file(std::move(file))
    , m_container(container)
    , m_start(std::move(start))
{}

std::unique_ptr<ByteStream> PackedSource::open() const
{
    return std::make_unique<PackedStream>(*this);
}

void PackedSource::leaveCheckpoint(std::uint64_t offset, std::unique_ptr<Unpacker> unpacker) const
{
    if (!unpacker)
        return;
    const std::lock_guard lock(m_mutex);
    m_checkpoints.try_emplace(offset, std::move(unpacker));
}

std::size_t PackedSource::readAt(std::uint64_t offset, std::span<char> into) const
{
    const std::lock_guard lock(m_mutex);
    // The nearest of: the last read, a checkpoint, the start.
    const auto after = m_checkpoints.upper_bound(offset);
    const bool hasCheckpoint = after != m_checkpoints.begin();
    const std::uint64_t checkpoint = hasCheckpoint ? std::prev(after)->first : 0;
    if (!m_cursor || m_cursorOffset > offset || m_cursorOffset < checkpoint) {
        m_cursor = hasCheckpoint ? std::prev(after)->second->clone() : m_start();
        m_cursorOffset = checkpoint;
    }
    std::vector<char> skipped;
    while (m_cursorOffset < offset) {
        skipped.resize(std::min<std::uint64_t>(offset - m_cursorOffset, std::uint64_t{1} << 18U));
        const std::size_t got = m_cursor->read(skipped);
        if (got == 0)
            return 0;
        m_cursorOffset += got;
    }
    std::size_t done = 0;
    while (done < into.size()) {
        const std::size_t got = m_cursor->read(into.subspan(done));
        if (got == 0)
            break;
        done += got;
        m_cursorOffset += got;
    }
    return done;
}

} // namespace ks
