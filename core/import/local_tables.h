// SPDX-License-Identifier: GPL-3.0-or-later
// What one worker has met: names, categories, tracks (pid, tid) and odd ids, as small local numbers. Merged into the trace's own numbers
// after all text is read, so the workers share nothing while they scan.
#pragma once

#include "core/base/hash.h"
#include "core/base/json_cursor.h"
#include "core/import/event_batch.h"
#include "core/import/record_templates.h"
#include "core/index/file_numbers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ks {

// Interns byte strings by their raw bytes (about 25 ns at a few thousand distinct ones). Ids count from 0.
class LocalPool
{
public:
    LocalPool() { m_slots.resize(kFirstSlots); }

    // Repairs of the strings of this pool, by kind; see Entry::repairs.
    static constexpr std::uint8_t kControls = 1;
    static constexpr std::uint8_t kBadEscapes = 2;
    static constexpr std::uint8_t kBadUtf8 = 4;

    struct Entry
    {
        std::string_view text; // repaired and unescaped
        std::uint8_t repairs = 0;
    };

    // Up to 16 bytes behind the token are read.
    std::uint32_t intern(const Token &token)
    {
        const std::string_view raw = token.text();
        const std::uint64_t hash = hashBytes(raw, m_seed);
        const std::size_t mask = m_slots.size() - 1;
        for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
            const Slot &slot = m_slots[at];
            if (slot.id == kEmpty)
                return add(raw, hash, at);
            if (slot.tag != tagOf(hash))
                continue;
            const std::string_view known = m_raw[slot.id];
            if (known.size() == raw.size() && (raw.empty() || detail::isSame(known.data(), raw.data(), raw.size())))
                return slot.id;
        }
    }

    Entry operator[](std::uint32_t id) const
    {
        if (m_cleaned.empty()) [[likely]]
            return {m_raw[id], 0};
        const auto cleaned = m_cleaned.find(id);
        return cleaned == m_cleaned.end() ? Entry{m_raw[id], 0} : cleaned->second;
    }
    std::size_t size() const { return m_raw.size(); }
    bool hasRepairs() const { return m_hasRepairs; }

private:
    static constexpr std::uint32_t kEmpty = 0xffffffffU;
    static constexpr std::size_t kFirstSlots = 1U << 10U;

    struct Slot
    {
        std::uint32_t id = kEmpty;
        std::uint32_t tag = 0;
    };

    static std::uint32_t tagOf(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }
    std::uint32_t add(std::string_view raw, std::uint64_t hash, std::size_t slot);
    std::string_view keep(std::string_view bytes);

    const std::uint64_t m_seed = processHashSeed();
    std::vector<Slot> m_slots;
    std::vector<std::string_view> m_raw;
    std::unordered_map<std::uint32_t, Entry> m_cleaned; // those whose text is not what stands in the file
    bool m_hasRepairs = false;                          // of any
    std::vector<std::unique_ptr<char[]>> m_blocks;
    char *m_free = nullptr;
    std::size_t m_left = 0;
};

// Ids of flows, correlations and the like: a small number stands for itself, everything else is interned by its text.
class LocalIds
{
public:
    static constexpr std::uint32_t kInterned = FileNumbers::kInterned;
    static constexpr std::uint32_t kNone = FileNumbers::kNoId;

    // Up to nine digits, no leading zero: below 2^31 and the same number however it is written.
    std::uint32_t idOf(const Token &token)
    {
        const bool isSmall = (token.flags & kIsPlainInteger) != 0 && token.size <= 9;
        if (isSmall && (*token.data != '0' || token.size == 1))
            return static_cast<std::uint32_t>(plainInteger(token.text()));
        return lookUp(token);
    }
    const LocalPool &pool() const { return m_pool; }

private:
    std::uint32_t lookUp(const Token &token);

    LocalPool m_pool;
};

// (pid, tid) pairs.
class LocalTracks
{
public:
    struct Track
    {
        std::uint32_t pid = 0; // in texts()
        std::uint32_t tid = 0;
    };

    std::uint32_t trackOf(const Token &pid, const Token &tid)
    {
        if (m_last < m_tracks.size() && pid.text() == m_lastPid && tid.text() == m_lastTid)
            return m_last;
        return lookUp(pid, tid);
    }
    const LocalPool &texts() const { return m_texts; }
    const std::vector<Track> &tracks() const { return m_tracks; }

private:
    std::uint32_t lookUp(const Token &pid, const Token &tid);

    LocalPool m_texts;
    LocalPool m_keys; // "pid id, tid id" as 8 bytes
    std::vector<Track> m_tracks;
    std::uint32_t m_last = 0xffffffffU;
    std::string m_lastPid, m_lastTid;
};

// Where events stand: pairs of a track and a category.
class LocalPlaces
{
public:
    struct Place
    {
        std::uint32_t track = 0;
        std::uint16_t category = 0;
    };

    std::uint32_t placeOf(std::uint32_t track, std::uint16_t category)
    {
        const std::uint64_t key = (std::uint64_t{track} << 16U) | category;
        const Recent &recent = m_recent[recentOf(key)];
        return recent.key == key ? recent.place : lookUp(key);
    }
    const std::vector<Place> &places() const { return m_places; }

private:
    struct Recent
    {
        std::uint64_t key = ~std::uint64_t{0};
        std::uint32_t place = 0;
    };
    static constexpr std::size_t kRecent = 64; // a power of two

    static std::size_t recentOf(std::uint64_t key) { return (key ^ (key >> 13U)) % kRecent; }
    std::uint32_t lookUp(std::uint64_t key);

    std::array<Recent, kRecent> m_recent;
    std::unordered_map<std::uint64_t, std::uint32_t, NumberHash> m_numbers;
    std::vector<Place> m_places;
};

struct LocalTables
{
    LocalPool names;
    LocalPool categories;
    LocalTracks tracks;
    LocalPlaces places;
    LocalIds ids;
    RecordTemplates templates;
    BatchStores stores; // of its batches

    std::uint16_t categoryOf(const Token &token)
    {
        constexpr std::uint32_t kMost = 0xffff; // all further categories share the last number
        return static_cast<std::uint16_t>(std::min(categories.intern(token), kMost));
    }
};

} // namespace ks
