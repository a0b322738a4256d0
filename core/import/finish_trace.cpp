// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/finish_trace.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/import/import_notes.h"
#include "core/import/lane_builder.h"
#include "core/import/raw_trace.h"
#include "core/import/span_pairs.h"
#include "core/index/autograd_mates.h"
#include "core/index/event_columns.h"
#include "core/index/extent.h"
#include "core/index/flow_arrows.h"
#include "core/index/lane_roles.h"
#include "core/index/launch_links.h"
#include "core/index/python_callers.h"
#include "core/index/steps.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace ks {
namespace {

class Finisher
{
public:
    Finisher(ScannedFile file, std::shared_ptr<const ByteSource> source, Metadata metadata, unsigned workers,
             const Progress &progress)
        : m_file(std::move(file))
        , m_workers(workers)
        , m_progress(progress)
    {
        m_data.source = std::move(source);
        m_data.metadata = std::move(metadata);
    }

    std::shared_ptr<const Trace> run()
    {
        const std::function<void()> throwIfStopped = [this] { m_progress.throwIfStopped(); };
        const LargeMemoryReuse
            reuse; // what was scanned makes room for lanes, lanes and raw events for columns and links
        m_raw = assemble(m_file, m_workers, throwIfStopped);
        refuseNoTrace();
        m_pairs = pairSpans(m_raw);
        m_lanes = buildLanes(m_raw, kindsOfCategories(m_raw), m_workers, throwIfStopped);
        findFileExtent();
        m_columns =
            buildColumns(std::move(m_raw.events), m_lanes.lanes, m_lanes.lanesOf, m_origin, m_workers, throwIfStopped);
        takeColumns();
        takeInstantsAndMemory();
        takeCounters();
        m_data.metadata.categories = std::move(m_raw.categoryCounts);
        m_data.metadata.records = m_raw.counts.records;
        m_data.metadata.asyncInstants = m_raw.counts.asyncInstants;
        m_data.metadata.hasShapes = m_raw.counts.hasShapes;

        const auto trace = std::make_shared<Trace>(std::move(m_data));
        link(*trace, throwIfStopped);
        TraceData &data = trace->building();
        markDevices(*trace, data);
        findMain(data);
        data.diagnostics = notesOf(m_file, m_raw.counts, m_counts);
        return trace;
    }

private:
    void refuseNoTrace() const;
    void findFileExtent();
    void takeColumns();
    void takeInstantsAndMemory();
    void takeCounters();
    void link(Trace &trace, const std::function<void()> &throwIfStopped);
    void findMain(TraceData &data);
    void markDevices(const Trace &trace, TraceData &data);
    LaneId hostLaneOf(LaneId track) const;
    void linkLaunchesOf(Trace &trace);

    ScannedFile m_file;
    const unsigned m_workers;
    const Progress &m_progress;
    RawTrace m_raw;
    SpanPairs m_pairs;
    BuiltLanes m_lanes;
    EventColumns m_columns;
    TraceData m_data;
    FinishCounts m_counts;
    std::int64_t m_origin = 0;
};

// An array without a single record is no trace; an object that has the key for them is, if an empty one.
void Finisher::refuseNoTrace() const
{
    const bool isEmptyArray = m_raw.counts.skipped.count == 0 && m_raw.counts.damaged.count == 0 && !m_file.truncatedAt;
    if (!m_file.isArray || m_raw.counts.records != 0 || isEmptyArray)
        return;
    const std::uint64_t at = std::min(m_raw.counts.skipped.first, m_raw.counts.damaged.first);
    throw ImportError("not a trace: there are no trace events in this array (nothing in it has a \"ph\")",
                      at == ScanCounts::kNowhere ? m_file.truncatedAt.value_or(0) : at);
}

// Start and end over events and instants (counters, if there is nothing else); what was begun and never ended runs to the end.
void Finisher::findFileExtent()
{
    auto [begin, end] = m_lanes.extent;
    const auto cover = [&, &begin = begin, &end = end](TimeNs from, TimeNs to) {
        begin = std::min(begin, from);
        end = std::max(end, to);
    };
    for (const Instant &instant : m_raw.instants)
        cover(instant.time, instant.time);
    for (const MemoryRecord &record : m_raw.memory)
        cover(record.time, record.time);
    m_counts.hasEvents = begin <= end || !m_raw.counters.empty();
    if (begin > end) {
        for (const ScannedCounter &counter : m_raw.counters)
            cover(counter.time, counter.time);
    }
    if (begin > end)
        begin = end = 0;
    for (const std::uint32_t open : m_pairs.open) {
        RawEvents::Part &part = m_raw.events.partAt(open);
        RawEvent &event = part.events[open - part.first];
        part.durations.set(event, saturatingSubtract(end, event.begin));
    }
    m_origin = begin;
    m_data.fileOrigin = begin;
    m_data.range = {0, saturatingSubtract(end, begin)};
    m_data.mainRange = m_data.range;
}

void Finisher::takeColumns()
{
    m_data.events = std::move(m_columns.events);
    m_data.rows = std::move(m_columns.rows);
    m_data.lanes = std::move(m_lanes.lanes);
    m_data.processes = std::move(m_lanes.processes);
    for (std::size_t i = 0; i < m_raw.categories.size(); ++i)
        m_data.categories.push_back({m_raw.categories[i], m_lanes.lanesOf.kindOfCategory[i]});
    LargeArray<std::pair<EventId, std::uint64_t>> endRecords;
    for (const auto &[event, offset] : m_pairs.endRecords)
        endRecords.emplace_back(m_columns.idOfFileIndex[event], offset);
    m_data.events.endRecord = SparseColumn<std::uint64_t>::fromPairs(std::move(endRecords));
    m_counts.unmatchedBegins = m_pairs.unmatchedBegins;
    m_counts.unmatchedEnds = m_pairs.unmatchedEnds;
    m_counts.overlaps = {m_columns.overlaps, m_columns.firstOverlap};
    m_counts.rankTags = m_lanes.rankTags;
}

LaneId Finisher::hostLaneOf(LaneId track) const
{
    const TrackLanes lanes = m_lanes.lanesOf.tracks[index(track)];
    return lanes.host != kNoLane ? lanes.host : lanes.device;
}

void Finisher::takeInstantsAndMemory()
{
    for (Instant &instant : m_raw.instants) {
        instant.time = saturatingSubtract(instant.time, m_origin);
        instant.lane = hostLaneOf(instant.lane);
    }
    m_data.instants = std::move(m_raw.instants);
    constexpr std::size_t kPiece = std::size_t{1} << 16U;
    const std::span<MemoryRecord> memory = m_raw.memory;
    parallelFor((memory.size() + kPiece - 1) / kPiece, m_workers, [&](std::size_t piece) {
        const std::size_t first = piece * kPiece;
        for (MemoryRecord &record : memory.subspan(first, std::min(kPiece, memory.size() - first))) {
            record.time = saturatingSubtract(record.time, m_origin);
            record.lane = hostLaneOf(record.lane);
        }
    });
    m_data.memory = std::move(m_raw.memory);
}

void Finisher::takeCounters()
{
    std::map<std::tuple<ScalarId, NameId, std::uint32_t>, std::size_t> known;
    std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> seriesOf; // (counter, name)
    for (const ScannedCounter &sample : m_raw.counters) {
        const ScalarId &pid = m_raw.tracks[sample.track].pid;
        const auto [entry, isNew] = known.try_emplace({pid, NameId{sample.name}, sample.id}, m_data.counters.size());
        if (isNew) {
            Counter counter;
            counter.pid = pid;
            counter.name = nameText(NameId{sample.name});
            if (sample.id != LocalIds::kNone)
                counter.id = ScalarId(m_raw.idText(sample.id));
            m_data.counters.push_back(std::move(counter));
        }
        std::vector<CounterSeries> &series = m_data.counters[entry->second].series;
        for (const auto &[nameId, value] : sample.values) {
            const auto [of, isFirst] = seriesOf.try_emplace({entry->second, nameId}, series.size());
            if (isFirst)
                series.push_back({std::string(nameText(NameId{nameId})), {}, {}});
            series[of->second].times.push_back(saturatingSubtract(sample.time, m_origin));
            series[of->second].values.push_back(value);
        }
    }
    for (Counter &counter : m_data.counters) {
        for (CounterSeries &series : counter.series) {
            if (std::is_sorted(series.times.begin(), series.times.end()))
                continue;
            std::vector<std::pair<TimeNs, double>> points;
            for (std::size_t i = 0; i < series.times.size(); ++i)
                points.emplace_back(series.times[i], series.values[i]);
            std::stable_sort(points.begin(), points.end(),
                             [](const auto &a, const auto &b) { return a.first < b.first; });
            for (std::size_t i = 0; i < points.size(); ++i)
                std::tie(series.times[i], series.values[i]) = points[i];
        }
    }
    m_data.metadata.counterSamples = m_raw.counters.size();
}

void Finisher::linkLaunchesOf(Trace &trace)
{
    const LinkInput input = {m_columns.idOfFileIndex,
                             m_raw.field(RawFieldKey::Correlation),
                             m_raw.field(RawFieldKey::ExternalId),
                             [this](std::uint32_t id) { return m_raw.idNumber(id); },
                             m_lanes.groupOfLane,
                             m_columns.operatorOfLaunch};
    LinkResult linked = linkLaunches(trace, input);
    trace.building().links = std::move(linked.links);
    const auto at = [&](EventId event) { return event == kNoEvent ? ScanCounts::kNowhere : trace.recordOffset(event); };
    m_counts.skewed = {linked.skewed, at(linked.firstSkewed)};
    m_counts.orphans = {linked.orphans, at(linked.firstOrphan)};
}

// Three kinds of links that have nothing to do with each other, in parallel.
void Finisher::link(Trace &trace, const std::function<void()> &throwIfStopped)
{
    TraceData &data = trace.building();
    const auto arrowsAndMates = [&] {
        data.arrows = bindFlows(trace, {m_raw.flows, m_columns.idOfFileIndex, m_raw.categories, m_lanes.groupOfTrack,
                                        m_lanes.lanesOf.tracks, m_origin});
        m_raw.flows = {};
        throwIfStopped();
        data.mates = findMates(trace, {m_columns.idOfFileIndex, m_raw.field(RawFieldKey::SequenceNumber),
                                       m_raw.field(RawFieldKey::ForwardThread)});
    };
    const auto findCallersOf = [&] {
        data.events.caller = findCallers(
            trace, {m_columns.idOfFileIndex, m_raw.field(RawFieldKey::PythonId), m_raw.field(RawFieldKey::PythonParent),
                    m_lanes.rankTags != 0 ? std::span<const std::uint32_t>(m_lanes.groupOfLane)
                                          : std::span<const std::uint32_t>()});
    };
    const std::array<std::function<void()>, 3> tasks = {arrowsAndMates, findCallersOf, [&] { linkLaunchesOf(trace); }};
    parallelFor(tasks.size(), m_workers, [&](std::size_t i) { tasks[i](); });
    throwIfStopped();
    data.steps = findSteps(trace);
    const std::vector<LaneRole> roles = findLaneRoles(trace);
    for (std::size_t i = 0; i < roles.size(); ++i)
        data.lanes[i].role = roles[i];
}

void Finisher::findMain(TraceData &data)
{
    std::vector<LaneOrder::Island> islands = std::move(m_columns.islands);
    for (const Instant &instant : data.instants)
        addMoment(islands, saturatingAdd(instant.time, data.fileOrigin));
    for (const MemoryRecord &record : data.memory)
        addMoment(islands, saturatingAdd(record.time, data.fileOrigin));
    if (islands.empty())
        return;
    const MainRange main = findMainRange(std::move(islands));
    data.mainRange = {saturatingSubtract(main.range.begin, data.fileOrigin),
                      saturatingSubtract(main.range.end, data.fileOrigin)};
    m_counts.outliers = main.outliers;
}

void Finisher::markDevices(const Trace &trace, TraceData &data)
{
    m_counts.hasDeviceWork = !data.links.ofWork.isEmpty();
    for (const Lane &lane : trace.lanes()) {
        m_counts.hasHostEvents = m_counts.hasHostEvents || lane.kind == LaneKind::Cpu;
        if (lane.kind != LaneKind::Gpu || !lane.device)
            continue;
        const bool works = lane.role == LaneRole::ComputeStream || lane.role == LaneRole::CommunicationStream
                           || lane.role == LaneRole::CopyStream;
        for (Device &device : data.metadata.devices)
            device.used = device.used || (works && device.id == *lane.device);
    }
}

} // namespace

std::shared_ptr<const Trace> finishTrace(ScannedFile file, std::shared_ptr<const ByteSource> source, Metadata metadata,
                                         unsigned workers, const Progress &progress)
{
    return Finisher(std::move(file), std::move(source), std::move(metadata), workers, progress).run();
}

} // namespace ks
