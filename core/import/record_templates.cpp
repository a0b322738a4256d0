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

// Writes every member by itself: copied as a whole, a token just put together would have to wait for its parts.
void RecordTemplates::put(RecordFields &fields, const Node &node, const char *at, std::uint32_t size,
                          std::uint8_t flags)
{
    Token &token = fields.place(node.slot);
    token.data = at;
    token.size = size;
    token.flags = flags;
    token.isString = node.kind == RecordShape::Kind::Text;
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

// How many values a node may have before it is none of these constants; 0: it is not expected to be one.
std::size_t RecordTemplates::mostConstants(const Node &node)
{
    if (node.kind != RecordShape::Kind::Word && node.kind != RecordShape::Kind::Text)
        return 0;
    constexpr std::size_t kThreads = 8; // of the few that hold most events
    constexpr std::size_t kFew = 3;
    switch (node.recordKey) {
    case RecordKey::Pid:
    case RecordKey::Tid: return kThreads;
    case RecordKey::BindPoint:
    case RecordKey::Scope: return kFew;
    case RecordKey::Unknown: break;
    default: return 0;
    }
    switch (node.argKey) {
    case ArgKey::Device:
    case ArgKey::Stream:
    case ArgKey::ForwardThread:
    case ArgKey::DeviceType:
    case ArgKey::DeviceId:
    case ArgKey::Unknown: return kFew;
    default: return 0;
    }
}

bool RecordTemplates::match(const char *at, const char *end, RecordFields &fields, Match &match)
{
    match.stringFlags = 0;
    for (Node *node = &m_nodes.front();;) {
        const Edge *edge = edgeAt(*node, at);
        if (!edge)
            return false;
        if (node->isConstant)
            put(fields, *node, at, edge->valueLength, 0);
        at += edge->length;
        node = edge->to;
        if (node->isConstant)
            continue;
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
            put(fields, *node, at, static_cast<std::uint32_t>(close - at), flags);
            if (node->recordKey != RecordKey::Name)
                match.stringFlags |= flags;
            at = close;
            break;
        }
        case RecordShape::Kind::Word: {
            const char *const stop = findWordEnd(at);
            if (stop == at || stop >= end)
                return false;
            const auto length = static_cast<std::uint32_t>(stop - at);
            if (!JsonCursor::isJsonWord({at, length}))
                return false; // a repair, to be counted the general way
            put(fields, *node, at, length, 0);
            at = stop;
            break;
        }
        case RecordShape::Kind::Nested:
            if ((*at != '[' && *at != '{') || skipNested(at, end, match.stringFlags) != Skip::Done)
                return false;
            put(fields, *node, nullptr, 0, 0);
            break;
        }
    }
}

// The node behind `literal`, which stands behind `node`; made if it is new. Null if there is no room for it.
RecordTemplates::Node *RecordTemplates::follow(Node &node, std::string_view literal, std::size_t valueLength,
                                               const RecordShape::Value &next)
{
    for (const Edge &edge : node.edges) {
        if (std::string_view(edge.literal.data(), edge.length) == literal && edge.to->kind == next.kind
            && edge.to->recordKey == next.recordKey && edge.to->argKey == next.argKey)
            return edge.to;
    }
    if (m_nodes.size() >= kMaxNodes || node.edges.size() >= kMaxEdges)
        return nullptr;
    Node &to = m_nodes.emplace_back();
    to.kind = next.kind;
    to.recordKey = next.recordKey;
    to.argKey = next.argKey;
    to.slot = static_cast<std::uint8_t>(next.argKey != ArgKey::Unknown ? RecordFields::slotOf(next.argKey)
                                                                       : RecordFields::slotOf(next.recordKey));
    to.isConstant = mostConstants(to) != 0;
    Edge edge{std::string(literal), static_cast<std::uint32_t>(literal.size()), static_cast<std::uint32_t>(valueLength),
              &to};
    edge.literal.resize((literal.size() + 15) / 16 * 16);
    node.edges.push_back(std::move(edge));
    return &to;
}

void RecordTemplates::learn(const RecordShape &shape, char phase, std::uint16_t category)
{
    if (!shape.isUsable())
        return;
    Node *node = &m_nodes.front();
    const char *from = shape.begin(); // behind the value of `node`
    std::string_view value;           // of `node`
    const auto step = [&](const char *to, const RecordShape::Value &next) {
        if (node->isConstant) {
            const auto isNew = [&](const Edge &edge) {
                return std::string_view(edge.literal.data(), edge.valueLength) != value;
            };
            const bool isPlain = value.size() <= kMaxLiteral / 8 && std::all_of(value.begin(), value.end(), [](char c) {
                                     return static_cast<unsigned char>(c) >= ' ' && c != '\\';
                                 });
            const bool isTooMany = node->edges.size() >= mostConstants(*node)
                                   && std::all_of(node->edges.begin(), node->edges.end(), isNew);
            if (!isPlain || isTooMany) {
                node->isConstant = false; // what followed is learned again
                node->edges.clear();
            }
        }
        const std::size_t valueLength = node->isConstant ? value.size() : 0;
        const std::string_view literal(from - valueLength, static_cast<std::size_t>(to - from) + valueLength);
        if (to == from || literal.size() > kMaxLiteral || literal.find('\0') != std::string_view::npos)
            return false;
        node = follow(*node, literal, valueLength, next);
        if (!node)
            return false;
        from = next.end;
        value = {next.begin, static_cast<std::size_t>(next.end - next.begin)};
        return true;
    };
    for (const RecordShape::Value &next : shape.values()) {
        const bool isPartOfShape = next.recordKey == RecordKey::Phase || next.recordKey == RecordKey::Category;
        if (!isPartOfShape && !step(next.begin, next))
            return;
    }
    RecordShape::Value last;
    last.begin = last.end = shape.end();
    last.kind = RecordShape::Kind::End;
    if (step(shape.end(), last)) {
        node->phase = phase;
        node->category = category;
    }
}

} // namespace ks
