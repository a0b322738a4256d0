// SPDX-License-Identifier: GPL-3.0-or-later
// The commands. A new one is an entry in the registry of analyses, or a file with its function, and a line in the table of
// commands.cpp.
#pragma once

#include "app/cli/options.h"
#include "core/base/text_sink.h"
#include "core/table/table.h"

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ks {
class JsonWriter;
class Trace;
} // namespace ks

namespace ks::cli {

struct OpenTrace
{
    std::string file;                 // as given
    std::optional<std::int64_t> rank; // told by the file, else the position among several
    std::shared_ptr<const Trace> trace;
};

struct TableResult
{
    Table table;
    std::vector<OpenTrace> traces;
    std::string rules = "kinetoscope";
    std::function<void(JsonWriter &)> moreMembers; // further keys of the JSON object
    int exitCode = 0;
};

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

struct Command
{
    // Exactly one is set. Each first reads its options (UsageError), then opens its traces (openTraces()), then writes.
    using Document = void (*)(const Command &, const Options &, Format, TextSink &);
    using TableOf = TableResult (*)(const Command &, const Options &);
    using File = std::string (*)(const Command &, const Options &); // the bytes of a file that needs --output

    std::string_view name;
    std::string_view summary;
    std::string_view traces; // for the help: "TRACE..."
    std::size_t minTraces;
    std::size_t maxTraces;
    bool tellsWarnings; // its output tells what was odd about the traces, so standard error need not
    std::vector<OptionSpec> own;
    Document document = nullptr;
    TableOf table = nullptr;
    File file = nullptr;

    std::vector<OptionSpec> options() const; // its own and those of its kind
};

std::span<const Command> commands();
const Command *findCommand(std::string_view name); // null if there is none

void info(const Command &, const Options &, Format, TextSink &);
void dump(const Command &, const Options &, Format, TextSink &);
void chain(const Command &, const Options &, Format, TextSink &);
TableResult search(const Command &, const Options &);
TableResult compare(const Command &, const Options &);
std::string trim(const Command &, const Options &);
std::string render(const Command &, const Options &);

} // namespace ks::cli
