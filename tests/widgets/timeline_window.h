// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline in a window of its own over a small trace, and what its tests do with it.
#pragma once

#include "tests/support/trace_maker.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QTest>
#include <QWheelEvent>

#include <memory>

namespace ks {

inline std::shared_ptr<const Trace> smallTrace()
{
    TraceMaker maker;
    maker.thread(100, "main")
        .step(1, 0, 1000)
        .op("aten::linear", 100, 300)
        .op("aten::addmm", 120, 200)
        .launch("cudaLaunchKernel", 150, 20, 7)
        .op("aten::relu", 500, 100)
        .launch("cuLaunchKernelEx", 520, 10, 8)
        .python("train.py(1): step", 50, 900, 1)
        .python("train.py(2): forward", 90, 400, 2, 1)
        .step(2, 1000, 1000)
        .op("aten::linear", 1100, 300)
        .kernel("ampere_sgemm", 400, 200, 7, 7)
        .kernel("vectorized_elementwise_kernel", 650, 100, 7, 8)
        .kernel("ampere_sgemm", 1500, 200, 7, 9);
    // A crowd that merges at any usual zoom: 400 kernels of 20 ns, one of 60 ns.
    for (int i = 0; i < 400; ++i)
        maker.kernel("tiny", 1900 + i * 0.1, i == 123 ? 0.06 : 0.02, 7, 0);
    return maker.build();
}

inline EventId eventNamed(const Trace &trace, std::string_view name, std::size_t nth = 0)
{
    std::vector<EventId> found;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.name(static_cast<EventId>(i)) == name)
            found.push_back(static_cast<EventId>(i));
    }
    return nth < found.size() ? found[nth] : kNoEvent;
}

struct Window
{
    ViewState state;
    TimelineView view{state};
    std::shared_ptr<const Trace> trace;

    explicit Window(std::shared_ptr<const Trace> opened = smallTrace(), QSize size = {1220, 700})
        : trace(std::move(opened))
    {
        view.setAnimationTime(0);
        view.resize(size);
        state.traces().add(trace);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view))
            qFatal("no window");
        view.setFocus();
        showAll();
    }
    void showAll()
    {
        state.setVisibleRange(trace->range());
        draw();
    }
    void draw() { view.viewport()->repaint(); }
    EventRef ref(std::string_view name, std::size_t nth = 0)
    {
        return state.traces().ref(0, eventNamed(*trace, name, nth));
    }
    QPoint centre(EventRef event)
    {
        draw();
        const QPointF middle = view.rectOf(event).center();
        return {static_cast<int>(std::floor(middle.x())), static_cast<int>(std::floor(middle.y()))};
    }
    void click(EventRef event) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, centre(event)); }
    const EventRef *selected() { return selectedEvent(state.selection()); }
    void wheel(QPoint at, QPoint delta, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, delta, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(view.viewport(), &event);
        draw();
    }
};

} // namespace ks
