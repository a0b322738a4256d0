// SPDX-License-Identifier: GPL-3.0-or-later
// What one block of text holds, in the worker's own numbers (LocalTables). Offsets are relative to the block. Compact on purpose:
// these columns and the final ones are alive together while a trace is put together.
#pragma once

#include "core/base/appended.h"
#include "core/base/time.h"
#include "core/index/raw_event.h"
#include "core/index/raw_fields.h"
#include "core/index/raw_flow.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ks {

// E, and the begin and end of async events: paired after all blocks are read, in file order.
struct SpanMark
{
    TimeNs time = 0;
    std::uint32_t event = 0; // of B, b, S: the event it began, in this batch
    std::uint32_t name = 0;
    std::uint32_t track = 0;
    std::uint32_t offset = 0;
    std::uint32_t id = 0; // async: LocalIds id
    std::uint16_t category = 0;
    char phase = 'E';
    bool hasName = false;
    bool localId = false; // id2.local: counts within its process only
};

struct ScannedInstant
{
    TimeNs time = 0;
    std::uint32_t name = 0;
    std::uint32_t track = 0;
    std::uint32_t offset = 0;
    std::uint16_t category = 0;
    std::uint8_t scope = 0; // InstantScope
};

struct ScannedMemory
{
    TimeNs time = 0;
    std::int64_t bytes = 0;
    std::uint64_t address = 0;
    std::int64_t totalAllocated = 0;
    std::int64_t totalReserved = 0;
    std::int64_t order = 0; // Ev Idx, for ties in time
    std::uint32_t track = 0;
    std::uint32_t offset = 0;
    std::int16_t deviceType = 0;
    std::int16_t deviceId = 0;
    bool outOfMemory = false;
};

struct ScannedCounter
{
    TimeNs time = 0;
    std::uint32_t name = 0;
    std::uint32_t track = 0; // only its pid counts
    std::uint32_t id = 0xffffffffU;
    std::vector<std::pair<std::uint32_t, double>> values; // (series name, value)
};

enum class MetadataKey : std::uint8_t { ProcessName, ProcessLabels, ProcessSortIndex, ThreadName, ThreadSortIndex };

struct ScannedMetadata
{
    std::uint32_t track = 0;
    std::uint32_t value = 0; // in LocalTables::names
    MetadataKey key{};
};

// What had to be repaired or left out.
struct ScanCounts
{
    static constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();
    struct Count
    {
        std::uint64_t count = 0;
        std::uint64_t first = kNowhere; // absolute offset

        void add(std::uint64_t offset)
        {
            ++count;
            first = first < offset ? first : offset;
        }
        void add(const Count &other)
        {
            count += other.count;
            first = first < other.first ? first : other.first;
        }
    };

    Count damaged;
    Count skipped;
    Count repairedControls;
    Count repairedEscapes;
    Count repairedNumbers;
    Count invalidUtf8;
    Count negativeDurations;
    std::uint64_t records = 0;
    std::uint64_t asyncInstants = 0;
    bool hasShapes = false;

    void add(const ScanCounts &other);
};

// Records by (category, phase): a small open-addressing table.
class PhaseCounts
{
public:
    struct Entry
    {
        std::uint32_t key = 0; // category << 8 | phase
        std::uint32_t count = 0;
    };

    void add(std::uint16_t category, char phase)
    {
        const std::uint32_t key = (std::uint32_t{category} << 8U) | static_cast<unsigned char>(phase);
        std::size_t at = (key * 0x9e3779b1U) & (m_entries.size() - 1);
        while (m_entries[at].count != 0 && m_entries[at].key != key)
            at = (at + 1) & (m_entries.size() - 1);
        m_entries[at].key = key;
        if (m_entries[at].count++ == 0 && ++m_used * 2 > m_entries.size())
            grow();
    }
    // Unused entries have count 0.
    const std::vector<Entry> &entries() const { return m_entries; }

private:
    void grow();

    std::vector<Entry> m_entries = std::vector<Entry>(64);
    std::size_t m_used = 0;
};

// Where the columns of a worker's batches stand.
struct BatchStores
{
    AppendStore<RawEvent> events;
    AppendStore<std::uint8_t> fieldKeys;
    std::array<AppendStore<std::uint32_t>, kRawFieldKeys> fieldValues;
    AppendStore<RawFlow> flows;
    AppendStore<ScannedInstant> instants;
    AppendStore<ScannedMemory> memory;
};

struct EventBatch
{
    EventBatch() = default;
    explicit EventBatch(BatchStores &stores); // which must live until finish()
    void finish();                            // nothing more will be appended

    std::uint64_t base = 0; // absolute offset of the block
    Appended<RawEvent> events;
    RawDurations durations;
    RawFieldColumns fields;
    std::vector<SpanMark> marks;
    Appended<RawFlow> flows;
    Appended<ScannedInstant> instants;
    Appended<ScannedMemory> memory;
    std::vector<ScannedCounter> counters;
    std::vector<ScannedMetadata> metadata;
    ScanCounts counts;
    PhaseCounts phases;
};

} // namespace ks
