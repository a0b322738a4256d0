// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/document.h"

#include <charconv>

namespace ks::cli {

using Layout = JsonWriter::Layout;

void beginDocument(JsonWriter &writer, const Command &command, std::span<const OpenTrace> traces,
                   std::string_view rules)
{
    writer.beginObject(Layout::Lines).member("format", "kinetoscope-cli/1").member("command", command.name);
    if (!rules.empty())
        writer.member("rules", rules);
    writer.key("traces").beginArray();
    for (const OpenTrace &open : traces)
        writer.beginObject().member("file", open.file).member("rank", open.rank).endObject();
    writer.endArray();
}

void writeRange(JsonWriter &writer, const Trace &trace)
{
    writer.member("start_ns", fileNs(trace, trace.range().begin))
        .member("end_ns", fileNs(trace, trace.range().end))
        .member("main_start_ns", fileNs(trace, trace.mainRange().begin))
        .member("main_end_ns", fileNs(trace, trace.mainRange().end));
}

void writeScalar(JsonWriter &writer, const ScalarId &id)
{
    std::uint64_t number = 0;
    const std::string &text = id.text();
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isUnsigned = result.ec == std::errc() && result.ptr == text.data() + text.size();
    if (id.isNumber() && (id.number() || isUnsigned))
        writer.raw(text);
    else
        writer.value(text);
}

void writeLanes(JsonWriter &writer, const Trace &trace, const OpenRows &rows)
{
    writer.key("lanes").beginArray(Layout::Lines);
    for (std::size_t i = 0; i < trace.lanes().size(); ++i) {
        const Lane &lane = trace.lanes()[i];
        writer.beginObject().member("id", i);
        writer.key("pid");
        if (lane.hasThread)
            writeScalar(writer, trace.processOf(lane).pid);
        else
            writer.null();
        writer.key("tid");
        if (lane.hasThread)
            writeScalar(writer, lane.tid);
        else
            writer.null();
        writer.member("kind", laneKindId(lane.kind))
            .member("name", lane.name)
            .member("process", trace.processOf(lane).name)
            .member("rows", rows.rowsOfLane[i])
            .member("events", distance(lane.firstEvent, lane.endEvent))
            .member("device", lane.device)
            .member("stream", lane.stream)
            .endObject();
    }
    writer.endArray();
}

void writeWarnings(JsonWriter &writer, const Trace &trace)
{
    writer.key("warnings").beginArray(Layout::Lines);
    for (const Diagnostic &diagnostic : trace.diagnostics()) {
        writer.beginObject()
            .member("kind", diagnosticId(diagnostic.kind))
            .member("count", diagnostic.count)
            .member("byte", diagnostic.firstByte)
            .member("message", diagnostic.message)
            .endObject();
    }
    writer.endArray();
}

std::optional<std::uint32_t> printedId(const Trace &trace, EventId id)
{
    if (id == kNoEvent)
        return {};
    return trace.fileIndex(id);
}

} // namespace ks::cli
