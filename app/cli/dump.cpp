// SPDX-License-Identifier: GPL-3.0-or-later
// dump: the whole trace, normalised.
#include "app/cli/document.h"
#include "app/cli/dump_text.h"
#include "app/cli/open_traces.h"
#include "core/trace/args.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace ks::cli {
namespace {

using Layout = JsonWriter::Layout;

void writeProcesses(JsonWriter &writer, const Trace &trace)
{
    writer.key("processes").beginArray(Layout::Lines);
    for (const Process &process : trace.processes()) {
        writer.beginObject().key("pid");
        writeScalar(writer, process.pid);
        writer.member("name", process.name).key("labels").beginArray();
        for (const std::string &label : process.labels)
            writer.value(label);
        writer.endArray().member("sort_index", process.sortIndex).member("rank", process.rank).endObject();
    }
    writer.endArray();
}

void writeArgs(JsonWriter &writer, const Args &args)
{
    writer.key("args").beginObject();
    for (auto arg = args.begin(); arg != args.end(); ++arg) {
        // An object has each key once: the first counts.
        const auto isSame = [arg](const Arg &other) { return other.key == arg->key; };
        if (std::none_of(args.begin(), arg, isSame))
            writer.key(arg->key).raw(arg->json);
    }
    writer.endObject();
}

void writeEvent(JsonWriter &writer, const Trace &trace, EventId id, const OpenRows &rows, const Args *args)
{
    const EventKind kind = trace.kind(id);
    const auto idOf = [&trace](EventId other) { return printedId(trace, other); };
    writer.beginObject()
        .member("id", trace.fileIndex(id))
        .member("name", trace.name(id))
        .member("category", trace.category(id))
        .member("kind", eventKindId(kind))
        .member("lane", index(trace.lane(id)))
        .member("row", rows.rowOfEvent[index(id)])
        .member("start_ns", fileNs(trace, trace.begin(id)))
        .member("dur_ns", trace.duration(id))
        .member("self_ns", trace.selfTime(id))
        .member("parent", idOf(trace.parent(id)));
    if (isDeviceWork(kind)) {
        const LaunchLink link = trace.launchLink(id);
        writer.member("launch", idOf(link.launch)).member("op", idOf(link.op)).member("via", linkViaId(link.via));
    } else {
        writer.key("launch").null().key("op").null().key("via").null();
    }
    writer.member("caller", idOf(trace.caller(id))).member("unfinished", trace.isUnfinished(id));
    if (args)
        writeArgs(writer, *args);
    writer.endObject();
}

void writeEvents(JsonWriter &writer, const Trace &trace, const OpenRows &rows, bool withArgs)
{
    // Arguments are read in batches: one reading of the file in order, a bounded part of it in memory.
    constexpr std::size_t kBatch = 32768;
    writer.key("events").beginArray(Layout::Lines);
    std::vector<EventId> ids;
    for (std::size_t first = 0; first < trace.eventCount(); first += ids.size()) {
        ids.resize(std::min(kBatch, trace.eventCount() - first));
        for (std::size_t i = 0; i < ids.size(); ++i)
            ids[i] = trace.eventAtFileIndex(static_cast<std::uint32_t>(first + i));
        const std::vector<Args> args = withArgs ? parseArgs(trace, ids) : std::vector<Args>();
        for (std::size_t i = 0; i < ids.size(); ++i)
            writeEvent(writer, trace, ids[i], rows, withArgs ? &args[i] : nullptr);
    }
    writer.endArray();
}

void writeArrows(JsonWriter &writer, const Trace &trace)
{
    const auto key = [&trace](const Arrow &arrow) {
        return std::tuple(trace.fileIndex(arrow.from), trace.fileIndex(arrow.to), nameText(arrow.category));
    };
    LargeArray<Arrow> arrows = trace.arrows().all;
    std::sort(arrows.begin(), arrows.end(), [&key](const Arrow &a, const Arrow &b) { return key(a) < key(b); });
    writer.key("arrows").beginArray(Layout::Lines);
    for (const Arrow &arrow : arrows) {
        writer.beginObject()
            .member("category", nameText(arrow.category))
            .member("from", trace.fileIndex(arrow.from))
            .member("to", trace.fileIndex(arrow.to))
            .endObject();
    }
    writer.endArray().member("dangling_flow_ends", trace.arrows().danglingEnds);
}

void writeCounters(JsonWriter &writer, const Trace &trace)
{
    writer.key("counters").beginArray(Layout::Lines);
    for (const Counter &counter : trace.counters()) {
        writer.beginObject().member("name", counter.name).key("pid");
        writeScalar(writer, counter.pid);
        writer.key("id");
        if (counter.id)
            writeScalar(writer, *counter.id);
        else
            writer.null();
        writer.key("series").beginArray();
        for (const CounterSeries &series : counter.series) {
            writer.beginObject().member("name", series.name).key("points").beginArray();
            for (std::size_t i = 0; i < series.times.size(); ++i)
                writer.beginArray().value(fileNs(trace, series.times[i])).value(series.values[i]).endArray();
            writer.endArray().endObject();
        }
        writer.endArray().endObject();
    }
    writer.endArray().member("counter_samples", trace.metadata().counterSamples);
}

} // namespace

std::vector<PlainInstant> instantsInFileOrder(const Trace &trace)
{
    std::vector<PlainInstant> all;
    all.reserve(trace.instants().size() + trace.memory().size());
    for (const Instant &instant : trace.instants()) {
        all.push_back({nameText(instant.name), nameText(instant.category), instant.time, instant.recordOffset,
                       instant.lane, instant.scope});
    }
    for (const MemoryRecord &record : trace.memory()) {
        all.push_back({record.outOfMemory ? "[OutOfMemory]" : "[memory]", "cpu_instant_event", record.time,
                       record.recordOffset, record.lane, InstantScope::Thread});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const PlainInstant &a, const PlainInstant &b) { return a.recordOffset < b.recordOffset; });
    return all;
}

std::string_view instantScopeId(InstantScope scope)
{
    switch (scope) {
    case InstantScope::Thread: return "thread";
    case InstantScope::Process: return "process";
    case InstantScope::Global: return "global";
    }
    return "";
}

std::string_view linkViaId(LinkVia via)
{
    switch (via) {
    case LinkVia::None: return "none";
    case LinkVia::Correlation: return "correlation";
    case LinkVia::ExternalId: return "external_id";
    }
    return "";
}

void dump(const Command &command, const Options &options, Format format, TextSink &sink)
{
    const bool withArgs = options.has("--args");
    const std::vector<OpenTrace> traces = openTraces(command, options);
    const Trace &trace = *traces.front().trace;
    const OpenRows rows = openRows(trace);
    if (format == Format::Table) {
        writeDumpText(sink, traces.front(), rows, withArgs);
        return;
    }
    const Metadata &metadata = trace.metadata();
    JsonWriter writer(sink);
    beginDocument(writer, command, traces);
    writer.member("rank", metadata.rank)
        .member("world_size", metadata.worldSize)
        .member("base_ns", metadata.baseNs)
        .member("records", metadata.records);
    writeRange(writer, trace);
    writeProcesses(writer, trace);
    writeLanes(writer, trace, rows);
    writeEvents(writer, trace, rows, withArgs);
    writeArrows(writer, trace);
    writer.key("instants").beginArray(Layout::Lines);
    for (const PlainInstant &instant : instantsInFileOrder(trace)) {
        writer.beginObject()
            .member("name", instant.name)
            .member("category", instant.category)
            .member("ts_ns", fileNs(trace, instant.time))
            .member("scope", instantScopeId(instant.scope))
            .key("lane");
        if (instant.lane != kNoLane)
            writer.value(index(instant.lane));
        else
            writer.null();
        writer.endObject();
    }
    writer.endArray().member("async_instants", metadata.asyncInstants);
    writeCounters(writer, trace);
    writeWarnings(writer, trace);
    writer.endObject();
}

} // namespace ks::cli
