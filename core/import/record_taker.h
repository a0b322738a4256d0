// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of one record -> the columns of its batch, by phase. A record without a time, or of no known phase, is counted as skipped.
#pragma once

#include "core/import/event_batch.h"
#include "core/import/local_tables.h"
#include "core/import/record_fields.h"

#include <cstdint>

namespace ks {

class RecordTaker
{
public:
    // All must outlive it.
    RecordTaker(const RecordFields &fields, LocalTables &tables, EventBatch &batch)
        : m_fields(fields)
        , m_tables(tables)
        , m_batch(batch)
    {}

    // Takes what `fields` hold now. `track`: its (pid, tid) if that is known, else kNoTrack. `offset`: of the record in its block.
    void take(char phase, std::uint16_t category, std::uint32_t track, std::uint32_t offset);
    // Of what `fields` hold now.
    std::uint32_t trackOf()
    {
        return m_tables.tracks.trackOf(m_fields.get(RecordKey::Pid), m_fields.get(RecordKey::Tid));
    }

private:
    void takeEvent(const Token &name, std::uint16_t category, bool isComplete, std::uint32_t offset);
    void takeEventFields();
    void takeSpanMark(char phase, std::uint16_t category, std::uint32_t offset);
    void takeFlow(char phase, std::uint16_t category);
    void takeInstant(std::uint16_t category, std::uint32_t offset);
    bool takeMemory(TimeNs time, std::uint32_t name, std::uint32_t offset);
    void takeCounter(std::uint32_t offset);
    void takeMetadata(std::uint32_t offset);

    bool timeOf(RecordKey key, TimeNs &time) const;
    std::int64_t numberOf(ArgKey key, std::int64_t fallback) const;
    std::uint32_t track() { return m_track != RecordTemplates::kNoTrack ? m_track : trackOf(); }
    std::uint32_t nameOf(const Token &token, std::uint32_t offset);
    void skip(std::uint32_t offset) { m_batch.counts.skipped.add(m_batch.base + offset); }

    const RecordFields &m_fields;
    LocalTables &m_tables;
    EventBatch &m_batch;
    std::uint32_t m_track = RecordTemplates::kNoTrack;
};

} // namespace ks
