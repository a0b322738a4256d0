// SPDX-License-Identifier: GPL-3.0-or-later
// Recognises records that say the same as one before them. Most calls of an operator are written alike but for times and
// ids: whoever has taken one apart remembers its text with those words left out, and knows the next one by comparing
// bytes. It is then the same JSON, token by token, but for the words left out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

class SeenRecords
{
public:
    static constexpr std::uint32_t kUnseen = 0xffffffffU;

    // What was remembered of a record of that group whose text stands, but for its words, at the beginning of this one.
    // The text must be readable kPadding bytes beyond its end.
    std::uint32_t find(std::uint32_t group, std::string_view text);

    // `words` of the record, as findWordEnd ends them and from left to right, may be others the next time; behind the
    // last one the record goes on. False: not remembered, because there are too many that differ.
    bool remember(std::uint32_t group, std::string_view record, std::span<const std::string_view> words,
                  std::uint32_t answer);

private:
    static constexpr std::uint32_t kNone = 0; // the node that is none
    static constexpr unsigned kMostTries = 16;
    static constexpr std::size_t kMostNodes = 1U << 16U;
    static constexpr std::size_t kMostText = std::size_t{8} << 20U;

    // A tree of what stands between the words: a piece of text, then a word, then one of the pieces below; or the end.
    struct Node
    {
        std::uint32_t text = 0; // in m_text
        std::uint32_t size = 0;
        std::uint32_t below = kNone; // the first of them, the one used last
        std::uint32_t next = kNone;  // the next one below the same
        std::uint32_t answer = kUnseen;
    };

    template<typename Fits>
    std::uint32_t firstBelow(std::uint32_t &first, Fits fits);
    std::uint32_t add(std::uint32_t &first, std::string_view piece, std::uint32_t answer);

    std::string m_text;
    std::vector<Node> m_nodes = std::vector<Node>(1);
    std::vector<std::uint32_t> m_firstOfGroup;
};

} // namespace ks
