// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/trace_dump.h"

#include "core/trace/trace.h"

#include <sstream>
#include <string_view>
#include <vector>

namespace ks {
namespace {

std::string idText(EventId id)
{
    return id == kNoEvent ? "-" : std::to_string(index(id));
}

std::string laneText(LaneId id)
{
    return id == kNoLane ? "-" : std::to_string(index(id));
}

template<typename T>
std::string optionalText(const std::optional<T> &value)
{
    return value ? std::to_string(*value) : "-";
}

void dumpMetadata(std::ostream &out, const Trace &trace)
{
    const Metadata &m = trace.metadata();
    out << "json " << m.jsonBytes << " records " << m.records << " rank " << optionalText(m.rank) << '/' << optionalText(m.worldSize) << " base "
        << optionalText(m.baseNs) << " counters " << m.counterSamples << " async " << m.asyncInstants << " shapes " << m.hasShapes << '\n';
    out << "flags " << optionalText(m.profiler.recordShapes) << optionalText(m.profiler.profileMemory) << optionalText(m.profiler.withStack)
        << optionalText(m.profiler.withModules) << optionalText(m.profiler.withFlops) << '\n';
    for (const Device &device : m.devices)
        out << "device " << device.id << " '" << device.name << "' " << optionalText(device.memoryBytes) << ' ' << optionalText(device.multiprocessors)
            << ' ' << device.used << '\n';
    for (const auto &[key, value] : m.topLevel)
        out << "key '" << key << "' = " << value << '\n';
    for (const CategoryCount &count : m.categories)
        out << "category '" << count.category << "' '" << count.phase << "' " << count.count << '\n';
    out << "range " << trace.range().begin << ".." << trace.range().end << " main " << trace.mainRange().begin << ".." << trace.mainRange().end
        << " origin " << static_cast<std::int64_t>(trace.fileTime(0)) << '\n';
    for (const Diagnostic &note : trace.diagnostics())
        out << "note " << diagnosticId(note.kind) << ' ' << note.count << " at " << optionalText(note.firstByte) << ": " << note.message << '\n';
}

void dumpPlaces(std::ostream &out, const Trace &trace)
{
    for (const Process &process : trace.processes()) {
        out << "process '" << process.pid.text() << "' '" << process.name << "' sort " << process.sortIndex << " rank " << optionalText(process.rank);
        for (const std::string &label : process.labels)
            out << " label '" << label << '\'';
        for (const LaneId lane : process.lanes)
            out << ' ' << laneText(lane);
        out << '\n';
    }
    for (const Lane &lane : trace.lanes())
        out << "lane of " << index(lane.process) << ' ' << laneKindId(lane.kind) << " role " << static_cast<int>(lane.role) << " tid '" << lane.tid.text()
            << "' " << lane.hasThread << " '" << lane.name << "' sort " << lane.sortIndex << " device " << optionalText(lane.device) << " stream "
            << optionalText(lane.stream) << " rows " << index(lane.firstRow) << ".." << index(lane.endRow) << " events " << index(lane.firstEvent)
            << ".." << index(lane.endEvent) << '\n';
    for (const Row &row : trace.rows())
        out << "row of " << laneText(row.lane) << " group " << static_cast<int>(row.group) << " depth " << row.depth << " events "
            << index(row.firstEvent) << ".." << index(row.endEvent) << '\n';
}

void dumpEvents(std::ostream &out, const Trace &trace)
{
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        const auto id = static_cast<EventId>(i);
        out << "event " << i << ' ' << trace.begin(id) << '+' << trace.duration(id) << " self " << trace.selfTime(id) << " '" << trace.name(id) << "' '"
            << trace.category(id) << "' " << eventKindId(trace.kind(id)) << " parent " << idText(trace.parent(id)) << " caller "
            << idText(trace.caller(id)) << " file " << trace.fileIndex(id) << " at " << trace.recordOffset(id) << " end at "
            << trace.events().endRecord.value(id, 0) << (trace.isUnfinished(id) ? " unfinished" : "") << '\n';
    }
}

void dumpLinks(std::ostream &out, const Trace &trace)
{
    const LaunchLinks &links = trace.links();
    for (const EventId work : links.ofWork.ids()) {
        const LaunchLink link = trace.launchLink(work);
        out << "work " << idText(work) << " launch " << idText(link.launch) << " op " << idText(link.op) << " via " << static_cast<int>(link.via)
            << " correlation " << links.correlation.value(work, 0) << '\n';
    }
    const auto pairs = [&](const char *what, const EventPairs &all) {
        for (std::size_t i = 0; i < all.size(); ++i)
            out << what << ' ' << idText(all.from()[i]) << " -> " << idText(all.to()[i]) << '\n';
    };
    pairs("launched", links.workOfLaunch);
    pairs("of operator", links.workOfOperator);
    for (const EventId launch : links.launches)
        out << "launch " << idText(launch) << '\n';
    for (const Arrow &arrow : trace.arrows().all)
        out << "arrow " << idText(arrow.from) << " -> " << idText(arrow.to) << " '" << nameText(arrow.category) << "'\n";
    for (const std::uint32_t position : trace.arrows().byTarget)
        out << "by target " << position << '\n';
    out << "dangling " << trace.arrows().danglingEnds << '\n';
    for (const EventId backward : trace.events().caller.ids())
        out << "caller of " << idText(backward) << '\n';
}

void dumpRest(std::ostream &out, const Trace &trace)
{
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (const EventId forward = trace.forwardOf(static_cast<EventId>(i)); forward != kNoEvent)
            out << "mate " << i << " forward " << idText(forward) << '\n';
        for (const EventId backward : trace.backwardOf(static_cast<EventId>(i)))
            out << "mate " << i << " backward " << idText(backward) << '\n';
    }
    for (const MemoryRecord &record : trace.memory())
        out << "memory " << record.time << ' ' << record.bytes << " @" << record.address << " total " << record.totalAllocated << ' '
            << record.totalReserved << " at " << record.recordOffset << " lane " << laneText(record.lane) << " device " << record.deviceType << ':'
            << record.deviceId << (record.outOfMemory ? " oom" : "") << '\n';
    for (const Instant &instant : trace.instants())
        out << "instant " << instant.time << " '" << nameText(instant.name) << "' '" << nameText(instant.category) << "' at " << instant.recordOffset
            << " lane " << laneText(instant.lane) << " scope " << static_cast<int>(instant.scope) << '\n';
    for (const Counter &counter : trace.counters()) {
        out << "counter '" << counter.pid.text() << "' '" << counter.name << "' id " << (counter.id ? counter.id->text() : "-") << '\n';
        for (const CounterSeries &series : counter.series) {
            out << "series '" << series.name << '\'';
            for (std::size_t i = 0; i < series.times.size(); ++i)
                out << ' ' << series.times[i] << '=' << series.values[i];
            out << '\n';
        }
    }
    for (const Step &step : trace.steps())
        out << "step " << step.number << ' ' << idText(step.event) << ' ' << step.range.begin << ".." << step.range.end << '\n';
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}

} // namespace

std::string dumpTrace(const Trace &trace)
{
    std::ostringstream out;
    out.precision(17);
    dumpMetadata(out, trace);
    dumpPlaces(out, trace);
    dumpEvents(out, trace);
    dumpLinks(out, trace);
    dumpRest(out, trace);
    return std::move(out).str();
}

std::string firstDifference(const std::string &a, const std::string &b)
{
    if (a == b)
        return {};
    const std::vector<std::string_view> left = linesOf(a);
    const std::vector<std::string_view> right = linesOf(b);
    std::size_t i = 0;
    while (i < left.size() && i < right.size() && left[i] == right[i])
        ++i;
    const auto line = [i](const std::vector<std::string_view> &lines) { return i < lines.size() ? std::string(lines[i]) : "(nothing)"; };
    return "line " + std::to_string(i + 1) + " of " + std::to_string(left.size()) + " and " + std::to_string(right.size()) + " lines:\n  " + line(left)
           + "\n  " + line(right);
}

} // namespace ks
