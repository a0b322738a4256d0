// SPDX-License-Identifier: GPL-3.0-or-later
// chain: why did this event run?
#include "core/analysis/chain.h"

#include "app/cli/document.h"
#include "app/cli/open_traces.h"
#include "core/base/format.h"
#include "core/base/parse_number.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <limits>

namespace ks::cli {
namespace {

using Layout = JsonWriter::Layout;

struct Wanted
{
    std::optional<std::size_t> id;
    std::string name;
    std::int64_t startNs = 0;
};

Wanted wantedOf(const Options &options)
{
    Wanted wanted;
    wanted.id = options.count("--event");
    const auto at = options.value("--at");
    if (wanted.id.has_value() == at.has_value())
        throw UsageError("chain needs either --event ID or --at NAME@NS");
    if (wanted.id)
        return wanted;
    const std::size_t sign = at->rfind('@');
    const auto ns = sign == std::string_view::npos ? std::nullopt : parseInteger(at->substr(sign + 1));
    if (!ns)
        throw UsageError("--at: '" + std::string(*at) + "' is not NAME@NS, NS being start_ns");
    wanted.name = at->substr(0, sign);
    wanted.startNs = *ns;
    return wanted;
}

// First in the file, if several fit.
EventId find(const Trace &trace, const Wanted &wanted)
{
    if (wanted.id) {
        return *wanted.id <= std::numeric_limits<std::uint32_t>::max()
                   ? trace.eventAtFileIndex(static_cast<std::uint32_t>(*wanted.id))
                   : kNoEvent;
    }
    const NameId name = findName(wanted.name);
    const TimeNs time = trace.traceTime(FileTimeNs{wanted.startNs});
    EventId found = kNoEvent;
    for (std::size_t i = 0; name != kNoName && i < trace.eventCount(); ++i) {
        const auto id = static_cast<EventId>(i);
        if (trace.nameId(id) == name && trace.begin(id) == time
            && (found == kNoEvent || trace.fileIndex(id) < trace.fileIndex(found)))
            found = id;
    }
    return found;
}

void writeIds(JsonWriter &writer, const Trace &trace, std::span<const EventId> ids)
{
    writer.beginArray();
    for (const EventId id : ids)
        writer.value(trace.fileIndex(id));
    writer.endArray();
}

void writeJson(JsonWriter &writer, const Trace &trace, EventId event)
{
    writer.member("event", trace.fileIndex(event)).key("chain").beginArray(Layout::Lines);
    for (const ChainLink &link : chainOf(trace, event)) {
        writer.beginObject()
            .member("role", chainRoleId(link.role))
            .member("id", trace.fileIndex(link.event))
            .member("name", trace.name(link.event))
            .member("start_ns", fileNs(trace, trace.begin(link.event)))
            .member("dur_ns", trace.duration(link.event))
            .endObject();
    }
    writer.endArray().key("kernels");
    writeIds(writer, trace, deviceWorkBelow(trace, event));
    writer.member("forward", printedId(trace, trace.forwardOf(event))).key("backward");
    writeIds(writer, trace, trace.backwardOf(event));
}

void putEvent(TextSink &sink, const Trace &trace, EventId id)
{
    constexpr std::size_t kMaxName = 100;
    sink.put(elidedMiddle(trace.name(id), kMaxName)).put("  ").put(formatDuration(trace.duration(id)));
    sink.put("  at ").put(formatExactNs(trace.begin(id))).put("  #").putNumber(trace.fileIndex(id)).put('\n');
}

void writeText(TextSink &sink, const Trace &trace, EventId event)
{
    std::size_t depth = 0;
    for (const ChainLink &link : chainOf(trace, event)) {
        const std::string_view role = chainRoleId(link.role);
        sink.put(role).putRepeated(' ', 12 - role.size()).putRepeated(' ', 2 * depth++);
        putEvent(sink, trace, link.event);
    }
    const std::vector<EventId> work = deviceWorkBelow(trace, event);
    if (!isDeviceWork(trace.kind(event))) {
        constexpr std::size_t kShown = 20;
        sink.put("\ndevice work below it: ").put(formatCount(work.size())).put('\n');
        for (std::size_t i = 0; i < std::min(kShown, work.size()); ++i)
            putEvent(sink.put("  "), trace, work[i]);
        if (work.size() > kShown)
            sink.put("  and ").put(formatCount(work.size() - kShown)).put(" more\n");
    }
    if (const EventId forward = trace.forwardOf(event); forward != kNoEvent)
        putEvent(sink.put("\nforward: "), trace, forward);
    for (const EventId backward : trace.backwardOf(event))
        putEvent(sink.put("\nbackward: "), trace, backward);
}

} // namespace

void chain(const Command &command, const Options &options, Format format, TextSink &sink)
{
    const Wanted wanted = wantedOf(options);
    const std::vector<OpenTrace> traces = openTraces(command, options);
    const Trace &trace = *traces.front().trace;
    const EventId event = find(trace, wanted);
    if (event == kNoEvent) {
        throw UsageError(wanted.id ? "no event " + std::to_string(*wanted.id) + ": there are "
                                         + std::to_string(trace.eventCount())
                                   : "no event '" + wanted.name + "' starts at " + std::to_string(wanted.startNs));
    }
    if (format == Format::Table) {
        writeText(sink, trace, event);
        return;
    }
    JsonWriter writer(sink);
    beginDocument(writer, command, traces);
    writeJson(writer, trace, event);
    writer.endObject();
}

} // namespace ks::cli
