// SPDX-License-Identifier: GPL-3.0-or-later
// All batches of a file put together in file order: the last step before lanes and rows. Events and their fields, the bulk, stay where they are
// in the numbers of the workers; everything else is in the file's own.
#pragma once

#include "core/base/large_memory.h"
#include "core/base/scalar_id.h"
#include "core/import/event_batch.h"
#include "core/import/scan_file.h"
#include "core/index/raw_events.h"
#include "core/trace/trace.h"

#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace ks {

// (pid, tid) as the file tells them.
struct RawTrack
{
    ScalarId pid;
    ScalarId tid;
};

// Async events stand on tracks of their own, one per (process, category, id).
struct AsyncTrack
{
    std::uint32_t track = 0; // whose process it belongs to
    std::uint16_t category = 0;
    std::uint32_t id = 0;
};

// Where events stand.
struct RawPlace
{
    std::uint32_t track = 0; // an async one, or (pid, tid)
    std::uint16_t category = 0;
    bool isAsync = false;
};

// The mark of an end or an async begin, with its place in the file.
struct PlacedMark
{
    SpanMark mark;
    std::uint64_t offset = 0;
};

struct RawTrace
{
    std::deque<FileNumbers> numbers; // of each worker; parts of events and fields point here
    RawEvents events;
    RawFields fields;
    std::vector<PlacedMark> marks;
    LargeArray<RawFlow> flows;     // in file order
    std::vector<Instant> instants; // `lane` is a track
    MemoryLog memory;              // by time, then by `Ev Idx`; `lane` is a track
    std::vector<ScannedCounter> counters;
    std::vector<ScannedMetadata> metadata; // `value` is a NameId
    std::vector<RawTrack> tracks;
    std::vector<AsyncTrack> asyncTracks;
    std::vector<RawPlace> places;
    std::vector<NameId> categories; // CategoryId -> text
    std::vector<std::string> ids;   // id values with LocalIds::kInterned -> text
    ScanCounts counts;
    std::vector<CategoryCount> categoryCounts;

    RawField field(RawFieldKey key) const { return {fields, key}; }
    std::string idText(std::uint32_t id) const;
    std::uint64_t idNumber(std::uint32_t id) const; // 0 for what is no number
};

// Empties the batches on the way, to keep the peak of memory low. Cost: one copy of everything but events and their fields.
RawTrace assemble(ScannedFile &file, unsigned workers, const std::function<void()> &throwIfStopped);

} // namespace ks
