// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/record_templates.h"

#include <algorithm>
#include <utility>

namespace ks {

inline bool RecordTemplates::startsWith(const char *at, const Edge &edge)
{
    return detail::isSame(edge.path.data(), at, edge.pathLength);
}

// Writes every member by itself: copied as a whole, a token just put together would have to wait for its parts.
inline void RecordTemplates::put(Token &token, bool isString, const char *at, const char *end, std::uint8_t flags,
                                 std::uint8_t whole)
{
    token.data = at;
    token.size = static_cast<std::uint32_t>(end - at);
    token.flags = flags;
    token.isString = isString;
    token.whole = whole;
}

// A launch, its arrow, the kernel, the end of the arrow: what came behind such a record comes behind it again.
inline RecordTemplates::Edge *RecordTemplates::firstEdgeAt(const char *at)
{
    Edge *const likely = m_last ? m_last->after : nullptr;
    if (likely && startsWith(at, *likely)) {
        m_last = likely;
        return likely;
    }
    Edge *const edge = edgeAt(m_nodes.front(), at);
    if (edge) {
        if (m_last)
            m_last->after = edge;
        m_last = edge;
    }
    return edge;
}

inline RecordTemplates::Edge *RecordTemplates::edgeAt(Node &node, const char *at)
{
    if (node.edges.empty())
        return nullptr;
    Edge *const usual = node.edges.front();
    return startsWith(at, *usual) ? usual : rareEdgeAt(node, at);
}

RecordTemplates::Edge *RecordTemplates::rareEdgeAt(Node &node, const char *at)
{
    for (std::size_t i = 1; i < node.edges.size(); ++i) {
        Edge *const edge = node.edges[i];
        if (!startsWith(at, *edge))
            continue;
        std::swap(node.edges[i], node.edges[i - 1]); // what is used often moves to the front
        return edge;
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
    std::uint64_t found = 0; // slots
    for (const Edge *edge = firstEdgeAt(at); edge;) {
        for (const Constant &constant : edge->constants)
            put(fields.tokens[constant.slot], constant.isString, at + constant.at, at + constant.at + constant.size,
                constant.flags);
        found |= edge->constantSlots;
        at += edge->pathLength;
        Node *const node = edge->to;
        if (!node->isConstant) {
            std::uint8_t flags = 0;
            switch (node->kind) {
            case RecordShape::Kind::Word: {
                const PlainNumber number = findPlainNumber(at);
                const char *stop = number.end;
                if (stop) {
                    flags = number.whole == 0 ? kIsPlainInteger : 0;
                } else [[unlikely]] {
                    stop = findWordEnd(at);
                    if (stop == at || !JsonCursor::isJsonWord({at, static_cast<std::uint32_t>(stop - at)}))
                        return false; // a repair, to be counted the general way
                }
                put(fields.tokens[node->slot], false, at, stop, flags, number.whole);
                at = stop;
                break;
            }
            case RecordShape::Kind::Text: {
                const char *const close = findStringEnd(at, end, flags);
                if (!close)
                    return false;
                put(fields.tokens[node->slot], true, at, close, flags);
                if (!node->isName)
                    match.stringFlags |= flags;
                at = close;
                break;
            }
            case RecordShape::Kind::Nested:
                if ((*at != '[' && *at != '{') || skipNested(at, end, match.stringFlags) != Skip::Done)
                    return false;
                put(fields.tokens[node->slot], false, nullptr, nullptr, 0);
                break;
            case RecordShape::Kind::End:
                fields.mask = found;
                match.end = at;
                match.phase = node->phase;
                match.category = node->category;
                match.track = node->track;
                return at <= end;
            }
            found |= node->slotBit;
        }
        edge = edgeAt(*node, at);
    }
    return false;
}

// Joins what follows without a choice; constants of keys that nobody asks for are only compared.
void RecordTemplates::setPath(const Node &from, Edge &edge)
{
    edge.path.clear();
    edge.constants.clear();
    edge.constantSlots = 0;
    const auto append = [&](const Node &before, const Edge &next) {
        const bool isOfTrack = before.recordKey == RecordKey::Pid || before.recordKey == RecordKey::Tid;
        if (before.isConstant && before.slotBit != 0 && (!isOfTrack || next.tellsTrack)) {
            const std::string_view value(next.literal.data(), next.valueLength);
            const bool isText = before.kind == RecordShape::Kind::Text;
            const bool isPlainInteger =
                !isText && value.size() <= 16 && value.find_first_not_of("0123456789") == std::string_view::npos;
            edge.constants.push_back({before.slot, static_cast<std::uint8_t>(value.size()),
                                      isPlainInteger ? kIsPlainInteger : std::uint8_t{0}, isText,
                                      static_cast<std::uint16_t>(edge.path.size())});
            edge.constantSlots |= before.slotBit;
        }
        edge.path += next.literal;
        edge.to = next.next;
    };
    append(from, edge);
    while (edge.to->isConstant && edge.to->edges.size() == 1
           && edge.path.size() + edge.to->edges.front()->literal.size() <= kMaxPath)
        append(*edge.to, *edge.to->edges.front());
    edge.pathLength = static_cast<std::uint32_t>(edge.path.size());
    edge.path.resize((edge.path.size() + 15) / 16 * 16);
}

// The edge behind `literal`, which stands behind `node`; made if it is new. Null if there is no room for it.
RecordTemplates::Edge *RecordTemplates::follow(Node &node, std::string_view literal, std::size_t valueLength,
                                               const RecordShape::Value &next)
{
    for (Edge *const edge : node.edges) {
        if (edge->literal == literal && edge->next->kind == next.kind && edge->next->recordKey == next.recordKey
            && edge->next->argKey == next.argKey)
            return edge;
    }
    if (m_nodes.size() >= kMaxNodes || node.edges.size() >= kMaxEdges)
        return nullptr;
    Node &to = m_nodes.emplace_back();
    to.kind = next.kind;
    to.recordKey = next.recordKey;
    to.argKey = next.argKey;
    to.isName = next.recordKey == RecordKey::Name;
    to.isConstant = mostConstants(to) != 0;
    if (next.argKey != ArgKey::Unknown)
        to.slot = static_cast<std::uint8_t>(RecordFields::slotOf(next.argKey));
    else if (next.recordKey != RecordKey::Unknown)
        to.slot = static_cast<std::uint8_t>(RecordFields::slotOf(next.recordKey));
    if (to.slot != kNoSlot)
        to.slotBit = std::uint64_t{1} << to.slot;
    Edge &edge = m_edges.emplace_back();
    edge.literal = literal;
    edge.valueLength = static_cast<std::uint32_t>(valueLength);
    edge.next = &to;
    node.edges.push_back(&edge);
    return &edge;
}

void RecordTemplates::learn(const RecordShape &shape, char phase, std::uint16_t category, std::uint32_t track)
{
    if (!shape.isUsable())
        return;
    Node *node = &m_nodes.front();
    std::vector<std::pair<const Node *, Edge *>> way;
    const char *from = shape.begin(); // behind the value of `node`
    std::string_view value;           // of `node`
    bool isFixedTrack = true;
    const auto step = [&](const char *to, const RecordShape::Value &next) {
        if (node->isConstant) {
            const auto isNew = [&](const Edge *edge) {
                return std::string_view(edge->literal.data(), edge->valueLength) != value;
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
        if (node->recordKey == RecordKey::Pid || node->recordKey == RecordKey::Tid)
            isFixedTrack = isFixedTrack && node->isConstant;
        const std::size_t valueLength = node->isConstant ? value.size() : 0;
        const std::string_view literal(from - valueLength, static_cast<std::size_t>(to - from) + valueLength);
        if (to == from || literal.size() > kMaxLiteral || literal.find('\0') != std::string_view::npos)
            return false;
        Edge *const edge = follow(*node, literal, valueLength, next);
        if (!edge)
            return false;
        way.emplace_back(node, edge);
        node = edge->next;
        from = next.end;
        value = {next.begin, static_cast<std::size_t>(next.end - next.begin)};
        return true;
    };
    const auto walk = [&] {
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
            node->track = isFixedTrack ? track : kNoTrack;
        }
    };
    walk();
    if (!isFixedTrack) {
        for (const auto &[before, edge] : way)
            edge->tellsTrack = true;
    }
    // Everything that changed lies on the way.
    for (const auto &[before, edge] : way)
        setPath(*before, *edge);
}

} // namespace ks
