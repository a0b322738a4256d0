// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dump_text.h"

#include "app/cli/document.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/trace/args.h"

#include <algorithm>

namespace ks::cli {
namespace {

constexpr std::size_t kMaxName = 160;

void putRight(TextSink &sink, std::string_view text, std::size_t width)
{
    const std::size_t columns = columnsOf(text);
    sink.putRepeated(' ', width - std::min(width, columns)).put(text);
}

// Columns of an event: id, start, duration, name indented by its row, then what it belongs to.
void putEvent(TextSink &sink, const Trace &trace, EventId id, std::uint32_t row, const Args *args)
{
    putRight(sink, std::to_string(trace.fileIndex(id)), 8);
    putRight(sink, formatExactNs(trace.begin(id)), 22);
    putRight(sink, formatDuration(trace.duration(id)), 11);
    sink.put("  ").putRepeated(' ', 2 * std::size_t{row}).put(elidedMiddle(trace.name(id), kMaxName));
    sink.put("  [").put(eventKindId(trace.kind(id))).put(']');
    if (isDeviceWork(trace.kind(id))) {
        const LaunchLink link = trace.launchLink(id);
        if (const auto launch = printedId(trace, link.launch))
            sink.put("  launched by ").putNumber(*launch);
        if (const auto op = printedId(trace, link.op))
            sink.put("  for ").putNumber(*op);
        if (link.via == LinkVia::None)
            sink.put("  launch unknown");
    }
    if (trace.isUnfinished(id))
        sink.put("  no end in the file");
    sink.put('\n');
    if (args) {
        for (const Arg &arg : *args)
            sink.putRepeated(' ', 45 + 2 * std::size_t{row})
                .put(arg.key)
                .put(": ")
                .put(elidedMiddle(arg.json, kMaxName))
                .put('\n');
    }
}

void putLane(TextSink &sink, const Trace &trace, LaneId laneId, const OpenRows &rows, bool withArgs)
{
    const Lane &lane = trace.lane(laneId);
    const std::string &process = trace.processOf(lane).name;
    const std::size_t count = distance(lane.firstEvent, lane.endEvent);
    sink.put("\nlane ").putNumber(index(laneId)).put(": ").put(lane.name);
    if (!process.empty())
        sink.put(" of ").put(process);
    sink.put(" (")
        .put(laneKindId(lane.kind))
        .put(", ")
        .put(formatCount(count))
        .put(count == 1 ? " event)\n" : " events)\n");

    std::vector<EventId> ids(count);
    for (std::size_t i = 0; i < count; ++i)
        ids[i] = advance(lane.firstEvent, static_cast<std::ptrdiff_t>(i));
    std::sort(ids.begin(), ids.end(), [&](EventId a, EventId b) {
        const auto key = [&](EventId id) {
            return std::tuple(trace.begin(id), rows.rowOfEvent[index(id)], trace.fileIndex(id));
        };
        return key(a) < key(b);
    });
    constexpr std::size_t kBatch = 4096;
    for (std::size_t first = 0; first < count; first += kBatch) {
        const std::span<const EventId> batch = std::span(ids).subspan(first, std::min(kBatch, count - first));
        const std::vector<Args> args = withArgs ? parseArgs(trace, batch) : std::vector<Args>();
        for (std::size_t i = 0; i < batch.size(); ++i)
            putEvent(sink, trace, batch[i], rows.rowOfEvent[index(batch[i])], withArgs ? &args[i] : nullptr);
    }
}

} // namespace

void writeDumpText(TextSink &sink, const OpenTrace &open, const OpenRows &rows, bool withArgs)
{
    const Trace &trace = *open.trace;
    sink.put(open.file).put('\n');
    sink.put(formatCount(trace.metadata().records))
        .put(" records, ")
        .put(formatCount(trace.eventCount()))
        .put(" events in ");
    sink.put(formatDuration(trace.range().duration()))
        .put("; times count from ")
        .putNumber(fileNs(trace, 0))
        .put(" ns\n");
    for (const Diagnostic &diagnostic : trace.diagnostics())
        sink.put("! ").put(diagnostic.message).put('\n');
    for (std::size_t lane = 0; lane < trace.lanes().size(); ++lane)
        putLane(sink, trace, static_cast<LaneId>(lane), rows, withArgs);

    const std::vector<PlainInstant> instants = instantsInFileOrder(trace);
    if (!instants.empty())
        sink.put("\ninstants\n");
    for (const PlainInstant &instant : instants) {
        putRight(sink, formatExactNs(instant.time), 30);
        sink.put("  ")
            .put(elidedMiddle(instant.name, kMaxName))
            .put("  [")
            .put(instantScopeId(instant.scope))
            .put("]\n");
    }
    if (!trace.arrows().all.empty())
        sink.put("\narrows\n");
    for (const Arrow &arrow : trace.arrows().all) {
        sink.put("  ").put(nameText(arrow.category)).put(": ").putNumber(trace.fileIndex(arrow.from)).put(" -> ");
        sink.putNumber(trace.fileIndex(arrow.to)).put('\n');
    }
    if (!trace.counters().empty())
        sink.put("\ncounters\n");
    for (const Counter &counter : trace.counters()) {
        for (const CounterSeries &series : counter.series) {
            sink.put("  ").put(counter.name).put(series.name.empty() ? "" : " / ").put(series.name);
            sink.put(": ").put(formatCount(series.times.size())).put(" points\n");
        }
    }
}

} // namespace ks::cli
