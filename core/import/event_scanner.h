// SPDX-License-Identifier: GPL-3.0-or-later
// Text of trace records -> EventBatch. Pure: no files, no threads. Tolerant: odd bytes, escapes and numbers are repaired and counted, a
// record that makes no sense is skipped up to the next place that looks like the start of one, and counted.
// On valid JSON it yields exactly what a strict parser yields.
#pragma once

#include "core/base/json_cursor.h"
#include "core/import/event_batch.h"
#include "core/import/local_tables.h"
#include "core/import/record_fields.h"
#include "core/import/record_taker.h"
#include "core/import/record_templates.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace ks {

enum class ScanEnd : std::uint8_t {
    Limit,      // the next record starts at or behind the limit
    ArrayEnd,   // the closing bracket of the records; `at` stands behind it
    Incomplete, // the text ends inside the record that starts at `at`
    Tired,      // damage cost more than the patience; the record at `at` was not judged
    TextEnd,    // the text ends between two records
};

struct ScanStop
{
    ScanEnd end = ScanEnd::TextEnd;
    std::size_t at = 0;       // relative to the text
    std::uint64_t wasted = 0; // bytes looked at for records that then made no sense
};

class EventScanner
{
public:
    // Columns go to `batch`, whose base is the absolute offset of the text.
    EventScanner(LocalTables &tables, EventBatch &batch)
        : m_tables(tables)
        , m_batch(batch)
        , m_taker(m_fields, tables, batch)
    {}

    // Damage is found out where it shows, which may be far behind the record (a bracket that is never closed), and again for every record
    // in between: a hostile text costs time without bound. So what is looked at in vain is counted and bounded. With no patience at all,
    // the next record is looked for behind the place where the damage showed.
    static constexpr std::uint64_t kNoPatience = 0;
    void setPatience(std::uint64_t bytes) { m_patience = bytes; }

    // Scans the records that start at or behind `from` and before `limit`. `text` must be readable kPadding zero bytes beyond its end.
    // With `isLast` there is no more text: what makes no sense and has no record behind it is the end.
    ScanStop scan(std::string_view text, std::size_t from, std::size_t limit, bool isLast);

private:
    using Outcome = JsonCursor::Outcome;

    // What stands between two records, a comma and white space, is mostly the same: then it is passed at once.
    struct Gap
    {
        std::uint64_t bytes = 0;
        std::uint64_t mask = 0;
        std::size_t size = 0;

        const char *behind(const char *at) const
        {
            std::uint64_t eight = 0;
            std::memcpy(&eight, at, sizeof eight);
            return (eight & mask) == bytes ? at + size : at;
        }
        void learn(const char *begin, std::size_t length)
        {
            if (length == size || length > sizeof bytes
                || !std::all_of(begin, begin + length, [](char c) { return c == ',' || isJsonSpace(c); }))
                return;
            size = length;
            bytes = mask = 0;
            std::memcpy(&bytes, begin, length);
            std::memset(&mask, 0xff, length);
        }
    };

    bool scanKnownShape(JsonCursor &cursor, std::uint32_t offset);
    void note(const char *begin, const Token &token, const char *end, RecordKey recordKey, ArgKey argKey);
    Outcome scanRecord(JsonCursor &cursor);
    Outcome scanArgs(JsonCursor &cursor);
    void take(std::uint32_t offset);
    void skip(std::uint32_t offset) { m_batch.counts.skipped.add(m_batch.base + offset); }

    LocalTables &m_tables;
    EventBatch &m_batch;
    RecordFields m_fields;
    RecordTaker m_taker;
    RecordShape m_shape;
    Gap m_gap;
    std::uint64_t m_patience = std::uint64_t{1} << 30U;
};

} // namespace ks
