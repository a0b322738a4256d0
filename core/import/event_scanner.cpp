// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/event_scanner.h"

#include "core/import/record_start.h"

#include <algorithm>

namespace ks {
namespace {

// What a key means; keys with escapes are rare, but the same keys.
template<typename Look>
auto keyOf(const Token &key, Look look)
{
    if ((key.flags & kHasEscapes) != 0) [[unlikely]]
        return look(cleanText(key.text()).text);
    return look(key.text());
}

} // namespace

ScanStop EventScanner::scan(std::string_view text, std::size_t from, std::size_t limit, bool isLast)
{
    const char *const begin = text.data();
    JsonCursor cursor(begin + from, begin + text.size());
    std::uint64_t wasted = 0;
    const char *gap = cursor.at(); // behind the last record
    for (;;) {
        cursor.skipSpace();
        const auto start = static_cast<std::size_t>(cursor.at() - begin);
        if (cursor.atEnd())
            return {ScanEnd::TextEnd, start, wasted};
        if (cursor.peek() == ',') {
            cursor.advance();
            continue;
        }
        if (cursor.peek() == ']') {
            cursor.advance();
            return {ScanEnd::ArrayEnd, start + 1, wasted};
        }
        if (start >= limit)
            return {ScanEnd::Limit, start, wasted};

        const auto offset = static_cast<std::uint32_t>(start);
        cursor.clearFlags();
        Outcome outcome = Outcome::Damaged;
        if (cursor.peek() == '{') {
            m_gap.learn(gap, static_cast<std::size_t>(cursor.at() - gap));
            if (scanKnownShape(cursor, offset)) {
                gap = cursor.at();
                cursor.moveTo(m_gap.behind(gap));
                continue;
            }
            outcome = scanRecord(cursor);
            if (outcome == Outcome::Done) {
                gap = cursor.at();
                if ((cursor.stringFlags() & kHasControls) != 0)
                    m_batch.counts.repairedControls.add(m_batch.base + offset);
                if (cursor.sawOddNumber())
                    m_batch.counts.repairedNumbers.add(m_batch.base + offset);
                if ((cursor.stringFlags() & kHasControls) != 0 || cursor.sawOddNumber())
                    m_shape.giveUp(); // each such record is to be counted
                take(offset);
                continue;
            }
        } else {
            if (cursor.peek() == '[') {
                // Nobody writes arrays of records among the records. It is a bracket too many, and what would close it is the end of the
                // records.
                const std::optional<bool> isStray = startsLikeRecord(text.substr(start + 1));
                if (!isStray && !isLast)
                    return {ScanEnd::Incomplete, start, wasted};
                if (isStray.value_or(false)) {
                    m_batch.counts.damaged.add(m_batch.base + offset);
                    cursor.advance();
                    continue;
                }
            }
            Token ignored;
            outcome = cursor.value(ignored);
            if (outcome == Outcome::Done) {
                skip(offset);
                continue;
            }
        }
        if (outcome == Outcome::Incomplete)
            return {ScanEnd::Incomplete, start, wasted};
        // Damage: go on at the next likely start.
        const auto looked = static_cast<std::uint64_t>(cursor.furthest() - begin) - start;
        if (m_patience != kNoPatience && wasted + looked > m_patience)
            return {ScanEnd::Tired, start, wasted};
        wasted += looked;
        const std::size_t next =
            findRecordStart(text, m_patience == kNoPatience ? start + std::max<std::size_t>(looked, 1) : start + 1);
        if (next == std::string_view::npos && !isLast)
            return {ScanEnd::Incomplete, start, wasted - looked}; // more of the text may tell
        m_batch.counts.damaged.add(m_batch.base + offset);
        if (next == std::string_view::npos)
            return {ScanEnd::TextEnd, start, wasted};
        cursor.moveTo(begin + next);
    }
}

bool EventScanner::scanKnownShape(JsonCursor &cursor, std::uint32_t offset)
{
    m_fields.clear();
    RecordTemplates::Match match;
    if (!m_tables.templates.match(cursor.at(), cursor.end(), m_fields, match))
        return false;
    cursor.moveTo(match.end);
    if ((match.stringFlags & kHasControls) != 0)
        m_batch.counts.repairedControls.add(m_batch.base + offset);
    m_taker.take(match.phase, match.category, match.track, offset);
    return true;
}

// Remembers where a value of the current record stands.
void EventScanner::note(const char *begin, const Token &token, const char *end, RecordKey recordKey, ArgKey argKey)
{
    RecordShape::Value value;
    value.kind = token.isString ? RecordShape::Kind::Text
                 : token.data   ? RecordShape::Kind::Word
                                : RecordShape::Kind::Nested;
    value.begin = token.data ? token.data : begin;
    value.end = token.data ? token.data + token.size : end;
    value.recordKey = recordKey;
    value.argKey = argKey;
    m_shape.add(value);
}

EventScanner::Outcome EventScanner::scanRecord(JsonCursor &cursor)
{
    m_fields.clear();
    m_shape.start(cursor.at());
    const Outcome whole = cursor.object([this](JsonCursor &at, const Token &key) {
        const RecordKey known = keyOf(key, recordKeyOf);
        const char *const begin = at.at();
        if (known == RecordKey::Args && at.peek() == '{')
            return scanArgs(at);
        if ((known == RecordKey::Args || known == RecordKey::Id2) && at.peek() == '[')
            m_shape.giveUp(); // an object in its place would be looked into
        Token token;
        if (known == RecordKey::Name && at.peek() == '"') { // repairs of names are counted where they are interned
            JsonCursor quiet = at;
            const Outcome outcome = quiet.string(token);
            at.moveTo(quiet.at());
            if (outcome == Outcome::Done)
                note(begin, token, at.at(), known, ArgKey::Unknown);
            m_fields.set(known, token);
            return outcome;
        }
        if (known == RecordKey::Id2 && at.peek() == '{') {
            m_shape.giveUp();
            return at.object([this](JsonCursor &inner, const Token &innerKey) {
                Token id;
                const Outcome outcome = inner.value(id);
                if (says(innerKey, "local"))
                    m_fields.set(RecordKey::Id2Local, id);
                else if (says(innerKey, "global"))
                    m_fields.set(RecordKey::Id2Global, id);
                return outcome;
            });
        }
        const Outcome outcome = at.value(token);
        const bool isTaken = known < RecordKey::Id2 && token.data;
        if (isTaken && m_fields.has(known))
            m_shape.giveUp(); // twice the same key
        if (outcome == Outcome::Done)
            note(begin, token, at.at(), isTaken ? known : RecordKey::Unknown, ArgKey::Unknown);
        if (isTaken)
            m_fields.set(known, token);
        return outcome;
    });
    m_shape.finish(cursor.at());
    return whole;
}

EventScanner::Outcome EventScanner::scanArgs(JsonCursor &cursor)
{
    m_fields.argsBegin = cursor.at();
    const Outcome outcome = cursor.object([this](JsonCursor &at, const Token &key) {
        Token token;
        const char *const begin = at.at();
        const Outcome result = at.value(token);
        const ArgKey known = keyOf(key, argKeyOf);
        if (result == Outcome::Done)
            note(begin, token, at.at(), RecordKey::Unknown, m_fields.has(known) ? ArgKey::Unknown : known);
        if (known != ArgKey::Unknown)
            m_fields.set(known, token);
        return result;
    });
    m_fields.argsEnd = cursor.at();
    return outcome;
}

void EventScanner::take(std::uint32_t offset)
{
    const Token phaseToken = m_fields.get(RecordKey::Phase);
    if (!phaseToken.isString || phaseToken.size == 0) {
        skip(offset);
        return;
    }
    char phase = phaseToken.size == 1 ? *phaseToken.data : '\0';
    if ((phaseToken.flags & kHasEscapes) != 0) {
        const std::string text = cleanText(phaseToken.text()).text;
        phase = text.size() == 1 ? text[0] : '\0';
    }
    const std::uint16_t category = m_tables.categoryOf(m_fields.get(RecordKey::Category));
    // Counters and metadata need more than a few values, and are few.
    if (phase != 'C' && phase != 'M' && phase != '\0')
        m_tables.templates.learn(m_shape, phase, category, m_taker.trackOf());
    m_taker.take(phase, category, RecordTemplates::kNoTrack, offset);
}

} // namespace ks
