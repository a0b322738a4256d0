// SPDX-License-Identifier: GPL-3.0-or-later
// What a frame of the timeline costs: 300 frames of panning and zooming over a trace, or over generated rows.
//
//   bench_timeline TRACE.json.gz [TRACE]   a real trace; two are compared, one below the other
//   bench_timeline EVENTS ROWS [EVENTS]    generated, e.g. 10000000 304
//
// Prints CPU milliseconds per frame (median, p99, greatest) and the median as a multiple of one memcpy of the frame's pixels.
// A script runs three times and the least counts for each frame, since the work is the same every time and what comes on top
// is the machine's; "the first time" is what a script took when everything was new.
#include "core/import/import.h"
#include "tests/bench/timeline_scene.h"
#include "widgets/render/timeline_painter.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QScrollBar>
#include <QWindow>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

using namespace ks;

namespace {

constexpr int kFrames = 300;
constexpr int kRuns = 3;
constexpr int kWidth = 1920 + 220;
constexpr int kHeight = 1080 + 66;

// Time of this thread on a core, so that a busy machine does not count.
class CpuTimer
{
public:
    void start() { m_start = now(); }
    void restart() { start(); }
    double milliseconds() const { return (now() - m_start) * 1e3; }

private:
    static double now()
    {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
    }
    double m_start = 0;
};

double processMilliseconds()
{
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

double milliseconds(const CpuTimer &timer)
{
    return timer.milliseconds();
}

double memcpyTime(const QSize &size)
{
    std::vector<std::uint32_t> from(static_cast<std::size_t>(size.width()) * static_cast<std::size_t>(size.height()),
                                    1);
    std::vector<std::uint32_t> to(from.size());
    double best = 1e9;
    for (int i = 0; i < 20; ++i) {
        CpuTimer timer;
        timer.start();
        std::memcpy(to.data(), from.data(), from.size() * sizeof(std::uint32_t));
        best = std::min(best, milliseconds(timer));
    }
    return best;
}

// What `frame(i)` takes, i of [0, count): the least of some runs for each.
template<typename Frame>
std::vector<double> leastTimes(int count, Frame frame)
{
    std::vector<double> least(static_cast<std::size_t>(count), 1e9);
    for (int run = 0; run < kRuns; ++run) {
        for (int i = 0; i < count; ++i) {
            double &time = least[static_cast<std::size_t>(i)];
            time = std::min(time, frame(i));
        }
    }
    return least;
}

void report(const char *what, std::vector<double> times, double memcpyMs)
{
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    std::printf("%-34s median %6.2f ms  p99 %6.2f  max %6.2f  = %5.1f memcpy\n", what, median,
                times[times.size() * 99 / 100], times.back(), median / memcpyMs);
}

// The same zoom without the widget around it: deciding what to draw, and drawing it.
void reportParts(const TimelineView &view, TimeRange whole, double memcpyMs)
{
    const Track &track = view.tracks().tracks().front();
    const Shading &shading = *view.shadings().shown().front();
    DrawOptions options;
    options.colours = shading.colours.get();
    options.levels = shading.levels.get();
    LabelCache labels(timelineFont());
    const int height = std::min(view.viewport()->height(), track.layout.height());
    QImage image(view.viewport()->size(), QImage::Format_RGB32);
    DrawList list;
    CpuTimer timer;
    const auto viewportAt = [&](int i) {
        const double phase = static_cast<double>(i) / kFrames;
        Viewport viewport(whole, whole, image.width());
        viewport.zoomAt(image.width() * (0.2 + 0.5 * phase),
                        std::pow(1e4, 0.5 - 0.5 * std::cos(phase * 4 * 3.14159265)));
        return viewport;
    };
    const auto decide = [&](int i) {
        const Viewport viewport = viewportAt(i);
        timer.restart();
        list = buildDrawList(*track.trace, viewport, track.layout, 0, height, options, std::move(list));
        return milliseconds(timer);
    };
    const auto paint = [&](int i) {
        decide(i);
        timer.restart();
        paintLanes(image, {}, 1,
                   {*track.trace, list, track.layout, lightTheme(), static_cast<double>(image.width()), height, 0},
                   labels);
        return milliseconds(timer);
    };
    const std::vector<double> deciding = leastTimes(kFrames, decide);
    const std::vector<double> painting = leastTimes(kFrames, paint);
    report("  what to draw", deciding, memcpyMs);
    report("  drawing it", painting, memcpyMs);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_timeline TRACE [TRACE] | EVENTS ROWS [EVENTS]\n");
        return 2;
    }
    CpuTimer timer;
    timer.start();
    const bool isMade = argc > 2 && std::atoi(argv[1]) > 0;
    std::vector<std::shared_ptr<const Trace>> traces;
    for (int i = 1; i < argc && i < 4; ++i) {
        if (!isMade)
            traces.push_back(importTrace(argv[i]));
        else if (i != 2)
            traces.push_back(timelineScene(std::atoi(argv[i]), std::atoi(argv[2])));
    }
    const auto trace = traces.front();
    for (const auto &one : traces)
        std::printf("%zu events, %zu rows, %zu lanes; ", one->eventCount(), one->rows().size(), one->lanes().size());
    std::printf("made in %.0f ms\n", milliseconds(timer));

    ViewState state;
    TimelineView view(state);
    view.setAnimationTime(0);
    view.resize(kWidth, kHeight);
    view.show();
    while (!view.windowHandle() || !view.windowHandle()->isExposed())
        QCoreApplication::processEvents();
    timer.restart();
    for (const auto &one : traces)
        state.traces().add(one);
    if (traces.size() > 1)
        state.traces().setRelation(TraceSet::Relation::RunsCompared);
    view.foldAll(false);
    std::printf("view index and layout %.1f ms\n", milliseconds(timer));
    timer.restart();
    view.viewport()->repaint();
    std::printf("first frame %.1f ms\n", milliseconds(timer));
    if (std::getenv("KS_NO_PYRAMIDS") == nullptr) {
        const double before = processMilliseconds();
        while (view.shadings().isWorking())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        const std::size_t bytes = view.shadings().shown().front()->levels->bytes();
        std::printf("pyramids %.1f MB = %.2f bytes per event, %.0f ms on a worker\n", static_cast<double>(bytes) / 1e6,
                    static_cast<double>(bytes) / static_cast<double>(trace->eventCount()),
                    processMilliseconds() - before);
    }
    const double memcpyMs = memcpyTime(view.viewport()->size());

    const TimeRange whole = trace->mainRange().isEmpty() ? trace->range() : trace->mainRange();
    const auto show = [&](TimeRange range) {
        timer.restart();
        state.setVisibleRange(range);
        view.viewport()->repaint();
        return milliseconds(timer);
    };
    // In to a ten-thousandth around a moving point, and out again, twice.
    const auto zoom = [&](int i) {
        const double phase = static_cast<double>(i) / kFrames;
        const double factor = std::pow(1e4, 0.5 - 0.5 * std::cos(phase * 4 * 3.14159265));
        const double span = static_cast<double>(whole.duration()) / factor;
        const auto begin =
            whole.begin + static_cast<TimeNs>((static_cast<double>(whole.duration()) - span) * (0.2 + 0.5 * phase));
        return show({begin, begin + static_cast<TimeNs>(span) + 1});
    };
    const auto reportZooming = [&](const std::string &what) {
        std::vector<double> firstTime;
        for (int i = 0; i < kFrames; ++i)
            firstTime.push_back(zoom(i));
        report((what + ", the first time").c_str(), firstTime, memcpyMs);
        report(what.c_str(), leastTimes(kFrames, zoom), memcpyMs);
        report("  of all threads together",
               leastTimes(kFrames,
                          [&](int i) {
                              const double before = processMilliseconds();
                              zoom(i);
                              return processMilliseconds() - before;
                          }),
               memcpyMs);
        reportParts(view, whole, memcpyMs);
    };
    for (const double part : {1.0, 0.1, 0.01}) {
        const auto span = static_cast<TimeNs>(static_cast<double>(whole.duration()) * part);
        const auto pan = [&](int i) {
            const TimeNs begin =
                whole.begin + (whole.duration() - span) * i / (kFrames / 3) + (part == 1.0 ? i * span / 5000 : 0);
            return show({begin, begin + span});
        };
        char what[64];
        std::snprintf(what, sizeof what, "pan at %g of the trace", part);
        report(what, leastTimes(kFrames / 3, pan), memcpyMs);
    }
    reportZooming("zoom in and out");
    // The parts beside the lanes, each alone.
    for (QWidget *part : view.findChildren<QWidget *>(Qt::FindDirectChildrenOnly)) {
        if (part == view.viewport() || !part->isVisible() || part->accessibleName().isEmpty())
            continue;
        const std::vector<double> times = leastTimes(100, [&](int) {
            timer.restart();
            part->repaint();
            return milliseconds(timer);
        });
        report(("  " + part->accessibleName().toStdString()).c_str(), times, memcpyMs);
    }
    const auto repaint = [&](int) {
        timer.restart();
        view.viewport()->repaint();
        return milliseconds(timer);
    };
    report("nothing changed", leastTimes(100, repaint), memcpyMs);
    view.setRowPitch(2);
    while (view.shadings().isWorking())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    reportZooming("zoom, rows of 2 px");
    std::vector<double> hovering;
    for (int i = 0; i < kFrames; ++i) {
        const QPointF place(20 + i * 6, 40 + i * 3);
        timer.restart();
        const auto target = view.targetAt(place);
        if (target.hit.kind == Hit::Kind::Run)
            (void)runFacts(*trace, target.track->index->durations(), target.hit.first, target.hit.end);
        hovering.push_back(milliseconds(timer));
    }
    report("what is under the mouse", hovering, memcpyMs);
    std::printf("memcpy of the frame %.2f ms\n", memcpyMs);
    return 0;
}
