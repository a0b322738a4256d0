// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/help.h"

#include <algorithm>

namespace ks::cli {
namespace {

struct Line
{
    std::string left;
    std::string_view right;
};

void putLines(TextSink &sink, const std::vector<Line> &lines)
{
    std::size_t width = 0;
    for (const Line &line : lines)
        width = std::max(width, line.left.size());
    for (const Line &line : lines)
        sink.put("  ").put(line.left).putRepeated(' ', width - line.left.size() + 2).put(line.right).put('\n');
}

} // namespace

void writeHelp(TextSink &sink)
{
    sink.put("Usage: kinetoscope-cli COMMAND [options] TRACE...\n"
             "       kinetoscope-cli COMMAND --help\n"
             "       kinetoscope-cli --version\n\n"
             "Answers questions about PyTorch profiler traces. A TRACE is JSON, plain or packed, recognised by "
             "content; - reads\n"
             "standard input. Several traces are several ranks of one run.\n\nCommands:\n");
    std::vector<Line> lines;
    for (const Command &command : commands())
        lines.push_back({std::string(command.name), command.summary});
    putLines(sink, lines);
    sink.put("\nExit code: 0 fine, 1 a gate failed, 2 usage, 3 a trace cannot be opened.\n");
}

void writeHelp(TextSink &sink, const Command &command)
{
    sink.put("Usage: kinetoscope-cli ").put(command.name).put(" [options] ").put(command.traces).put("\n\n");
    sink.put(command.summary).put("\n\nOptions:\n");
    std::vector<Line> lines;
    for (const OptionSpec &option : command.options()) {
        std::string left(option.name);
        if (!option.shortName.empty())
            left = std::string(option.shortName) + ", " + left;
        if (!option.value.empty())
            left.append(" ").append(option.value);
        lines.push_back({std::move(left), option.help});
    }
    putLines(sink, lines);
}

} // namespace ks::cli
