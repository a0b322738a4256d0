// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/name_pool.h"

#include "core/base/hash.h"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace ks {
namespace {

// Text lives in an arena of blocks that never move; the id -> text table in chunks that never move either, so that text() needs no lock.
class NamePool
{
public:
    NamePool() { m_slots.resize(1U << 12U, kEmpty); }

    NameId intern(std::string_view text)
    {
        const std::lock_guard lock(m_mutex);
        return internLocked(text);
    }

    void internMany(std::span<const std::string_view> texts, std::span<NameId> ids)
    {
        const std::lock_guard lock(m_mutex);
        for (std::size_t i = 0; i < texts.size(); ++i)
            ids[i] = internLocked(texts[i]);
    }

    NameId find(std::string_view text)
    {
        const std::lock_guard lock(m_mutex);
        const std::uint32_t found = m_slots[slotOf(text)];
        return found == kEmpty ? kNoName : NameId{found};
    }

    std::string_view text(NameId id) const
    {
        if (id == kNoName)
            return {};
        const std::size_t i = index(id);
        return m_chunks[i >> kChunkBits].load(std::memory_order_acquire)[i & (kChunkSize - 1)];
    }

private:
    static constexpr std::uint32_t kEmpty = 0xffffffffU;
    static constexpr std::size_t kChunkBits = 16;
    static constexpr std::size_t kChunkSize = std::size_t{1} << kChunkBits;
    static constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;

    std::size_t slotOf(std::string_view wanted) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t slot = hashBytes(wanted, m_seed) & mask;
        while (m_slots[slot] != kEmpty && text(NameId{m_slots[slot]}) != wanted)
            slot = (slot + 1) & mask;
        return slot;
    }

    NameId internLocked(std::string_view wanted)
    {
        std::size_t slot = slotOf(wanted);
        if (m_slots[slot] != kEmpty)
            return NameId{m_slots[slot]};
        if (m_count * 2 >= m_slots.size()) {
            grow();
            slot = slotOf(wanted);
        }
        const std::size_t chunk = m_count >> kChunkBits;
        if (m_chunks[chunk].load(std::memory_order_relaxed) == nullptr) {
            m_chunkOwners.push_back(std::make_unique<std::string_view[]>(kChunkSize));
            m_chunks[chunk].store(m_chunkOwners.back().get(), std::memory_order_release);
        }
        m_chunkOwners[chunk][m_count & (kChunkSize - 1)] = copyToArena(wanted);
        m_slots[slot] = static_cast<std::uint32_t>(m_count);
        return NameId{static_cast<std::uint32_t>(m_count++)};
    }

    void grow()
    {
        std::vector<std::uint32_t> old(m_slots.size() * 2, kEmpty);
        old.swap(m_slots);
        for (const std::uint32_t id : old) {
            if (id != kEmpty)
                m_slots[slotOf(text(NameId{id}))] = id;
        }
    }

    std::string_view copyToArena(std::string_view wanted)
    {
        if (wanted.size() > m_left) {
            m_left = std::max(kBlockBytes, wanted.size());
            m_blocks.push_back(std::make_unique<char[]>(m_left));
            m_free = m_blocks.back().get();
        }
        if (!wanted.empty())
            std::memcpy(m_free, wanted.data(), wanted.size());
        const std::string_view copy(m_free, wanted.size());
        m_free += wanted.size();
        m_left -= wanted.size();
        return copy;
    }

    std::mutex m_mutex;
    const std::uint64_t m_seed = processHashSeed();
    std::vector<std::uint32_t> m_slots;
    std::size_t m_count = 0;
    std::array<std::atomic<std::string_view *>, kChunkSize> m_chunks{};
    std::vector<std::unique_ptr<std::string_view[]>> m_chunkOwners;
    std::vector<std::unique_ptr<char[]>> m_blocks;
    char *m_free = nullptr;
    std::size_t m_left = 0;
};

NamePool &pool()
{
    static NamePool instance;
    return instance;
}

} // namespace

NameId internName(std::string_view text)
{
    return pool().intern(text);
}

void internNames(std::span<const std::string_view> texts, std::span<NameId> ids)
{
    pool().internMany(texts, ids);
}

std::string_view nameText(NameId id)
{
    return pool().text(id);
}

NameId findName(std::string_view text)
{
    return pool().find(text);
}

} // namespace ks
