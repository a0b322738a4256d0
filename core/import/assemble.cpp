// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/merge_runs.h"
#include "core/base/parallel.h"
#include "core/import/raw_trace.h"

#include <algorithm>
#include <compare>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace ks {
namespace {

struct MemoryKey
{
    TimeNs time = 0;
    std::int64_t order = 0; // `Ev Idx`

    auto operator<=>(const MemoryKey &) const = default;
};

// Where each record goes, by key; empty if they are in order, as most files hold them.
LargeArray<std::uint32_t> placesInTime(LargeArray<MemoryKey> keys)
{
    std::vector<std::size_t> runs; // ends of what is in order already: the records of a thread, mostly
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i] < keys[i - 1])
            runs.push_back(i);
    }
    if (runs.empty())
        return {};
    runs.push_back(keys.size());
    LargeArray<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    mergeRuns(order, std::move(runs), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    LargeArray<std::uint32_t> places(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        places[order[i]] = i;
    return places;
}

class Assembler
{
public:
    Assembler(ScannedFile &file, unsigned workers, const std::function<void()> &throwIfStopped)
        : m_file(file)
        , m_workers(workers)
        , m_throwIfStopped(throwIfStopped)
    {}

    RawTrace run()
    {
        for (const LocalTables &tables : m_file.tables)
            m_raw.numbers.push_back(numbersOf(tables));
        countCategories();
        takeEvents();
        takeFields();
        copyRest();
        m_file.batches.clear();
        m_file.tables.clear();
        return std::move(m_raw);
    }

private:
    FileNumbers numbersOf(const LocalTables &tables);
    void countCategories();
    void takeEvents();
    void takeFields();
    void copyRest();
    template<typename Copy>
    void forEachBatch(Copy copy);
    template<typename Count>
    std::size_t countOf(Count count);
    void copyMarks();
    void copyFlows();
    void copyInstants();
    void copyMemory();
    void copyCountersAndMetadata();

    ScannedFile &m_file;
    const unsigned m_workers;
    const std::function<void()> &m_throwIfStopped;
    RawTrace m_raw;
    std::unordered_map<NameId, std::uint16_t> m_categories;
    std::map<std::pair<ScalarId, ScalarId>, std::uint32_t> m_tracks;
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> m_places;
    std::unordered_map<std::string, std::uint32_t> m_ids;
    std::vector<std::uint64_t> m_firstEvent; // of each batch, in the file
    std::vector<std::size_t> m_firstOfBatch; // of what is copied just now
};

FileNumbers Assembler::numbersOf(const LocalTables &tables)
{
    FileNumbers numbers;
    std::vector<std::string_view> texts;
    for (std::uint32_t i = 0; i < tables.names.size(); ++i)
        texts.push_back(tables.names[i].text);
    numbers.names.resize(texts.size());
    internNames(texts, numbers.names);

    constexpr std::size_t kMostCategories = 0xffff;
    for (std::uint32_t i = 0; i < std::min<std::size_t>(tables.categories.size(), kMostCategories + 1); ++i) {
        const NameId text = internName(tables.categories[i].text);
        const auto next = static_cast<std::uint16_t>(std::min(m_raw.categories.size(), kMostCategories));
        const auto [entry, isNew] = m_categories.try_emplace(text, next);
        if (isNew && m_raw.categories.size() <= kMostCategories)
            m_raw.categories.push_back(text);
        numbers.categories.push_back(entry->second);
    }

    const auto scalar = [&](std::uint32_t id) { return ScalarId(tables.tracks.texts()[id].text); };
    for (const LocalTracks::Track &track : tables.tracks.tracks()) {
        const auto [entry, isNew] = m_tracks.try_emplace(std::pair(scalar(track.pid), scalar(track.tid)),
                                                         static_cast<std::uint32_t>(m_raw.tracks.size()));
        if (isNew)
            m_raw.tracks.push_back({entry->first.first, entry->first.second});
        numbers.tracks.push_back(entry->second);
    }

    for (const LocalPlaces::Place &place : tables.places.places()) {
        const std::uint32_t track = numbers.tracks[place.track];
        const std::uint16_t category = numbers.categories[place.category];
        const auto [entry, isNew] =
            m_places.try_emplace(std::pair(track, category), static_cast<std::uint32_t>(m_raw.places.size()));
        if (isNew)
            m_raw.places.push_back({track, category});
        numbers.places.push_back(entry->second);
    }

    for (std::uint32_t i = 0; i < tables.ids.pool().size(); ++i) {
        const std::string text(tables.ids.pool()[i].text);
        const auto [entry, isNew] =
            m_ids.try_emplace(text, LocalIds::kInterned | static_cast<std::uint32_t>(m_raw.ids.size()));
        if (isNew)
            m_raw.ids.push_back(text);
        numbers.ids.push_back(entry->second);
    }
    return numbers;
}

void Assembler::countCategories()
{
    std::map<std::pair<std::string_view, char>, std::uint64_t> counts;
    for (const ScannedBatch &scanned : m_file.batches) {
        for (const PhaseCounts::Entry &entry : scanned.batch.phases.entries()) {
            if (entry.count == 0)
                continue;
            const std::uint16_t category = m_raw.numbers[scanned.tables].categories[entry.key >> 8U];
            counts[{nameText(m_raw.categories[category]), static_cast<char>(entry.key & 0xffU)}] += entry.count;
        }
        m_raw.counts.add(scanned.batch.counts);
    }
    for (const auto &[key, count] : counts)
        m_raw.categoryCounts.push_back(
            {std::string(key.first), key.second == '\0' ? std::string() : std::string(1, key.second), count});
    std::stable_sort(m_raw.categoryCounts.begin(), m_raw.categoryCounts.end(),
                     [](const CategoryCount &a, const CategoryCount &b) { return a.count > b.count; });
}

void Assembler::takeEvents()
{
    std::uint64_t total = 0;
    for (const ScannedBatch &scanned : m_file.batches) {
        m_firstEvent.push_back(total);
        total += scanned.batch.events.size();
    }
    if (total >= 0xfffffff0U)
        throw ImportError("the file holds more than 4 billion events, which is more than this program can show", 0);
    for (ScannedBatch &scanned : m_file.batches)
        m_raw.events.add(std::move(scanned.batch.events), std::move(scanned.batch.durations), scanned.batch.base,
                         m_raw.numbers[scanned.tables]);
}

void Assembler::takeFields()
{
    forEachBatch([this](EventBatch &batch, const FileNumbers &numbers, std::uint32_t firstEvent) {
        m_raw.fields.add(std::move(batch.fields), firstEvent, numbers);
    });
}

// Everything else: what is many batch by batch, what is few each kind by itself, in parallel.
void Assembler::copyRest()
{
    std::vector<std::function<void()>> copies;
    copies.emplace_back([this] { copyInstants(); });
    copies.emplace_back([this] { copyMarks(); });
    copies.emplace_back([this] { copyCountersAndMetadata(); });
    parallelFor(copies.size(), m_workers, [&](std::size_t i) { copies[i](); });
    copyFlows();
    copyMemory();
}

// How many things of a kind all batches hold; m_firstOfBatch tells how many those before each.
template<typename Count>
std::size_t Assembler::countOf(Count count)
{
    m_firstOfBatch.clear();
    std::size_t sum = 0;
    for (const ScannedBatch &scanned : m_file.batches) {
        m_firstOfBatch.push_back(sum);
        sum += count(scanned.batch);
    }
    return sum;
}

template<typename Copy>
void Assembler::forEachBatch(Copy copy)
{
    for (std::size_t i = 0; i < m_file.batches.size(); ++i) {
        m_throwIfStopped();
        ScannedBatch &scanned = m_file.batches[i];
        copy(scanned.batch, m_raw.numbers[scanned.tables], static_cast<std::uint32_t>(m_firstEvent[i]));
    }
}

void Assembler::copyMarks()
{
    forEachBatch([&](EventBatch &batch, const FileNumbers &numbers, std::uint32_t firstEvent) {
        for (SpanMark &mark : batch.marks) {
            const std::uint64_t offset = batch.base + mark.offset;
            mark.event += firstEvent;
            mark.name = static_cast<std::uint32_t>(numbers.names[mark.name]);
            mark.category = numbers.categories[mark.category];
            mark.track = numbers.tracks[mark.track];
            mark.id = numbers.id(mark.id);
            m_raw.marks.push_back({mark, offset});
        }
        batch.marks = {};
    });
}

void Assembler::copyFlows()
{
    m_raw.flows.resize(countOf([](const EventBatch &batch) { return batch.flows.size(); }));
    parallelFor(m_file.batches.size(), m_workers, [&](std::size_t i) {
        m_throwIfStopped();
        EventBatch &batch = m_file.batches[i].batch;
        const FileNumbers &numbers = m_raw.numbers[m_file.batches[i].tables];
        std::size_t place = m_firstOfBatch[i];
        for (RawFlow flow : batch.flows) {
            flow.eventsBefore += static_cast<std::uint32_t>(m_firstEvent[i]);
            flow.category = numbers.categories[flow.category];
            flow.track = numbers.tracks[flow.track];
            flow.id = numbers.id(flow.id);
            m_raw.flows[place++] = flow;
        }
        batch.flows = {};
    });
}

void Assembler::copyInstants()
{
    forEachBatch([&](EventBatch &batch, const FileNumbers &numbers, std::uint32_t) {
        for (const ScannedInstant &from : batch.instants) {
            m_raw.instants.push_back({from.time, numbers.names[from.name],
                                      m_raw.categories[numbers.categories[from.category]], batch.base + from.offset,
                                      LaneId{numbers.tracks[from.track]}, static_cast<InstantScope>(from.scope)});
        }
        batch.instants = {};
    });
}

void Assembler::copyMemory()
{
    const std::size_t count = countOf([](const EventBatch &batch) { return batch.memory.size(); });
    LargeArray<MemoryKey> keys(count);
    parallelFor(m_file.batches.size(), m_workers, [&](std::size_t i) {
        std::size_t place = m_firstOfBatch[i];
        for (const ScannedMemory &from : m_file.batches[i].batch.memory)
            keys[place++] = {from.time, from.order};
    });
    const LargeArray<std::uint32_t> placeOf = placesInTime(std::move(keys));
    m_raw.memory.resize(count);
    parallelFor(m_file.batches.size(), m_workers, [&](std::size_t i) {
        m_throwIfStopped();
        EventBatch &batch = m_file.batches[i].batch;
        const FileNumbers &numbers = m_raw.numbers[m_file.batches[i].tables];
        std::size_t position = m_firstOfBatch[i];
        for (const ScannedMemory &from : batch.memory) {
            MemoryRecord &record = m_raw.memory[placeOf.empty() ? position : placeOf[position]];
            ++position;
            record.time = from.time;
            record.bytes = from.bytes;
            record.address = from.address;
            record.totalAllocated = from.totalAllocated;
            record.totalReserved = from.totalReserved;
            record.recordOffset = batch.base + from.offset;
            record.lane = LaneId{numbers.tracks[from.track]};
            record.deviceType = from.deviceType;
            record.deviceId = from.deviceId;
            record.outOfMemory = from.outOfMemory;
        }
        batch.memory = {};
    });
}

void Assembler::copyCountersAndMetadata()
{
    forEachBatch([&](EventBatch &batch, const FileNumbers &numbers, std::uint32_t) {
        for (ScannedCounter &counter : batch.counters) {
            counter.name = static_cast<std::uint32_t>(numbers.names[counter.name]);
            counter.track = numbers.tracks[counter.track];
            counter.id = numbers.id(counter.id);
            for (auto &[series, value] : counter.values)
                series = static_cast<std::uint32_t>(numbers.names[series]);
            m_raw.counters.push_back(std::move(counter));
        }
        for (ScannedMetadata &row : batch.metadata) {
            row.value = static_cast<std::uint32_t>(numbers.names[row.value]);
            row.track = numbers.tracks[row.track];
            m_raw.metadata.push_back(row);
        }
    });
}

} // namespace

std::string RawTrace::idText(std::uint32_t id) const
{
    return (id & LocalIds::kInterned) != 0 ? ids[id & ~LocalIds::kInterned] : std::to_string(id);
}

std::uint64_t RawTrace::idNumber(std::uint32_t id) const
{
    if ((id & LocalIds::kInterned) == 0)
        return id;
    std::uint64_t number = 0;
    return parseUnsigned(ids[id & ~LocalIds::kInterned], number) ? number : 0;
}

RawTrace assemble(ScannedFile &file, unsigned workers, const std::function<void()> &throwIfStopped)
{
    return Assembler(file, workers, throwIfStopped).run();
}

} // namespace ks
