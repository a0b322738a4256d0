// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/event_scanner.h"

#include "core/trace/instant.h"
#include "core/trace/memory_log.h"

#include <algorithm>

namespace ks {
namespace {

constexpr std::size_t kMaxSpace = 64; // white space between two records; more is no likely start
constexpr std::size_t kMaxKey = 64;

// Does a record start behind the '}' at `close`? Returns the place of its '{', or npos.
std::size_t recordStartBehind(std::string_view text, std::size_t close)
{
    const auto skip = [&](std::size_t at) {
        const std::size_t stop = std::min(text.size(), at + kMaxSpace);
        while (at < stop && isJsonSpace(text[at]))
            ++at;
        return at;
    };
    std::size_t at = skip(close + 1);
    if (at >= text.size() || text[at] != ',')
        return std::string_view::npos;
    const std::size_t brace = skip(at + 1);
    if (brace >= text.size() || text[brace] != '{')
        return std::string_view::npos;
    at = skip(brace + 1);
    if (at >= text.size() || text[at] != '"')
        return std::string_view::npos;
    const std::size_t key = ++at;
    while (at < text.size() && at < key + kMaxKey && text[at] != '"' && static_cast<unsigned char>(text[at]) >= ' ')
        ++at;
    if (at == key || at >= text.size() || text[at] != '"')
        return std::string_view::npos;
    at = skip(at + 1);
    return at < text.size() && text[at] == ':' ? brace : std::string_view::npos;
}

// What a key means; keys with escapes are rare, but the same keys.
template<typename Look>
auto keyOf(const Token &key, Look look)
{
    if ((key.flags & kHasEscapes) != 0) [[unlikely]]
        return look(cleanText(key.text()).text);
    return look(key.text());
}

// What a string says that is compared with words; escapes are rare in these.
bool says(const Token &token, std::string_view word)
{
    return token.text() == word || ((token.flags & kHasEscapes) != 0 && cleanText(token.text()).text == word);
}

template<typename Value>
bool parsed(const Token &token, bool (*parse)(std::string_view, Value &), Value &value)
{
    return parse(token.text(), value)
           || ((token.flags & kHasEscapes) != 0 && parse(cleanText(token.text()).text, value));
}

} // namespace

std::size_t findRecordStart(std::string_view text, std::size_t from)
{
    for (std::size_t close = text.find('}', from); close != std::string_view::npos; close = text.find('}', close + 1)) {
        if (const std::size_t start = recordStartBehind(text, close); start != std::string_view::npos)
            return start;
    }
    return std::string_view::npos;
}

std::size_t findLastRecordStart(std::string_view text)
{
    for (std::size_t close = text.rfind('}'); close != std::string_view::npos;
         close = close == 0 ? std::string_view::npos : text.rfind('}', close - 1)) {
        if (const std::size_t start = recordStartBehind(text, close); start != std::string_view::npos)
            return start;
    }
    return std::string_view::npos;
}

std::optional<bool> startsLikeRecord(std::string_view text)
{
    const auto behindSpace = [&](std::size_t from) {
        while (from < text.size() && isJsonSpace(text[from]))
            ++from;
        return from;
    };
    std::size_t at = behindSpace(0);
    if (at < text.size() && text[at] != '{')
        return false;
    at = behindSpace(at + 1);
    if (at < text.size() && text[at] != '"')
        return false;
    if (at >= text.size())
        return {};
    const std::string_view key = text.substr(at + 1, kMaxKey);
    if (const std::size_t end = key.find('"'); end != std::string_view::npos)
        return recordKeyOf(key.substr(0, end)) != RecordKey::Unknown;
    if (key.size() == kMaxKey)
        return false;
    return {};
}

ScanStop EventScanner::scan(std::string_view text, std::size_t from, std::size_t limit, bool isLast)
{
    const char *const begin = text.data();
    JsonCursor cursor(begin + from, begin + text.size());
    std::uint64_t wasted = 0;
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
            if (scanKnownShape(cursor, offset))
                continue;
            outcome = scanRecord(cursor);
            if (outcome == Outcome::Done) {
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
    takeKnown(match.phase, match.category, offset);
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
    const std::uint16_t category = categoryOf(m_fields.get(RecordKey::Category));
    // Counters and metadata need more than a few values, and are few.
    if (phase != 'C' && phase != 'M' && phase != '\0')
        m_tables.templates.learn(m_shape, phase, category);
    takeKnown(phase, category, offset);
}

void EventScanner::takeKnown(char phase, std::uint16_t category, std::uint32_t offset)
{
    ++m_batch.counts.records;
    m_batch.phases.add(category, phase);
    switch (phase) {
    case 'X': takeEvent(m_fields.get(RecordKey::Name), category, true, offset); break;
    case 'B':
    case 'E':
    case 'b':
    case 'e':
    case 'S':
    case 'F': takeSpanMark(phase, category, offset); break;
    case 'n':
    case 'T':
    case 'p': ++m_batch.counts.asyncInstants; break;
    case 's':
    case 't':
    case 'f': takeFlow(phase, category); break;
    case 'i':
    case 'I':
    case 'R': takeInstant(category, offset); break;
    case 'C': takeCounter(offset); break;
    case 'M': takeMetadata(offset); break;
    default: skip(offset); break;
    }
}

void EventScanner::takeEvent(const Token &name, std::uint16_t category, bool isComplete, std::uint32_t offset)
{
    RawEvent event;
    if (!timeOf(RecordKey::Time, event.begin)) {
        skip(offset);
        return;
    }
    if (!isComplete || !timeOf(RecordKey::Duration, event.duration))
        event.flags = RawEvent::kUnfinished;
    if (event.duration < 0) {
        event.duration = 0;
        m_batch.counts.negativeDurations.add(m_batch.base + offset);
    }
    if (event.begin > 0)
        event.duration = std::min(event.duration, kMaxTime - event.begin); // so that no end lies behind the end of time
    event.name = nameOf(name, offset);
    event.track = trackOf();
    event.category = category;
    event.offset = offset;
    if (m_fields.has(ArgKey::Finished) && says(m_fields[ArgKey::Finished], "false"))
        event.flags |= RawEvent::kUnfinished;
    const auto position = static_cast<std::uint32_t>(m_batch.events.size());
    m_batch.events.push_back(event);
    constexpr std::uint64_t kFieldBits = ((std::uint64_t{1} << kRawFieldKeys) - 1) << RecordFields::kArgSlots;
    if ((m_fields.mask & kFieldBits) != 0)
        takeEventFields(position);
    if (m_fields.has(ArgKey::InputDims))
        m_batch.counts.hasShapes = true;
    if (m_fields.has(RecordKey::BindId)) {
        ScannedFlow flow;
        flow.time = event.begin;
        flow.id = m_tables.ids.idOf(m_fields[RecordKey::BindId]);
        flow.track = event.track;
        flow.eventsBefore = position + 1;
        flow.category = categoryOf(Token{}); // chains by id alone
        if (says(m_fields.get(RecordKey::FlowIn), "true")) {
            flow.phase = 'I';
            m_batch.flows.push_back(flow);
        }
        if (says(m_fields.get(RecordKey::FlowOut), "true")) {
            flow.phase = 'O';
            m_batch.flows.push_back(flow);
        }
    }
}

void EventScanner::takeEventFields(std::uint32_t event)
{
    static_assert(static_cast<unsigned>(ArgKey::Correlation) == static_cast<unsigned>(RawFieldKey::Correlation)
                  && static_cast<unsigned>(ArgKey::Stream) == static_cast<unsigned>(RawFieldKey::Stream));
    for (unsigned i = 0; i < kRawFieldKeys; ++i) {
        const auto key = static_cast<ArgKey>(i);
        if (!m_fields.has(key))
            continue;
        const Token &token = m_fields[key];
        const std::string_view text = token.text();
        // 0 and -1 mean "none" where it is worth the room to leave them out.
        const bool isNone = text.empty() || text == "null" || text == "-1"
                            || (text == "0" && (key == ArgKey::ForwardThread || key == ArgKey::ExternalId));
        if (!isNone)
            m_batch.fields[i].push_back({event, m_tables.ids.idOf(token)});
    }
}

void EventScanner::takeSpanMark(char phase, std::uint16_t category, std::uint32_t offset)
{
    SpanMark mark;
    if (!timeOf(RecordKey::Time, mark.time)) {
        skip(offset);
        return;
    }
    mark.phase = phase;
    mark.hasName = m_fields.has(RecordKey::Name);
    mark.track = trackOf();
    mark.offset = offset;
    mark.category = category;
    const bool isAsync = phase != 'B' && phase != 'E';
    if (isAsync) {
        const RecordKey key = m_fields.has(RecordKey::Id2Local)    ? RecordKey::Id2Local
                              : m_fields.has(RecordKey::Id2Global) ? RecordKey::Id2Global
                                                                   : RecordKey::Id;
        mark.localId = key == RecordKey::Id2Local;
        mark.id = m_tables.ids.idOf(m_fields.get(key));
    }
    if (phase == 'B' || phase == 'b' || phase == 'S') {
        mark.event = static_cast<std::uint32_t>(m_batch.events.size());
        takeEvent(m_fields.get(RecordKey::Name), category, false, offset);
        mark.name = m_batch.events.back().name;
        if (isAsync)
            m_batch.events.back().flags |= RawEvent::kAsync;
    } else {
        mark.name = nameOf(m_fields.get(RecordKey::Name), offset);
    }
    m_batch.marks.push_back(mark);
}

void EventScanner::takeFlow(char phase, std::uint16_t category)
{
    ScannedFlow flow;
    if (!timeOf(RecordKey::Time, flow.time))
        return;
    const RecordKey key = m_fields.has(RecordKey::Id) ? RecordKey::Id : RecordKey::BindId;
    flow.id = m_tables.ids.idOf(m_fields.get(key));
    flow.track = trackOf();
    flow.eventsBefore = static_cast<std::uint32_t>(m_batch.events.size());
    flow.category = category;
    flow.phase = phase;
    flow.bindsToEnclosing = phase != 'f' || says(m_fields.get(RecordKey::BindPoint), "e");
    m_batch.flows.push_back(flow);
}

void EventScanner::takeInstant(std::uint16_t category, std::uint32_t offset)
{
    ScannedInstant instant;
    if (!timeOf(RecordKey::Time, instant.time)) {
        skip(offset);
        return;
    }
    instant.name = nameOf(m_fields.get(RecordKey::Name), offset);
    if (m_fields.has(ArgKey::Bytes) && takeMemory(instant.time, instant.name, offset))
        return;
    const Token scope = m_fields.get(RecordKey::Scope);
    if (scope.isString && says(scope, "g"))
        instant.scope = static_cast<std::uint8_t>(InstantScope::Global);
    else if (scope.isString && says(scope, "p"))
        instant.scope = static_cast<std::uint8_t>(InstantScope::Process);
    instant.track = trackOf();
    instant.category = category;
    instant.offset = offset;
    m_batch.instants.push_back(instant);
}

bool EventScanner::takeMemory(TimeNs time, std::uint32_t name, std::uint32_t offset)
{
    const std::string_view text = m_tables.names[name].text;
    ScannedMemory record;
    record.outOfMemory = text == "[OutOfMemory]";
    if (!record.outOfMemory && text != "[memory]")
        return false;
    record.time = time;
    record.bytes = numberOf(ArgKey::Bytes, 0);
    record.address = static_cast<std::uint64_t>(numberOf(ArgKey::Address, 0));
    record.totalAllocated = numberOf(ArgKey::TotalAllocated, kNoBytes);
    record.totalReserved = numberOf(ArgKey::TotalReserved, kNoBytes);
    record.order = numberOf(ArgKey::EventIndex, 0);
    record.deviceType = static_cast<std::int16_t>(numberOf(ArgKey::DeviceType, 0));
    record.deviceId = static_cast<std::int16_t>(numberOf(ArgKey::DeviceId, -1));
    record.track = trackOf();
    record.offset = offset;
    m_batch.memory.push_back(record);
    return true;
}

void EventScanner::takeCounter(std::uint32_t offset)
{
    ScannedCounter counter;
    if (!timeOf(RecordKey::Time, counter.time)) {
        skip(offset);
        return;
    }
    counter.name = nameOf(m_fields.get(RecordKey::Name), offset);
    counter.track = trackOf();
    if (m_fields.has(RecordKey::Id))
        counter.id = m_tables.ids.idOf(m_fields[RecordKey::Id]);
    if (m_fields.argsBegin) {
        JsonCursor args(m_fields.argsBegin, m_fields.argsEnd);
        args.object([&](JsonCursor &at, const Token &key) {
            Token token;
            const Outcome outcome = at.value(token);
            double value = 0;
            if (token.data && parsed(token, parseDouble, value))
                counter.values.emplace_back(nameOf(key, offset), value);
            return outcome;
        });
    }
    m_batch.counters.push_back(std::move(counter));
}

void EventScanner::takeMetadata(std::uint32_t offset)
{
    const Token name = m_fields.get(RecordKey::Name);
    ScannedMetadata row;
    ArgKey value = ArgKey::Name;
    if (says(name, "process_name")) {
        row.key = MetadataKey::ProcessName;
    } else if (says(name, "thread_name")) {
        row.key = MetadataKey::ThreadName;
    } else if (says(name, "process_labels")) {
        row.key = MetadataKey::ProcessLabels;
        value = ArgKey::Labels;
    } else if (says(name, "process_sort_index")) {
        row.key = MetadataKey::ProcessSortIndex;
        value = ArgKey::SortIndex;
    } else if (says(name, "thread_sort_index")) {
        row.key = MetadataKey::ThreadSortIndex;
        value = ArgKey::SortIndex;
    } else {
        return;
    }
    if (!m_fields.has(value))
        return;
    row.value = nameOf(m_fields[value], offset);
    row.track = trackOf();
    m_batch.metadata.push_back(row);
}

bool EventScanner::timeOf(RecordKey key, TimeNs &time) const
{
    return m_fields.has(key)
           && (parsePlainMicroseconds(m_fields[key].text(), time) || parsed(m_fields[key], parseMicroseconds, time));
}

std::int64_t EventScanner::numberOf(ArgKey key, std::int64_t fallback) const
{
    std::int64_t value = 0;
    return m_fields.has(key) && parsed(m_fields[key], parseInteger, value) ? value : fallback;
}

std::uint32_t EventScanner::nameOf(const Token &token, std::uint32_t offset)
{
    const std::uint32_t id = m_tables.names.intern(token);
    if (const std::uint8_t repairs = m_tables.names[id].repairs; repairs != 0) {
        const std::uint64_t at = m_batch.base + offset;
        if ((repairs & LocalPool::kControls) != 0)
            m_batch.counts.repairedControls.add(at);
        if ((repairs & LocalPool::kBadEscapes) != 0)
            m_batch.counts.repairedEscapes.add(at);
        if ((repairs & LocalPool::kBadUtf8) != 0)
            m_batch.counts.invalidUtf8.add(at);
    }
    return id;
}

std::uint16_t EventScanner::categoryOf(const Token &token)
{
    constexpr std::uint32_t kMost = 0xffff; // all further categories share the last number
    return static_cast<std::uint16_t>(std::min(m_tables.categories.intern(token), kMost));
}

} // namespace ks
