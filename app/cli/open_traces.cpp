// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/open_traces.h"

#include "core/import/import.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>

#include <unistd.h>

namespace ks::cli {
namespace {

// A line on the terminal that is overwritten while a large file is read and wiped at the end.
class ProgressLine
{
public:
    explicit ProgressLine(const std::string &file)
        : m_file(file)
    {}
    ~ProgressLine()
    {
        if (m_shown)
            std::fputs("\r\x1b[K", stderr);
    }
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    void show(const ProgressReport &report)
    {
        using Clock = std::chrono::steady_clock;
        const auto now = Clock::now().time_since_epoch().count();
        auto last = m_last.load();
        // Several workers report; one of them prints, at most ten times a second.
        if (now - last < Clock::duration(std::chrono::milliseconds(100)).count()
            || !m_last.compare_exchange_strong(last, now))
            return;
        m_shown = true;
        if (report.bytesTotal != 0)
            std::fprintf(stderr, "\r%s: %3d %%\x1b[K", m_file.c_str(),
                         static_cast<int>(100 * report.bytesDone / report.bytesTotal));
        else
            std::fprintf(stderr, "\r%s: %llu records\x1b[K", m_file.c_str(),
                         static_cast<unsigned long long>(report.records));
    }

private:
    const std::string &m_file;
    std::atomic<std::chrono::steady_clock::rep> m_last = std::chrono::steady_clock::now().time_since_epoch().count();
    std::atomic<bool> m_shown = false;
};

std::shared_ptr<const Trace> openOne(const std::string &file, bool showsProgress)
{
    if (!showsProgress)
        return importTrace(file);
    ProgressLine line(file);
    return importTrace(file, Progress({}, [&line](const ProgressReport &report) { line.show(report); }));
}

// One line of standard error stays one line.
std::string oneLine(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text;
}

} // namespace

std::vector<OpenTrace> openTraces(const Command &command, const Options &options)
{
    const bool isQuiet = options.has(kQuietOption.name);
    const bool showsProgress = !isQuiet && ::isatty(STDERR_FILENO) == 1;
    std::vector<OpenTrace> traces;
    std::string failures;
    for (const std::string &file : options.traces()) {
        try {
            traces.push_back({file, {}, openOne(file, showsProgress)});
        } catch (const ImportError &error) {
            if (!failures.empty())
                failures += '\n';
            failures += oneLine(file + ": byte " + std::to_string(error.byteOffset()) + ": " + error.what());
        }
    }
    if (!failures.empty())
        throw OpenFailed(failures);

    for (std::size_t i = 0; i < traces.size(); ++i) {
        OpenTrace &open = traces[i];
        open.rank = open.trace->metadata().rank;
        if (!open.rank && traces.size() > 1)
            open.rank = static_cast<std::int64_t>(i);
        if (isQuiet || command.tellsWarnings)
            continue;
        for (const Diagnostic &diagnostic : open.trace->diagnostics())
            std::fprintf(stderr, "kinetoscope-cli: %s\n",
                         oneLine(open.file + ": warning: " + diagnostic.message).c_str());
    }
    return traces;
}

} // namespace ks::cli
