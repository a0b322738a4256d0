// SPDX-License-Identifier: GPL-3.0-or-later
// render: the time line as the window draws it. The only command that needs Qt.
#include "widgets/render/render_timeline.h"

#include "app/cli/command.h"
#include "app/cli/filter_option.h"
#include "app/cli/open_traces.h"

#include <QBuffer>
#include <QByteArray>
#include <QGuiApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace ks::cli {
namespace {

struct Size
{
    int width = 1600;
    int height = 900;
};

Size sizeOf(const Options &options)
{
    const auto text = options.value("--size");
    if (!text)
        return {};
    constexpr int kMost = 30000;
    Size size;
    const char *const end = text->data() + text->size();
    const auto width = std::from_chars(text->data(), end, size.width);
    const bool hasCross = width.ec == std::errc() && width.ptr != end && (*width.ptr == 'x' || *width.ptr == 'X');
    const auto height = hasCross ? std::from_chars(width.ptr + 1, end, size.height) : width;
    if (!hasCross || height.ec != std::errc() || height.ptr != end || size.width < 1 || size.height < 1
        || size.width > kMost || size.height > kMost)
        throw UsageError("--size: '" + std::string(*text) + "' is no size like 1600x900");
    return size;
}

ColourMode colourModeOf(const Options &options)
{
    constexpr std::array<std::pair<std::string_view, ColourMode>, kColourModes> kModes = {{
        {"family", ColourMode::Family},
        {"name", ColourMode::Name},
        {"category", ColourMode::Category},
        {"module", ColourMode::Module},
        {"phase", ColourMode::Phase},
        {"step", ColourMode::Step},
        {"delay", ColourMode::Delay},
        {"occupancy", ColourMode::Occupancy},
    }};
    const std::string_view wanted = options.value("--colour-by").value_or("family");
    const auto *mode =
        std::find_if(kModes.begin(), kModes.end(), [wanted](const auto &known) { return known.first == wanted; });
    if (mode == kModes.end())
        throw UsageError("--colour-by: '" + std::string(wanted) + "' is no way to colour");
    return mode->second;
}

int scaleOf(const Options &options)
{
    const std::int64_t scale = options.integer("--scale").value_or(1);
    if (scale < 1 || scale > 4)
        throw UsageError("--scale: 1 to 4");
    return static_cast<int>(scale);
}

// One bit an event; empty: all of them match.
std::vector<std::uint64_t> matchingBits(const Filter &filter, const Trace &trace)
{
    if (filter.letsAllPass())
        return {};
    return filter.matches(trace, {trace.metadata().rank, {}}).takeWords();
}

bool endsWith(std::string_view text, std::string_view suffix)
{
    return text.size() >= suffix.size()
           && std::equal(suffix.rbegin(), suffix.rend(), text.rbegin(),
                         [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

TimeNs traceTimeOf(const Trace &trace, const Scope::TimeBound &point)
{
    return point.isSinceStart ? saturatingAdd(trace.range().begin, point.ns) : trace.traceTime(FileTimeNs{point.ns});
}

// The hull of what is selected; empty if nothing is.
TimeRange rangeOf(const Trace &trace, const Scope &scope)
{
    if (!scope.steps && !scope.from && !scope.to)
        return {};
    TimeRange range = trace.range();
    if (scope.steps) {
        bool isFirst = true;
        for (const Step &step : trace.steps()) {
            if (step.number < scope.steps->first || step.number > scope.steps->last)
                continue;
            range = isFirst ? step.range : range.united(step.range);
            isFirst = false;
        }
        if (isFirst)
            throw UsageError("--step: the trace has no such step");
    }
    if (scope.from)
        range.begin = std::max(range.begin, traceTimeOf(trace, *scope.from));
    if (scope.to)
        range.end = std::min(range.end, traceTimeOf(trace, *scope.to));
    if (range.isEmpty())
        throw UsageError("the selected range is empty");
    return range;
}

} // namespace

std::string render(const Command &command, const Options &options)
{
    const std::string_view target = options.value(kOutputOption.name).value_or("");
    const bool isPng = endsWith(target, ".png");
    if (!isPng && !endsWith(target, ".svg"))
        throw UsageError("render writes .png and .svg, not '" + std::string(target) + "'");
    const Size size = sizeOf(options);
    const Scope scope = scopeOf(options);
    RenderOptions how;
    how.colours = colourModeOf(options);
    how.dpr = scaleOf(options);
    how.dark = options.has("--dark");
    const Filter filter = filterFrom(options);
    const std::vector<OpenTrace> traces = openTraces(command, options);
    const Trace &trace = *traces.front().trace;

    // Standard error belongs to the command: Qt's remarks about the machine are no part of it.
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {});
    // Fonts need an application, but no display: the same picture on every machine.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    for (const char *variable : {"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_QPA_PLATFORMTHEME"})
        qunsetenv(variable);
    QLocale::setDefault(QLocale::c());
    int argc = 1;
    char name[] = "kinetoscope-cli";
    char *argv[] = {name, nullptr};
    const QGuiApplication application(argc, argv);

    const std::vector<std::uint64_t> matching = matchingBits(filter, trace);
    how.matching = matching;
    how.range = rangeOf(trace, scope);
    how.width = size.width;
    how.height = size.height;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    bool isWritten = false;
    if (isPng) {
        const QImage image = renderTimelineImage(trace, how);
        isWritten = !image.isNull() && image.save(&buffer, "PNG");
    } else {
        isWritten = renderTimelineSvg(trace, how, buffer);
    }
    if (!isWritten)
        throw UsageError("--size: no picture of that size can be made");
    return bytes.toStdString();
}

} // namespace ks::cli
