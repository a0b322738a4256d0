// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/record_templates.h"

#include <algorithm>

namespace ks {

bool RecordTemplates::equals(const Edge &edge, const char *at)
{
    const char *literal = edge.literal.data();
#if defined(__SSE2__)
    std::uint32_t left = edge.length;
    for (;; literal += 16, at += 16, left -= 16) {
        const __m128i wanted = _mm_loadu_si128(reinterpret_cast<const __m128i *>(literal));
        const __m128i found = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
        const auto same = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(wanted, found)));
        if (left <= 16)
            return (~same & ((1U << left) - 1U)) == 0;
        if (same != 0xffffU)
            return false;
    }
#else
    return std::memcmp(literal, at, edge.length) == 0;
#endif
}

RecordTemplates::Edge *RecordTemplates::edgeAt(Node &node, const char *at)
{
    for (std::size_t i = 0; i < node.edges.size(); ++i) {
        if (!equals(node.edges[i], at))
            continue;
        if (i != 0)
            std::swap(node.edges[i], node.edges[i - 1]); // what is used often moves to the front
        return &node.edges[i != 0 ? i - 1 : 0];
    }
    return nullptr;
}

bool RecordTemplates::match(const char *at, const char *end, RecordFields &fields, Match &match)
{
    match.stringFlags = 0;
    for (Node *node = &m_nodes.front();;) {
        const Edge *edge = edgeAt(*node, at);
        if (!edge)
            return false;
        at += edge->length;
        node = edge->to;
        Token token;
        switch (node->kind) {
        case RecordShape::Kind::End:
            match.end = at;
            match.phase = node->phase;
            match.category = node->category;
            return at <= end;
        case RecordShape::Kind::Text: {
            std::uint8_t flags = 0;
            const char *const close = findStringEnd(at, end, flags);
            if (!close)
                return false;
            token = {at, static_cast<std::uint32_t>(close - at), flags, true};
            if (node->recordKey != RecordKey::Name)
                match.stringFlags |= flags;
            at = close;
            break;
        }
        case RecordShape::Kind::Word: {
            const char *const stop = findWordEnd(at);
            if (stop == at || stop >= end)
                return false;
            token = {at, static_cast<std::uint32_t>(stop - at), 0, false};
            if (!JsonCursor::isJsonWord(token))
                return false; // a repair, to be counted the general way
            at = stop;
            break;
        }
        case RecordShape::Kind::Nested:
            if ((*at != '[' && *at != '{') || skipNested(at, end, match.stringFlags) != Skip::Done)
                return false;
            break;
        }
        if (node->argKey != ArgKey::Unknown)
            fields.set(node->argKey, token);
        else if (node->recordKey != RecordKey::Unknown)
            fields.set(node->recordKey, token);
    }
}

void RecordTemplates::learn(const RecordShape &shape, char phase, std::uint16_t category)
{
    if (!shape.isUsable())
        return;
    Node *node = &m_nodes.front();
    const char *from = shape.begin();
    const auto step = [&](const char *to, const RecordShape::Value &value) {
        const auto length = static_cast<std::size_t>(to - from);
        const std::string_view literal(from, length);
        if (length == 0 || length > kMaxLiteral || literal.find('\0') != std::string_view::npos)
            return false;
        const auto same = [&](const Edge &edge) {
            return std::string_view(edge.literal.data(), edge.length) == literal && edge.to->kind == value.kind
                   && edge.to->recordKey == value.recordKey && edge.to->argKey == value.argKey;
        };
        const auto known = std::find_if(node->edges.begin(), node->edges.end(), same);
        if (known != node->edges.end()) {
            node = known->to;
        } else {
            if (m_nodes.size() >= kMaxNodes || node->edges.size() >= kMaxEdges)
                return false;
            Node &next = m_nodes.emplace_back();
            next.kind = value.kind;
            next.recordKey = value.recordKey;
            next.argKey = value.argKey;
            Edge edge{std::string(literal), static_cast<std::uint32_t>(length), &next};
            edge.literal.resize((length + 15) / 16 * 16);
            node->edges.push_back(std::move(edge));
            node = &next;
        }
        from = value.end;
        return true;
    };
    for (const RecordShape::Value &value : shape.values()) {
        const bool isPartOfShape = value.recordKey == RecordKey::Phase || value.recordKey == RecordKey::Category;
        if (!isPartOfShape && !step(value.begin, value))
            return;
    }
    RecordShape::Value end;
    end.end = shape.end();
    end.kind = RecordShape::Kind::End;
    if (step(shape.end(), end)) {
        node->phase = phase;
        node->category = category;
    }
}

} // namespace ks
