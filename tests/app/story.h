// SPDX-License-Identifier: GPL-3.0-or-later
// A window driven as a person would: opened files, mouse and keys delivered to what is under them. Waits are always for a condition.
#pragma once

#include "app/kept_views.h"
#include "app/main_window.h"
#include "app/message_bar.h"
#include "widgets/panes/details_pane.h"
#include "widgets/timeline/timeline_view.h"

#include <QCoreApplication>
#include <QDir>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>
#include <QWheelEvent>

namespace ks {

// Settings of its own, empty.
inline void useOwnSettings(const QString &name)
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("kinetoscope"));
    QCoreApplication::setApplicationName(name);
    QSettings().clear();
}

inline QString samplePath(const char *name)
{
    return QStringLiteral(KS_SOURCE_DIR "/resources/samples/%1").arg(QLatin1String(name));
}

class Story
{
public:
    enum class Before { Forgotten, Kept }; // what earlier windows kept of the traces they had open
    explicit Story(Before before = Before::Forgotten)
    {
        if (before == Before::Forgotten)
            QDir(KeptViews::folder()).removeRecursively();
        window.resize(1400, 900);
        window.show();
        (void)QTest::qWaitForWindowActive(&window);
    }

    // Opens and waits until it is there; false if it does not come.
    bool open(const QString &path)
    {
        const std::uint32_t before = state.traces().isEmpty() ? 0 : state.traces().generation(0);
        window.open({path});
        const bool done = QTest::qWaitFor(
            [&] {
                return !window.loader().isLoading() && !state.traces().isEmpty()
                       && state.traces().generation(0) != before;
            },
            60'000);
        QCoreApplication::processEvents(); // the first picture
        return done;
    }

    const Trace &trace() const { return state.traces().at(0); }
    EventRef ref(EventId event) const { return state.traces().ref(0, event); }
    EventId selected() const
    {
        const EventRef *event = selectedEvent(state.selection());
        return event ? event->event : kNoEvent;
    }

    // Is the event under the mouse at `place` of the lanes?
    bool isAt(EventRef event, QPointF place) const
    {
        const auto target = timeline.targetAt(place);
        return target.track && target.hit.kind == Hit::Kind::Event && target.track->ref(target.hit.first) == event;
    }

    // Turns the wheel until the event is a box one can hit, then says where. A null point if that does not succeed.
    QPoint reach(EventRef event)
    {
        QWidget *lanes = timeline.viewport();
        for (int turn = 0; turn < 200; ++turn) {
            QCoreApplication::processEvents();
            const QRectF rect = timeline.rectOf(event);
            if (rect.isNull())
                return {};
            const QPointF centre = rect.center();
            if (rect.center().y() < 4 || rect.center().y() > lanes->height() - 4) {
                wheel(QPointF(lanes->width() / 2.0, lanes->height() / 2.0), rect.center().y() < 4 ? 120 : -120, {});
            } else if (centre.x() < 0 || centre.x() >= lanes->width()) {
                wheel(QPointF(lanes->width() / 2.0, centre.y()), centre.x() < 0 ? 120 : -120, Qt::ShiftModifier);
            } else if (rect.width() < 6) {
                wheel(centre, 120, Qt::ControlModifier);
            } else if (isAt(event, centre)) {
                return centre.toPoint();
            }
        }
        return {};
    }

    void click(QPoint place) { QTest::mouseClick(timeline.viewport(), Qt::LeftButton, {}, place); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&timeline, key, modifiers); }

    // Is the event on the screen, at least in part?
    bool isInView(EventRef event) const
    {
        return timeline.rectOf(event).adjusted(0, 0, 1, 0).intersects(QRectF(timeline.viewport()->rect()))
               && state.traces().range(event).intersects(state.visibleRange());
    }

    Settings settings;
    MainWindow window{settings};
    ViewState &state = window.state();
    TimelineView &timeline = window.timeline();
    MessageBar &messages = window.messages();

private:
    void wheel(QPointF place, int angle, Qt::KeyboardModifiers modifiers)
    {
        QWidget *lanes = timeline.viewport();
        QWheelEvent event(place, lanes->mapToGlobal(place), {}, QPoint(0, angle), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(lanes, &event);
    }
};

} // namespace ks
