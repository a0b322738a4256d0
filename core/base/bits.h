// SPDX-License-Identifier: GPL-3.0-or-later
// A bit for each of many things, 64 in a word; those of the last word beyond the end are 0.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ks {

class Bits
{
public:
    static constexpr std::size_t kWord = 64;

    Bits() = default;
    explicit Bits(std::size_t size)
        : m_size(size)
        , m_words((size + kWord - 1) / kWord, 0)
    {}

    std::size_t size() const { return m_size; }
    bool operator[](std::size_t i) const { return (m_words[i / kWord] >> (i % kWord) & 1U) != 0; }
    void set(std::size_t i) { m_words[i / kWord] |= std::uint64_t{1} << (i % kWord); }
    void setAll(std::size_t first, std::size_t end) // [first, end)
    {
        for (; first < end && first % kWord != 0; ++first)
            set(first);
        for (; first + kWord <= end; first += kWord)
            m_words[first / kWord] = ~std::uint64_t{0};
        for (; first < end; ++first)
            set(first);
    }
    std::size_t count() const
    {
        std::size_t sum = 0;
        for (const std::uint64_t word : m_words)
            sum += static_cast<std::size_t>(std::popcount(word));
        return sum;
    }
    std::span<const std::uint64_t> words() const { return m_words; }
    std::span<std::uint64_t> words() { return m_words; }
    std::vector<std::uint64_t> takeWords() && { return std::move(m_words); }

    Bits &operator&=(const Bits &other)
    {
        return combine(other, [](auto a, auto b) { return a & b; });
    }
    Bits &operator|=(const Bits &other)
    {
        return combine(other, [](auto a, auto b) { return a | b; });
    }
    Bits &operator-=(const Bits &other)
    {
        return combine(other, [](auto a, auto b) { return a & ~b; });
    }
    friend bool operator==(const Bits &, const Bits &) = default;

private:
    // Both of one size.
    template<typename Join>
    Bits &combine(const Bits &other, Join join)
    {
        for (std::size_t w = 0; w < m_words.size(); ++w)
            m_words[w] = join(m_words[w], other.m_words[w]);
        return *this;
    }

    std::size_t m_size = 0;
    std::vector<std::uint64_t> m_words;
};

} // namespace ks
