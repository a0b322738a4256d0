// SPDX-License-Identifier: GPL-3.0-or-later
// Exporters write the same few shapes of record over and over: between the values stand the same bytes every time. A tree of these bytes,
// learned from the records that were read the general way, lets the next record of a known shape be read by comparing 16 bytes at a time
// and looking only at its values. Phase and category count as part of the shape, and so does a value that was the same so far (a process
// id, say): it is compared like the bytes around it, until it turns out to have many values. What does not fit is read the general way,
// so the result is the same with and without; layout (pretty, compact) does not matter.
#pragma once

#include "core/base/json_cursor.h"
#include "core/import/record_fields.h"

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace ks {

// How one record was read the general way: its values from left to right. Strings without their quotes.
class RecordShape
{
public:
    enum class Kind : std::uint8_t { Text, Word, Nested, End };

    struct Value
    {
        const char *begin = nullptr;
        const char *end = nullptr;
        Kind kind = Kind::Word;
        RecordKey recordKey = RecordKey::Unknown;
        ArgKey argKey = ArgKey::Unknown;
    };

    void start(const char *record)
    {
        m_begin = record;
        m_count = 0;
        m_isUsable = true;
    }
    void add(const Value &value)
    {
        if (m_count == m_values.size())
            m_isUsable = false;
        else
            m_values[m_count++] = value;
    }
    void giveUp() { m_isUsable = false; }
    void finish(const char *end) { m_end = end; }

    bool isUsable() const { return m_isUsable; }
    std::span<const Value> values() const { return std::span(m_values).first(m_count); }
    const char *begin() const { return m_begin; }
    const char *end() const { return m_end; }

private:
    const char *m_begin = nullptr;
    const char *m_end = nullptr;
    std::array<Value, 48> m_values;
    std::size_t m_count = 0;
    bool m_isUsable = false;
};

class RecordTemplates
{
public:
    static constexpr std::uint32_t kNoTrack = 0xffffffffU;

    struct Match
    {
        const char *end = nullptr; // behind the record
        char phase = '\0';
        std::uint16_t category = 0;
        std::uint32_t track = kNoTrack; // kNoTrack: as the fields tell
        std::uint8_t stringFlags = 0;   // of all strings but the name
    };

    // Reads the record at `at` if its shape is known; fills `fields` (but for phase and category, and for pid and tid where the track is known).
    // False: read it the general way.
    bool match(const char *at, const char *end, RecordFields &fields, Match &match);

    // Remembers a shape; `track` is that of its pid and tid. Bounded: odd files stop being learned, not read.
    void learn(const RecordShape &shape, char phase, std::uint16_t category, std::uint32_t track);

private:
    struct Node;
    // A constant value inside a literal.
    struct Constant
    {
        std::uint8_t slot = 0; // of its key in RecordFields
        std::uint8_t size = 0;
        std::uint8_t flags = 0;
        bool isString = false;
        std::uint16_t at = 0; // in the literal
    };
    struct Edge
    {
        std::string literal;           // from the value before (of a constant node: with it) to the next
        std::uint32_t valueLength = 0; // of a constant node's value, which the literal begins with
        Node *next = nullptr;
        // The same with all that follows as long as there is but one way to go on.
        std::string path; // padded to whole 16 bytes
        std::uint32_t pathLength = 0;
        std::vector<Constant> constants;
        std::uint64_t constantSlots = 0; // a bit for each
        Node *to = nullptr;
        Edge *after = nullptr;   // what begins a record: the beginning of that which came behind the last such record
        bool tellsTrack = false; // leads to a record whose track is not known, so that its pid and tid are asked for
    };
    // A value and what may follow it.
    struct Node
    {
        RecordShape::Kind kind = RecordShape::Kind::End;
        RecordKey recordKey = RecordKey::Unknown;
        ArgKey argKey = ArgKey::Unknown;
        std::uint8_t slot = kNoSlot; // of its key in RecordFields; kNoSlot, which nobody reads, if it is not asked for
        bool isName = false;
        bool isConstant = false; // its edges hold its values
        std::uint64_t slotBit = 0;
        char phase = '\0';
        std::uint16_t category = 0;
        std::uint32_t track = kNoTrack;
        std::vector<Edge *> edges; // most recently used first
    };

    static constexpr std::size_t kMaxNodes = 4096;
    static constexpr std::size_t kMaxEdges = 12;
    static constexpr std::size_t kMaxLiteral = 256;
    static constexpr std::size_t kMaxPath = 2048;
    static constexpr std::uint8_t kNoSlot = static_cast<std::uint8_t>(RecordFields::slotOf(ArgKey::Unknown));

    static bool startsWith(const char *at, const Edge &edge);
    Edge *firstEdgeAt(const char *at);
    static Edge *edgeAt(Node &node, const char *at);
    static Edge *rareEdgeAt(Node &node, const char *at);
    static void put(Token &token, bool isString, const char *at, const char *end, std::uint8_t flags,
                    std::uint8_t whole = 0);
    static std::size_t mostConstants(const Node &node);
    static void setPath(const Node &from, Edge &edge);
    Edge *follow(Node &node, std::string_view literal, std::size_t valueLength, const RecordShape::Value &next);

    std::deque<Node> m_nodes = std::deque<Node>(1);
    std::deque<Edge> m_edges;
    Edge *m_last = nullptr; // that the last record began with
};

} // namespace ks
