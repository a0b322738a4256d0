// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/record_taker.h"

#include "core/trace/instant.h"
#include "core/trace/memory_log.h"

#include <algorithm>
#include <bit>

namespace ks {
namespace {

template<typename Value>
bool parsed(const Token &token, bool (*parse)(std::string_view, Value &), Value &value)
{
    return parse(token.text(), value)
           || ((token.flags & kHasEscapes) != 0 && parse(cleanText(token.text()).text, value));
}

} // namespace

void RecordTaker::take(char phase, std::uint16_t category, std::uint32_t track, std::uint32_t offset)
{
    m_track = track;
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

void RecordTaker::takeEvent(const Token &name, std::uint16_t category, bool isComplete, std::uint32_t offset)
{
    RawEvent event;
    if (!timeOf(RecordKey::Time, event.begin)) {
        skip(offset);
        return;
    }
    TimeNs duration = 0;
    const bool hasEnd = isComplete && timeOf(RecordKey::Duration, duration);
    if (duration < 0) {
        duration = 0;
        m_batch.counts.negativeDurations.add(m_batch.base + offset);
    }
    if (event.begin > 0)
        duration = std::min(duration, kMaxTime - event.begin); // so that no end lies behind the end of time
    m_batch.durations.set(event, duration);
    event.name = nameOf(name, offset);
    const std::uint32_t track = this->track();
    event.place = m_tables.places.placeOf(track, category);
    event.offset = offset & 0x7fffffffU; // blocks are shorter
    const bool isCut = m_fields.has(ArgKey::Finished) && says(m_fields[ArgKey::Finished], "false");
    event.isUnfinished = !hasEnd || isCut;
    m_batch.events.push_back(event);
    takeEventFields();
    if (m_fields.has(ArgKey::InputDims))
        m_batch.counts.hasShapes = true;
    if (m_fields.has(RecordKey::BindId)) {
        RawFlow flow;
        flow.time = event.begin;
        flow.id = m_tables.ids.idOf(m_fields[RecordKey::BindId]);
        flow.track = track;
        flow.eventsBefore = static_cast<std::uint32_t>(m_batch.events.size());
        flow.category = m_tables.categoryOf(Token{}); // chains by id alone
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

void RecordTaker::takeEventFields()
{
    static_assert(static_cast<unsigned>(ArgKey::Correlation) == static_cast<unsigned>(RawFieldKey::Correlation)
                  && static_cast<unsigned>(ArgKey::Stream) == static_cast<unsigned>(RawFieldKey::Stream));
    std::uint8_t keys = 0;
    constexpr std::uint64_t kFieldBits = (std::uint64_t{1} << kRawFieldKeys) - 1;
    for (std::uint64_t left = (m_fields.mask >> RecordFields::kArgSlots) & kFieldBits; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        const auto key = static_cast<ArgKey>(i);
        const Token &token = m_fields[key];
        const std::string_view text = token.text();
        // 0 and -1 mean "none" where it is worth the room to leave them out.
        const bool isNone = text.empty() || text == "null" || text == "-1"
                            || (text == "0" && (key == ArgKey::ForwardThread || key == ArgKey::ExternalId));
        if (isNone)
            continue;
        keys |= static_cast<std::uint8_t>(1U << i);
        m_batch.fields.values[i].push_back(m_tables.ids.idOf(token));
    }
    m_batch.fields.keys.push_back(keys);
}

void RecordTaker::takeSpanMark(char phase, std::uint16_t category, std::uint32_t offset)
{
    SpanMark mark;
    if (!timeOf(RecordKey::Time, mark.time)) {
        skip(offset);
        return;
    }
    mark.phase = phase;
    mark.hasName = m_fields.has(RecordKey::Name);
    mark.track = track();
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
    } else {
        mark.name = nameOf(m_fields.get(RecordKey::Name), offset);
    }
    m_batch.marks.push_back(mark);
}

void RecordTaker::takeFlow(char phase, std::uint16_t category)
{
    RawFlow flow;
    if (!timeOf(RecordKey::Time, flow.time))
        return;
    const RecordKey key = m_fields.has(RecordKey::Id) ? RecordKey::Id : RecordKey::BindId;
    flow.id = m_tables.ids.idOf(m_fields.get(key));
    flow.track = track();
    flow.eventsBefore = static_cast<std::uint32_t>(m_batch.events.size());
    flow.category = category;
    flow.phase = phase;
    flow.bindsToEnclosing = phase != 'f' || says(m_fields.get(RecordKey::BindPoint), "e");
    m_batch.flows.push_back(flow);
}

void RecordTaker::takeInstant(std::uint16_t category, std::uint32_t offset)
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
    instant.track = track();
    instant.category = category;
    instant.offset = offset;
    m_batch.instants.push_back(instant);
}

bool RecordTaker::takeMemory(TimeNs time, std::uint32_t name, std::uint32_t offset)
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
    record.track = track();
    record.offset = offset;
    m_batch.memory.push_back(record);
    return true;
}

void RecordTaker::takeCounter(std::uint32_t offset)
{
    ScannedCounter counter;
    if (!timeOf(RecordKey::Time, counter.time)) {
        skip(offset);
        return;
    }
    counter.name = nameOf(m_fields.get(RecordKey::Name), offset);
    counter.track = track();
    if (m_fields.has(RecordKey::Id))
        counter.id = m_tables.ids.idOf(m_fields[RecordKey::Id]);
    if (m_fields.argsBegin) {
        JsonCursor args(m_fields.argsBegin, m_fields.argsEnd);
        args.object([&](JsonCursor &at, const Token &key) {
            Token token;
            const JsonCursor::Outcome outcome = at.value(token);
            double value = 0;
            if (token.data && parsed(token, parseDouble, value))
                counter.values.emplace_back(nameOf(key, offset), value);
            return outcome;
        });
    }
    m_batch.counters.push_back(std::move(counter));
}

void RecordTaker::takeMetadata(std::uint32_t offset)
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
    row.track = track();
    m_batch.metadata.push_back(row);
}

bool RecordTaker::timeOf(RecordKey key, TimeNs &time) const
{
    if (!m_fields.has(key))
        return false;
    const Token &token = m_fields[key];
    if (token.whole != 0 && plainMicroseconds(token.text(), token.whole, time)) [[likely]]
        return true;
    if ((token.flags & kIsPlainInteger) != 0) {
        if (const std::uint64_t whole = plainInteger(token.text()); whole <= kMostPlainMicroseconds) {
            time = static_cast<TimeNs>(whole * 1000);
            return true;
        }
    }
    return parsePlainMicroseconds(token.text(), time) || parsed(token, parseMicroseconds, time);
}

std::int64_t RecordTaker::numberOf(ArgKey key, std::int64_t fallback) const
{
    if (!m_fields.has(key))
        return fallback;
    const Token &token = m_fields[key];
    if ((token.flags & kIsPlainInteger) != 0)
        return static_cast<std::int64_t>(plainInteger(token.text()));
    std::int64_t value = 0;
    return parsed(token, parseInteger, value) ? value : fallback;
}

std::uint32_t RecordTaker::nameOf(const Token &token, std::uint32_t offset)
{
    const std::uint32_t id = m_tables.names.intern(token);
    if (!m_tables.names.hasRepairs()) [[likely]]
        return id;
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

} // namespace ks
