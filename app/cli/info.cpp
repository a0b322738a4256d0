// SPDX-License-Identifier: GPL-3.0-or-later
// info: what is in this file, and what was not recorded?
#include "app/cli/info.h"

#include "app/cli/document.h"
#include "app/cli/open_traces.h"

#include <algorithm>
#include <array>

namespace ks::cli {
namespace {

using Layout = JsonWriter::Layout;

void writeCard(JsonWriter &writer, const OpenTrace &open)
{
    const Trace &trace = *open.trace;
    const Metadata &metadata = trace.metadata();
    const Recorded recorded = recordedIn(trace);
    writer.beginObject(Layout::Lines)
        .member("file", open.file)
        .member("bytes", metadata.fileBytes)
        .member("container", containerId(metadata.container))
        .member("json_bytes", metadata.jsonBytes)
        .member("rank", open.rank)
        .member("world_size", metadata.worldSize)
        .member("base_ns", metadata.baseNs);
    writeRange(writer, trace);
    writer.member("records", metadata.records)
        .member("events", trace.eventCount())
        .member("instants", trace.instants().size() + trace.memory().size())
        .member("counter_samples", metadata.counterSamples);

    writer.key("devices").beginArray();
    for (const Device &device : metadata.devices) {
        writer.beginObject()
            .member("id", device.id)
            .member("name", device.name)
            .member("memory_bytes", device.memoryBytes)
            .member("sms", device.multiprocessors)
            .member("used", device.used)
            .endObject();
    }
    writer.endArray();
    const ProfilerFlags &flags = metadata.profiler;
    writer.key("profiler")
        .beginObject()
        .member("record_shapes", flags.recordShapes)
        .member("profile_memory", flags.profileMemory)
        .member("with_stack", flags.withStack)
        .member("with_modules", flags.withModules)
        .member("with_flops", flags.withFlops)
        .endObject();
    writer.key("recorded")
        .beginObject()
        .member("shapes", recorded.shapes)
        .member("stacks", recorded.stacks)
        .member("memory", recorded.memory)
        .member("device_work", recorded.deviceWork)
        .member("flows", recorded.flows)
        .member("steps", recorded.steps)
        .member("syncs", recorded.syncs)
        .endObject();
    writer.key("missing").beginArray(Layout::Lines);
    for (const std::string &sentence : missingIn(trace, recorded))
        writer.value(sentence);
    writer.endArray().key("categories").beginArray(Layout::Lines);
    for (const CategoryCount &count : metadata.categories) {
        writer.beginObject()
            .member("category", count.category)
            .member("phase", count.phase)
            .member("count", count.count)
            .endObject();
    }
    writer.endArray();
    writeLanes(writer, trace, openRows(trace));
    writer.key("steps").beginArray();
    for (const std::int64_t number : stepNumbers(trace))
        writer.value(number);
    writer.endArray();
    writeWarnings(writer, trace);
    writer.endObject();
}

} // namespace

Recorded recordedIn(const Trace &trace)
{
    std::array<bool, 16> kinds{};
    for (const Category &category : trace.categories())
        kinds[static_cast<std::size_t>(category.kind)] = true;
    const auto has = [&kinds](EventKind kind) { return kinds[static_cast<std::size_t>(kind)]; };
    const auto &counts = trace.metadata().categories;
    Recorded recorded;
    recorded.shapes = trace.metadata().hasShapes;
    recorded.stacks = has(EventKind::Python);
    recorded.memory = !trace.memory().empty();
    recorded.deviceWork = has(EventKind::Kernel) || has(EventKind::Memcpy) || has(EventKind::Memset);
    recorded.flows = std::any_of(counts.begin(), counts.end(), [](const CategoryCount &count) {
        return count.phase == "s" || count.phase == "t" || count.phase == "f";
    });
    recorded.steps = !trace.steps().empty();
    recorded.syncs = has(EventKind::Sync);
    recorded.operators = has(EventKind::Operator);
    return recorded;
}

std::vector<std::string> missingIn(const Trace &trace, const Recorded &recorded)
{
    std::vector<std::string> missing;
    if (trace.eventCount() == 0)
        return missing;
    if (!recorded.operators)
        missing.emplace_back("Operators were not recorded: activities=[ProfilerActivity.CPU, ...].");
    if (!recorded.deviceWork)
        missing.emplace_back(
            "No device work was recorded: activities=[..., ProfilerActivity.CUDA] (XPU, MTIA) on a machine with one.");
    if (!recorded.shapes && recorded.operators)
        missing.emplace_back("Input shapes were not recorded: record_shapes=True.");
    if (!recorded.stacks)
        missing.emplace_back("Python stacks and modules were not recorded: with_stack=True.");
    if (!recorded.memory)
        missing.emplace_back("Memory was not recorded: profile_memory=True.");
    if (!recorded.steps)
        missing.emplace_back("There are no steps: call prof.step() after each step, or give the profiler a schedule.");
    if (!recorded.syncs && recorded.deviceWork)
        missing.emplace_back("Synchronisation of the device was not recorded: "
                             "experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True).");
    return missing;
}

std::vector<std::int64_t> stepNumbers(const Trace &trace)
{
    std::vector<std::int64_t> numbers;
    for (const Step &step : trace.steps())
        numbers.push_back(step.number);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

void info(const Command &command, const Options &options, Format format, TextSink &sink)
{
    const std::vector<OpenTrace> traces = openTraces(command, options);
    if (format == Format::Table) {
        for (const OpenTrace &open : traces) {
            if (&open != &traces.front())
                sink.put('\n');
            writeInfoText(sink, open);
        }
        return;
    }
    JsonWriter writer(sink);
    beginDocument(writer, command, traces);
    writer.key("cards").beginArray(Layout::Lines);
    for (const OpenTrace &open : traces)
        writeCard(writer, open);
    writer.endArray().endObject();
}

} // namespace ks::cli
