// SPDX-License-Identifier: GPL-3.0-or-later
// kinetoscope-cli: the headless twin of the window.
#include "app/cli/document.h"
#include "app/cli/help.h"
#include "app/cli/open_traces.h"
#include "app/cli/output_file.h"
#include "core/base/error.h"
#include "core/base/version.h"
#include "core/table/table_output.h"
#include "core/trace/kernel_family.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace ks::cli {
namespace {

constexpr int kFine = 0;
constexpr std::size_t kMostTextColumns = 72; // of a text in a table
constexpr int kUsage = 2;
constexpr int kCannotOpen = 3;

void checkTraces(const Command &command, const Options &options)
{
    const std::size_t given = options.traces().size();
    if (given < command.minTraces)
        throw UsageError(std::string(command.name) + " needs a trace");
    if (given > command.maxTraces)
        throw UsageError(std::string(command.name) + " takes " + std::to_string(command.maxTraces) + " trace, not "
                         + std::to_string(given));
}

int writeTable(const Command &command, const Options &options, Format format, TextSink &sink)
{
    const auto sort = sortOf(options);
    const auto limit = options.count(kLimitOption.name);
    TableResult result = command.table(command, options);
    if (sort) {
        const auto column = result.table.find(sort->column);
        if (!column)
            throw UsageError("--sort: " + std::string(command.name) + " has no column '" + sort->column + "'");
        result.table.sort({*column, sort->ascending});
    }
    if (limit)
        result.table.limit(*limit);
    switch (format) {
    case Format::Table: {
        std::int64_t origin = std::numeric_limits<std::int64_t>::max();
        for (const OpenTrace &open : result.traces)
            origin = std::min(origin, static_cast<std::int64_t>(open.trace->fileTime(open.trace->range().begin)));
        writeTableText(sink, result.table, kMostTextColumns, origin);
        break;
    }
    case Format::Csv: writeTableCsv(sink, result.table); break;
    case Format::Json: {
        JsonWriter writer(sink);
        beginDocument(writer, command, result.traces, result.rules);
        writeTableJson(writer, result.table);
        if (result.moreMembers)
            result.moreMembers(writer);
        writer.endObject();
        break;
    }
    }
    return result.exitCode;
}

// The user's patterns for families of kernels. Lines that do not do are told and no reason to stop.
void readFamilies(bool isQuiet)
{
    const std::string file = userFamilyFile();
    for (const FamilyProblem &problem : useFamiliesOf(file)) {
        if (!isQuiet)
            std::fprintf(stderr, "kinetoscope-cli: %s:%zu: warning: %s\n", file.c_str(), problem.line,
                         problem.what.c_str());
    }
}

int runCommand(const Command &command, std::span<const std::string_view> arguments)
{
    const std::vector<OptionSpec> specs = command.options();
    const Options options(arguments, specs);
    const auto target = options.value(kOutputOption.name);
    if (options.has(kHelpOption.name)) {
        OutputFile output;
        TextSink sink([&output](std::string_view text) { output.write(text); });
        writeHelp(sink, command);
        sink.flush();
        return kFine;
    }
    checkTraces(command, options);
    readFamilies(options.has(kQuietOption.name));
    const Format format = formatOf(options);
    if (command.document && format == Format::Csv)
        throw UsageError(std::string(command.name) + " has no csv: --format table or json");
    if (command.file && !target)
        throw UsageError(std::string(command.name) + " needs -o FILE");

    OutputFile output = target ? OutputFile(std::string(*target)) : OutputFile();
    int exitCode = kFine;
    {
        TextSink sink([&output](std::string_view text) { output.write(text); });
        if (command.document)
            command.document(command, options, format, sink);
        else if (command.table)
            exitCode = writeTable(command, options, format, sink);
        else
            sink.put(command.file(command, options));
        sink.flush();
    }
    output.commit();
    return exitCode;
}

int run(std::span<const std::string_view> arguments)
{
    if (arguments.empty())
        throw UsageError("which command? (kinetoscope-cli --help lists them)");
    if (arguments.front() == "--version") {
        std::printf("kinetoscope-cli %s\n", versionText());
        return kFine;
    }
    if (arguments.front() == "--help" || arguments.front() == "-h") {
        OutputFile output;
        TextSink sink([&output](std::string_view text) { output.write(text); });
        writeHelp(sink);
        sink.flush();
        return kFine;
    }
    const Command *command = findCommand(arguments.front());
    if (!command)
        throw UsageError("unknown command '" + std::string(arguments.front()) + "'");
    return runCommand(*command, arguments.subspan(1));
}

// One line each.
int fail(std::string_view what, int exitCode)
{
    while (true) {
        const std::size_t end = what.find('\n');
        std::fprintf(stderr, "kinetoscope-cli: %.*s\n", static_cast<int>(std::min(end, what.size())), what.data());
        if (end == std::string_view::npos)
            return exitCode;
        what.remove_prefix(end + 1);
    }
}

} // namespace
} // namespace ks::cli

int main(int argc, char **argv)
{
    using namespace ks::cli;
    const std::vector<std::string_view> arguments(argv + 1, argv + std::max(argc, 1));
    try {
        return run(arguments);
    } catch (const UsageError &error) {
        return fail(error.what(), kUsage);
    } catch (const OpenFailed &error) {
        return fail(error.what(), kCannotOpen);
    } catch (const ks::SourceChanged &error) {
        return fail(error.what(), kCannotOpen);
    } catch (const OutputError &error) {
        return fail(error.what(), kUsage);
    } catch (const std::bad_alloc &) {
        return fail("out of memory", kCannotOpen);
    }
}
