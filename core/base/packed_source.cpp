// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/packed_source.h"

#include <algorithm>
#include <vector>

namespace ks {
namespace {

constexpr std::uint64_t kCheckpointDistance = std::uint64_t{16} << 20U;
constexpr std::uint64_t kTextPerStateByte = 16;
constexpr std::size_t kMostHeldBytes = std::size_t{64} << 20U;

} // namespace

class PackedStream final : public ByteStream
{
public:
    PackedStream(const PackedSource &source, std::stop_token stop)
        : m_source(source)
        , m_stop(std::move(stop))
        , m_unpacker(source.m_start())
    {}

    std::size_t read(std::span<char> into) override
    {
        {
            const std::lock_guard lock(m_source.m_mutex);
            m_source.pass(m_offset, *m_unpacker);
        }
        const std::size_t got = m_unpacker->read(into, m_stop);
        m_offset += got;
        return got;
    }
    std::uint64_t storedBytesRead() const override
    {
        // Of what is packed twice it is the bytes in the middle that are counted.
        return std::min(m_unpacker->packedBytesRead(), m_source.storedBytes());
    }
    bool isTruncated() const override { return m_unpacker->isTruncated(); }

private:
    const PackedSource &m_source;
    std::stop_token m_stop;
    std::unique_ptr<Unpacker> m_unpacker;
    std::uint64_t m_offset = 0;
};

PackedSource::PackedSource(std::shared_ptr<const File> file, Container container, Start start)
    : m_file(std::move(file))
    , m_container(container)
    , m_start(std::move(start))
    , m_distance(kCheckpointDistance)
{}

std::unique_ptr<ByteStream> PackedSource::open(std::stop_token stop) const
{
    return std::make_unique<PackedStream>(*this, std::move(stop));
}

void PackedSource::pass(std::uint64_t offset, const Unpacker &unpacker) const
{
    const auto after = m_checkpoints.upper_bound(offset);
    const std::uint64_t last = after == m_checkpoints.begin() ? 0 : std::prev(after)->first;
    if (offset - last < m_distance || offset - last < unpacker.stateBytes() * kTextPerStateByte)
        return;
    m_heldBytes += m_checkpoints.emplace(offset, unpacker.clone()).first->second->heldBytes();
    if (m_heldBytes <= kMostHeldBytes)
        return;
    bool isKept = false;
    m_heldBytes = 0;
    std::erase_if(m_checkpoints, [&](const auto &checkpoint) {
        isKept = !isKept;
        m_heldBytes += isKept ? checkpoint.second->heldBytes() : 0;
        return !isKept;
    });
    m_distance *= 2;
}

std::size_t PackedSource::checkpointCount() const
{
    const std::lock_guard lock(m_mutex);
    return m_checkpoints.size();
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
        pass(m_cursorOffset, *m_cursor);
        skipped.resize(std::min<std::uint64_t>(offset - m_cursorOffset, std::uint64_t{1} << 18U));
        const std::size_t got = m_cursor->read(skipped, {});
        if (got == 0)
            return 0;
        m_cursorOffset += got;
    }
    std::size_t done = 0;
    while (done < into.size()) {
        const std::size_t got = m_cursor->read(into.subspan(done), {});
        if (got == 0)
            break;
        done += got;
        m_cursorOffset += got;
    }
    return done;
}

} // namespace ks
