// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/local_tables.h"

#include <algorithm>
#include <array>

namespace ks {
namespace {

bool isPlainAscii(std::string_view bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 && byte < 0x80 && c != '\\';
    });
}

} // namespace

std::uint32_t LocalPool::add(std::string_view raw, std::uint64_t hash, std::size_t slot)
{
    const auto id = static_cast<std::uint32_t>(m_raw.size());
    m_raw.push_back(keep(raw));
    if (!isPlainAscii(raw)) {
        const CleanText clean = cleanText(raw);
        const auto repairs =
            static_cast<std::uint8_t>((clean.hadControls ? kControls : 0) | (clean.hadBadEscapes ? kBadEscapes : 0)
                                      | (clean.hadBadUtf8 ? kBadUtf8 : 0));
        if (repairs != 0 || clean.text != raw)
            m_cleaned.emplace(id, Entry{keep(clean.text), repairs});
        m_hasRepairs = m_hasRepairs || repairs != 0;
    }
    m_slots[slot] = {id, tagOf(hash)};
    if (m_raw.size() * 2 > m_slots.size()) {
        std::vector<Slot> larger(m_slots.size() * 4);
        const std::size_t mask = larger.size() - 1;
        for (std::uint32_t i = 0; i < m_raw.size(); ++i) {
            const std::uint64_t rehashed = hashBytes(m_raw[i], m_seed);
            std::size_t at = rehashed & mask;
            while (larger[at].id != kEmpty)
                at = (at + 1) & mask;
            larger[at] = {i, tagOf(rehashed)};
        }
        m_slots.swap(larger);
    }
    return id;
}

std::string_view LocalPool::keep(std::string_view bytes)
{
    constexpr std::size_t kBlockBytes = std::size_t{1} << 16U;
    constexpr std::size_t kReadBehind = 16;
    if (bytes.size() > m_left) {
        m_left = std::max(kBlockBytes, bytes.size());
        m_blocks.push_back(std::make_unique<char[]>(m_left + kReadBehind));
        m_free = m_blocks.back().get();
    }
    std::copy(bytes.begin(), bytes.end(), m_free);
    const std::string_view kept(m_free, bytes.size());
    m_free += bytes.size();
    m_left -= bytes.size();
    return kept;
}

std::uint32_t LocalIds::lookUp(const Token &token)
{
    const std::string_view text = token.text();
    if (!text.empty() && text.size() <= 9 && (text[0] != '0' || text.size() == 1)) {
        std::uint32_t value = 0;
        for (const char c : text) {
            if (c < '0' || c > '9')
                return kInterned | m_pool.intern(token);
            value = value * 10 + static_cast<std::uint32_t>(c - '0');
        }
        return value;
    }
    return kInterned | m_pool.intern(token);
}

std::uint32_t LocalTracks::lookUp(const Token &pid, const Token &tid)
{
    const std::array<std::uint32_t, 2> key = {m_texts.intern(pid), m_texts.intern(tid)};
    std::array<char, sizeof key + 16> bytes{};
    std::memcpy(bytes.data(), key.data(), sizeof key);
    m_last = m_keys.intern(Token{bytes.data(), sizeof key});
    if (m_last == m_tracks.size())
        m_tracks.push_back({key[0], key[1]});
    m_lastPid = pid.text();
    m_lastTid = tid.text();
    return m_last;
}

std::uint32_t LocalPlaces::lookUp(std::uint64_t key)
{
    const auto [entry, isNew] = m_numbers.try_emplace(key, static_cast<std::uint32_t>(m_places.size()));
    if (isNew)
        m_places.push_back({static_cast<std::uint32_t>(key >> 16U), static_cast<std::uint16_t>(key)});
    m_recent[recentOf(key)] = {key, entry->second};
    return entry->second;
}

} // namespace ks
