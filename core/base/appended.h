// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that are filled one after another by appending, then only read. Their storage is cut from pieces of up to 2 MB that many arrays
// share, so that filling a thousand of them costs neither growing nor page faults; a piece is given back with the last array in it.
#pragma once

#include "core/base/large_memory.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>

namespace ks {

template<typename T>
class Appended;

// The pieces of one thread. Must outlive the filling of its arrays, not the arrays.
template<typename T>
class AppendStore
{
    friend class Appended<T>;

    static constexpr std::size_t kFirstPiece = std::size_t{32} << 10U;

    struct Piece
    {
        explicit Piece(std::size_t bytesWanted)
            : bytes(bytesWanted)
            , memory(static_cast<T *>(bytes >= kHugePage ? allocateLarge(bytes) : ::operator new(bytes)))
        {}
        ~Piece()
        {
            if (bytes >= kHugePage)
                freeLarge(memory, bytes);
            else
                ::operator delete(memory);
        }
        Piece(const Piece &) = delete;
        Piece &operator=(const Piece &) = delete;

        T *end() const { return memory + bytes / sizeof(T); }

        const std::size_t bytes;
        T *const memory;
    };

    // A piece with room for `count` more; larger from time to time.
    std::shared_ptr<Piece> next(std::size_t count)
    {
        m_bytes = m_bytes == 0 ? kFirstPiece : std::min(m_bytes * 2, kHugePage);
        const std::size_t needed = count * sizeof(T);
        return std::make_shared<Piece>(needed <= m_bytes ? m_bytes : (needed + kHugePage - 1) / kHugePage * kHugePage);
    }

    std::shared_ptr<Piece> m_piece; // that the next array begins in
    T *m_free = nullptr;
    std::size_t m_bytes = 0; // of the last piece
};

template<typename T>
class Appended
{
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Appended() = default;
    explicit Appended(AppendStore<T> &store)
        : m_store(&store)
    {}
    Appended(Appended &&other) noexcept { swap(other); }
    Appended &operator=(Appended &&other) noexcept
    {
        Appended taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~Appended() = default;

    void push_back(const T &value)
    {
        if (m_end == m_limit) [[unlikely]]
            grow(value);
        else
            *m_end++ = value;
    }
    // No more will be appended: the next array of the store begins behind this one.
    void close()
    {
        if (m_store && m_piece) {
            m_store->m_piece = m_piece;
            m_store->m_free = m_end;
        }
        m_limit = m_end;
        m_store = nullptr;
    }

    std::size_t size() const { return static_cast<std::size_t>(m_end - m_begin); }
    bool empty() const { return m_begin == m_end; }
    T *begin() { return m_begin; }
    T *end() { return m_end; }
    const T *begin() const { return m_begin; }
    const T *end() const { return m_end; }
    T &operator[](std::size_t i) { return m_begin[i]; }
    const T &operator[](std::size_t i) const { return m_begin[i]; }
    T &back() { return m_end[-1]; }
    const T &back() const { return m_end[-1]; }
    const T &front() const { return *m_begin; }

private:
    using Store = AppendStore<T>;

    void grow(T value) // may stand in this array
    {
        if (m_store && !m_piece && m_store->m_piece && m_store->m_free != m_store->m_piece->end()) {
            m_piece = std::move(m_store->m_piece);
            m_begin = m_end = m_store->m_free;
            m_limit = m_piece->end();
        } else {
            Store own;
            const std::size_t count = size();
            const auto larger = (m_store ? m_store : &own)->next(std::max<std::size_t>(count * 2, 16));
            if (count != 0)
                std::memcpy(static_cast<void *>(larger->memory), m_begin, count * sizeof(T));
            m_piece = larger;
            m_begin = larger->memory;
            m_end = m_begin + count;
            m_limit = larger->end();
        }
        *m_end++ = value;
    }
    void swap(Appended &other) noexcept
    {
        std::swap(m_begin, other.m_begin);
        std::swap(m_end, other.m_end);
        std::swap(m_limit, other.m_limit);
        std::swap(m_store, other.m_store);
        std::swap(m_piece, other.m_piece);
    }

    T *m_begin = nullptr;
    T *m_end = nullptr;
    T *m_limit = nullptr;
    Store *m_store = nullptr;
    std::shared_ptr<typename Store::Piece> m_piece;
};

} // namespace ks
