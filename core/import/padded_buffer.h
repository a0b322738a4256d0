// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes with kPadding zeros behind them, grown without initialising. Reused from block to block.
#pragma once

#include "core/base/text_scan.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace ks {

class PaddedBuffer
{
public:
    std::size_t size() const { return m_size; }
    std::string_view text() const { return {m_bytes.get(), m_size}; }

    void assign(std::string_view bytes)
    {
        m_size = 0;
        append(bytes);
    }
    void append(std::string_view bytes)
    {
        const std::span<char> room = extend(bytes.size());
        if (!bytes.empty())
            std::memcpy(room.data(), bytes.data(), bytes.size());
    }
    // Room for `count` more bytes at the end; call shrink() if fewer were written.
    std::span<char> extend(std::size_t count)
    {
        reserve(m_size + count);
        const std::span<char> room(m_bytes.get() + m_size, count);
        m_size += count;
        pad();
        return room;
    }
    void shrink(std::size_t size)
    {
        m_size = size;
        reserve(size);
        pad();
    }

private:
    void reserve(std::size_t size)
    {
        if (m_bytes && size <= m_capacity)
            return;
        const std::size_t capacity = std::max(size, m_capacity + m_capacity / 2);
        auto larger = std::make_unique_for_overwrite<char[]>(capacity + kPadding);
        if (m_size != 0)
            std::memcpy(larger.get(), m_bytes.get(), std::min(m_size, size));
        m_bytes = std::move(larger);
        m_capacity = capacity;
    }
    void pad() { std::memset(m_bytes.get() + m_size, 0, kPadding); }

    std::unique_ptr<char[]> m_bytes;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

} // namespace ks
