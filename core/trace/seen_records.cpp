// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/seen_records.h"

#include "core/base/text_scan.h"

#include <cstring>

namespace ks {

// The first of some siblings that fits; it comes to the front, so that what is frequent is found at once.
template<typename Fits>
std::uint32_t SeenRecords::firstBelow(std::uint32_t &first, Fits fits)
{
    std::uint32_t *link = &first;
    for (unsigned tries = 0; *link != kNone && tries < kMostTries; ++tries) {
        const std::uint32_t found = *link;
        Node &node = m_nodes[found];
        if (fits(node)) {
            if (tries != 0) {
                *link = node.next;
                node.next = first;
                first = found;
            }
            return found;
        }
        link = &node.next;
    }
    return kNone;
}

std::uint32_t SeenRecords::find(std::uint32_t group, std::string_view text)
{
    if (group >= m_firstOfGroup.size())
        return kUnseen;
    const char *at = text.data();
    const char *const end = at + text.size();
    for (std::uint32_t *first = &m_firstOfGroup[group];;) {
        const std::uint32_t found = firstBelow(*first, [&](const Node &node) {
            return node.size <= static_cast<std::size_t>(end - at)
                   && std::memcmp(m_text.data() + node.text, at, node.size) == 0;
        });
        if (found == kNone)
            return kUnseen;
        Node &node = m_nodes[found];
        if (node.answer != kUnseen)
            return node.answer;
        const char *const word = at + node.size;
        at = findWordEnd(word);
        if (at == word || at >= end)
            return kUnseen;
        first = &node.below;
    }
}

bool SeenRecords::remember(std::uint32_t group, std::string_view record, std::span<const std::string_view> words,
                           std::uint32_t answer)
{
    if (group >= m_firstOfGroup.size())
        m_firstOfGroup.resize(std::size_t{group} + 1, kNone);
    const std::size_t needed = words.size() + 1;
    if (m_nodes.size() + needed > kMostNodes || m_text.size() + record.size() > kMostText)
        return false;
    m_nodes.reserve(m_nodes.size() + needed); // so that references into it stay
    std::uint32_t *first = &m_firstOfGroup[group];
    const char *at = record.data();
    for (const std::string_view word : words) {
        const std::uint32_t node = add(*first, {at, static_cast<std::size_t>(word.data() - at)}, kUnseen);
        if (node == kNone)
            return false;
        first = &m_nodes[node].below;
        at = word.data() + word.size();
    }
    return add(*first, {at, static_cast<std::size_t>(record.data() + record.size() - at)}, answer) != kNone;
}

// The node of that piece, a new one if there is none; kNone if there are too many already.
std::uint32_t SeenRecords::add(std::uint32_t &first, std::string_view piece, std::uint32_t answer)
{
    unsigned siblings = 0;
    const std::uint32_t known = firstBelow(first, [&](const Node &node) {
        ++siblings;
        return node.answer == answer && std::string_view(m_text).substr(node.text, node.size) == piece;
    });
    if (known != kNone || siblings == kMostTries)
        return known;
    const auto node = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back(
        {static_cast<std::uint32_t>(m_text.size()), static_cast<std::uint32_t>(piece.size()), kNone, first, answer});
    m_text += piece;
    return first = node;
}

} // namespace ks
