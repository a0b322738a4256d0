// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/info.h"

#include "app/cli/document.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/table/table_output.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace ks::cli {
namespace {

constexpr std::size_t kTitleColumns = 14;

void putFact(TextSink &sink, std::string_view title, std::string_view text)
{
    sink.put("  ")
        .put(title)
        .putRepeated(' ', kTitleColumns - std::min(kTitleColumns, columnsOf(title)))
        .put(text)
        .put('\n');
}

// "2025-07-01 23:00:36.000 UTC": never in local time, which would differ from machine to machine.
std::string wallClock(std::int64_t epochNs)
{
    using namespace std::chrono;
    const sys_time<nanoseconds> time{nanoseconds(epochNs)};
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(floor<milliseconds>(time - day));
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d.%03d UTC", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return text.data();
}

std::string fileFact(const Metadata &metadata)
{
    std::string text = formatBytes(static_cast<std::int64_t>(metadata.fileBytes));
    if (metadata.container != Container::Plain) {
        text += ", " + std::string(containerId(metadata.container)) + " of "
                + formatBytes(static_cast<std::int64_t>(metadata.jsonBytes)) + " JSON";
    }
    return text;
}

std::string timeFact(const Trace &trace)
{
    std::string text = formatDuration(trace.range().duration());
    if (trace.mainRange() != trace.range())
        text += " (" + formatDuration(trace.mainRange().duration()) + " without outliers)";
    if (trace.metadata().baseNs)
        text += ", from " + wallClock(saturatingAdd(*trace.metadata().baseNs, fileNs(trace, trace.range().begin)));
    return text;
}

// "3, 4, 7-9"
std::string stepsFact(const std::vector<std::int64_t> &numbers)
{
    std::string text;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[first]);
        if (last > first)
            text += (last == first + 1 ? ", " : "-") + std::to_string(numbers[last]);
        first = last + 1;
    }
    return text;
}

std::string recordedFact(const Recorded &recorded)
{
    const std::array parts = {
        std::pair{recorded.operators, "operators"}, std::pair{recorded.deviceWork, "device work"},
        std::pair{recorded.shapes, "shapes"},       std::pair{recorded.stacks, "python stacks"},
        std::pair{recorded.memory, "memory"},       std::pair{recorded.flows, "flows"},
        std::pair{recorded.steps, "steps"},         std::pair{recorded.syncs, "synchronisation"},
    };
    std::string text;
    for (const auto &[isThere, name] : parts) {
        if (isThere)
            text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return text.empty() ? "nothing" : text;
}

std::string deviceFact(const Device &device)
{
    std::string text = std::to_string(device.id) + ": " + device.name;
    if (device.memoryBytes)
        text += ", " + formatBytes(*device.memoryBytes);
    if (device.multiprocessors)
        text += ", " + std::to_string(*device.multiprocessors) + " SMs";
    return text + (device.used ? "" : ", not used");
}

Table categoryTable(const Trace &trace)
{
    Table table;
    table.texts("category");
    table.texts("phase");
    table.integers("count", Unit::Count);
    for (const CategoryCount &count : trace.metadata().categories) {
        table.column(0).append(count.category.empty() ? std::string("(none)") : count.category);
        table.column(1).append(count.phase);
        table.column(2).append(count.count);
    }
    return table;
}

Table laneTable(const Trace &trace)
{
    const OpenRows rows = openRows(trace);
    Table table;
    table.integers("lane", Unit::Id);
    table.texts("name");
    table.texts("process");
    table.texts("kind");
    table.integers("rows", Unit::Count);
    table.integers("events", Unit::Count);
    for (std::size_t i = 0; i < trace.lanes().size(); ++i) {
        const Lane &lane = trace.lanes()[i];
        const Process &process = trace.processOf(lane);
        std::string where = process.name.empty() ? process.pid.text() : process.name + " " + process.pid.text();
        for (const std::string &label : process.labels)
            where += ", " + label;
        table.column(0).append(i);
        table.column(1).append(lane.name);
        table.column(2).append(std::move(where));
        table.column(3).append(laneKindId(lane.kind));
        table.column(4).append(rows.rowsOfLane[i]);
        table.column(5).append(distance(lane.firstEvent, lane.endEvent));
    }
    return table;
}

} // namespace

void writeInfoText(TextSink &sink, const OpenTrace &open)
{
    const Trace &trace = *open.trace;
    const Metadata &metadata = trace.metadata();
    const Recorded recorded = recordedIn(trace);
    sink.put(open.file).put('\n');
    putFact(sink, "file", fileFact(metadata));
    if (open.rank) {
        putFact(sink, "rank",
                std::to_string(*open.rank)
                    + (metadata.worldSize ? " of " + std::to_string(*metadata.worldSize) : std::string()));
    }
    putFact(sink, "time", timeFact(trace));
    putFact(sink, "records",
            formatCount(metadata.records) + ": " + formatCount(trace.eventCount()) + " events, "
                + formatCount(trace.instants().size()) + " instants, " + formatCount(trace.memory().size())
                + " memory records, " + formatCount(metadata.counterSamples) + " counter samples");
    if (recorded.steps)
        putFact(sink, "steps", stepsFact(stepNumbers(trace)));
    for (const Device &device : metadata.devices)
        putFact(sink, &device == &metadata.devices.front() ? "devices" : "", deviceFact(device));
    putFact(sink, "recorded", recordedFact(recorded));
    const std::vector<std::string> missing = missingIn(trace, recorded);
    for (const std::string &sentence : missing)
        putFact(sink, &sentence == &missing.front() ? "not recorded" : "", sentence);
    const Diagnostics &diagnostics = trace.diagnostics();
    for (const Diagnostic &diagnostic : diagnostics)
        putFact(sink, &diagnostic == &diagnostics.front() ? "warnings" : "", diagnostic.message);
    if (!trace.lanes().empty()) {
        sink.put('\n');
        writeTableText(sink, laneTable(trace));
    }
    if (!metadata.categories.empty()) {
        sink.put('\n');
        writeTableText(sink, categoryTable(trace));
    }
}

} // namespace ks::cli
