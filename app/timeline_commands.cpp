// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline_commands.h"

#include "app/jumps.h"
#include "app/main_window.h"
#include "app/repeats.h"
#include "app/step_picker.h"
#include "app/tool_bar.h"
#include "widgets/timeline/timeline_view.h"

#include <QCoreApplication>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::Commands)
};

using Keys = QList<QKeySequence>;

bool hasTrace(MainWindow &window)
{
    return !window.state().traces().isEmpty();
}

bool hasEvent(MainWindow &window)
{
    return selectedEvent(window.state().selection()) != nullptr;
}

// A jump from the selected event, on a single letter.
void addJump(MainWindow &w, const QString &id, const QString &text, const QString &tip, Keys keys,
             const std::function<QString(ViewState &)> &jump, bool separatorBefore = false)
{
    w.actions().add({id,
                     ActionMenu::Go,
                     text,
                     tip,
                     std::move(keys),
                     ActionScope::Timeline,
                     [&w] { return hasEvent(w); },
                     [&w, jump] { w.say(jump(w.state())); },
                     separatorBefore,
                     {}});
}

void addJumps(MainWindow &w)
{
    addJump(w, QStringLiteral("go.operator"), Text::tr("To the &operator"),
            Text::tr("To the operator that launched the selected event"), {QKeySequence(Qt::Key_O)}, goToOperator,
            true);
    addJump(w, QStringLiteral("go.launch"), Text::tr("To the &launch"),
            Text::tr("To the runtime call that launched the selected event"), {QKeySequence(Qt::Key_L)}, goToLaunch);
    addJump(w, QStringLiteral("go.kernels"), Text::tr("To the &kernels"),
            Text::tr("To the device work the selected event launched"), {QKeySequence(Qt::Key_K)}, goToKernels);
    addJump(w, QStringLiteral("go.mate"), Text::tr("To the forward or back&ward mate"),
            Text::tr("Between forward and backward of the same operator"), {QKeySequence(Qt::Key_B)}, goToMate);
    addJump(w, QStringLiteral("go.parent"), Text::tr("To the &parent"),
            Text::tr("To the event around the selected one"), {QKeySequence(Qt::Key_P)}, goToParent);
    addJump(
        w, QStringLiteral("go.nextSameName"), Text::tr("To the &next of this name"),
        Text::tr("To the next event of the same name"), {QKeySequence(Qt::Key_N)},
        [](ViewState &s) { return goToSameName(s, +1); }, true);
    addJump(w, QStringLiteral("go.previousSameName"), Text::tr("To the pre&vious of this name"),
            Text::tr("To the previous event of the same name"), {QKeySequence(Qt::SHIFT | Qt::Key_N)},
            [](ViewState &s) { return goToSameName(s, -1); });
    addJump(w, QStringLiteral("go.nextSameShape"), Text::tr("To the next of this name and s&hape"),
            Text::tr("To the next event of the same name with the same input shapes"),
            {QKeySequence(Qt::ALT | Qt::Key_N)}, [](ViewState &s) { return goToSameShape(s, +1); });
    addJump(w, QStringLiteral("go.previousSameShape"), Text::tr("To the previous of this name and shape"),
            Text::tr("To the previous event of the same name with the same input shapes"),
            {QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_N)}, [](ViewState &s) { return goToSameShape(s, -1); });
    addJump(w, QStringLiteral("go.nextSameInStep"), Text::tr("To the same in the next s&tep"),
            Text::tr("To the same event in the next step"), {QKeySequence(Qt::CTRL | Qt::Key_N)},
            [](ViewState &s) { return goToSameInStep(s, +1); });
    addJump(w, QStringLiteral("go.previousSameInStep"), Text::tr("To the same in the previous step"),
            Text::tr("To the same event in the previous step"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N)},
            [](ViewState &s) { return goToSameInStep(s, -1); });
}

void addGo(MainWindow &w)
{
    Actions &actions = w.actions();
    ViewState &state = w.state();
    actions.add({QStringLiteral("go.back"),
                 ActionMenu::Go,
                 Text::tr("&Back"),
                 Text::tr("Back to the view and selection before"),
                 {QKeySequence(Qt::ALT | Qt::Key_Left), QKeySequence(Qt::Key_Back)},
                 ActionScope::Window,
                 [&state] { return state.canGoBack(); },
                 [&state] { state.back(); },
                 false,
                 {}});
    actions.add({QStringLiteral("go.forward"),
                 ActionMenu::Go,
                 Text::tr("&Forward"),
                 Text::tr("Forward again after going back"),
                 {QKeySequence(Qt::ALT | Qt::Key_Right), QKeySequence(Qt::Key_Forward)},
                 ActionScope::Window,
                 [&state] { return state.canGoForward(); },
                 [&state] { state.forward(); },
                 false,
                 {}});
    addJumps(w);
    const auto walk = [&](const char *id, const QString &text, const QString &tip, Keys keys,
                          void (TimelineView::*go)(), bool separator) {
        actions.add({QLatin1String(id),
                     ActionMenu::Go,
                     text,
                     tip,
                     std::move(keys),
                     ActionScope::Timeline,
                     [&w] { return hasEvent(w); },
                     [&w, go] { (w.timeline().*go)(); },
                     separator,
                     {}});
    };
    // The arrow keys do the same; these are for menus and for other keys.
    walk("go.nextInRow", Text::tr("Next event in the &row"), Text::tr("To the next event in the row (→)"), {},
         &TimelineView::selectNextInRow, true);
    walk("go.previousInRow", Text::tr("Previous event in the row"), Text::tr("To the previous event in the row (←)"),
         {}, &TimelineView::selectPreviousInRow, false);
    const auto flow = [&](const char *id, const QString &text, const QString &tip, Qt::Key key, int direction) {
        actions.add({QLatin1String(id),
                     ActionMenu::Go,
                     text,
                     tip,
                     {QKeySequence(key)},
                     ActionScope::Timeline,
                     [&w] { return hasEvent(w); },
                     [&w, direction] { w.timeline().goAlongFlow(direction); },
                     false,
                     {}});
    };
    flow("go.alongFlow", Text::tr("Along the arro&w"), Text::tr("To what the selected event leads to"),
         Qt::Key_BracketRight, +1);
    flow("go.againstFlow", Text::tr("Against the arrow"), Text::tr("To what led to the selected event"),
         Qt::Key_BracketLeft, -1);
    for (int i = 0; i < 9; ++i) {
        actions.add({QStringLiteral("go.step%1").arg(i + 1),
                     ActionMenu::Go,
                     Text::tr("To step %1 of the trace").arg(i + 1),
                     Text::tr("Zoom to step %1 in the order of the trace").arg(i + 1),
                     {QKeySequence(QKeyCombination(Qt::CTRL, static_cast<Qt::Key>(Qt::Key_1 + i)))},
                     ActionScope::Window,
                     [&w, i] { return static_cast<std::size_t>(i) < w.steps().stepCount(); },
                     [&w, i] { w.steps().goTo(static_cast<std::size_t>(i)); },
                     i == 0,
                     {}});
    }
}

void markSelection(MainWindow &w)
{
    if (const EventRef *event = selectedEvent(w.state().selection())) {
        const TimeRange range = w.state().traces().range(*event);
        w.state().setMarkers({range.begin, range.end});
    } else if (const Area *area = selectedArea(w.state().selection())) {
        w.state().setMarkers({area->range.begin, area->range.end});
    }
}

void addView(MainWindow &w)
{
    Actions &actions = w.actions();
    const auto open = [&w] { return hasTrace(w); };
    const auto chosen = [&w] { return !isNone(w.state().selection()); };
    actions.add({QStringLiteral("view.fitSelection"),
                 ActionMenu::View,
                 Text::tr("Fit the &selection"),
                 Text::tr("Zoom so that the selection fills the view"),
                 {QKeySequence(Qt::Key_F)},
                 ActionScope::Timeline,
                 chosen,
                 [&w] { w.timeline().fitSelection(); },
                 false,
                 {}});
    actions.add({QStringLiteral("view.fitAll"),
                 ActionMenu::View,
                 Text::tr("Fit &everything"),
                 Text::tr("Show the whole trace"),
                 {QKeySequence(Qt::Key_0), QKeySequence(Qt::Key_Home)},
                 ActionScope::Timeline,
                 open,
                 [&w] { w.timeline().fitAll(); },
                 false,
                 {}});
    actions.add({QStringLiteral("view.zoomIn"),
                 ActionMenu::View,
                 Text::tr("Zoom &in"),
                 Text::tr("Zoom in around the middle of the view"),
                 {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
                 ActionScope::Window,
                 open,
                 [&w] { w.timeline().zoomIn(); },
                 true,
                 {}});
    actions.add({QStringLiteral("view.zoomOut"),
                 ActionMenu::View,
                 Text::tr("Zoom &out"),
                 Text::tr("Zoom out around the middle of the view"),
                 {QKeySequence(Qt::CTRL | Qt::Key_Minus)},
                 ActionScope::Window,
                 open,
                 [&w] { w.timeline().zoomOut(); },
                 false,
                 {}});
    actions.add({QStringLiteral("view.marker"),
                 ActionMenu::View,
                 Text::tr("Set &marker A or B"),
                 Text::tr("Set marker A, then B, at the mouse; it snaps to the edge of an event"),
                 {QKeySequence(Qt::Key_M)},
                 ActionScope::Timeline,
                 open,
                 [&w] { w.timeline().setMarkerAtCursor(); },
                 true,
                 {}});
    actions.add({QStringLiteral("view.markSelection"),
                 ActionMenu::View,
                 Text::tr("Markers aro&und the selection"),
                 Text::tr("Set marker A and B to the begin and the end of the selection"),
                 {},
                 ActionScope::Timeline,
                 chosen,
                 [&w] { markSelection(w); },
                 false,
                 {}});
    actions.add({QStringLiteral("view.clearMarkers"),
                 ActionMenu::View,
                 Text::tr("Take the markers &away"),
                 Text::tr("Take markers A and B away"),
                 {},
                 ActionScope::Window,
                 [&w] { return w.state().markers() != Markers(); },
                 [&w] { w.state().setMarkers({}); },
                 false,
                 {}});
    actions.add({QStringLiteral("view.colour"),
                 ActionMenu::View,
                 Text::tr("Next &colouring"),
                 Text::tr("Colour by family, name, category, module, phase, step, launch delay, occupancy"),
                 {QKeySequence(Qt::Key_C)},
                 ActionScope::Timeline,
                 open,
                 [&w] { w.toolBar().nextColouring(); },
                 true,
                 {}});
    actions.add({QStringLiteral("view.flows"),
                 ActionMenu::View,
                 Text::tr("Next kind of &arrows"),
                 Text::tr("Arrows of the selection, all in view, none"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)},
                 ActionScope::Window,
                 open,
                 [&w] { w.toolBar().nextFlowMode(); },
                 false,
                 {}});
    actions.add({QStringLiteral("view.details"),
                 ActionMenu::View,
                 Text::tr("Show or hide De&tails"),
                 Text::tr("The pane of the selected event"),
                 {QKeySequence(Qt::Key_Q)},
                 ActionScope::Timeline,
                 {},
                 [&w] { w.toggleDetails(); },
                 true,
                 {}});
    actions.add({QStringLiteral("view.diagnostics"),
                 ActionMenu::View,
                 Text::tr("Show &diagnostics"),
                 Text::tr("What was odd about the file, and what it means"),
                 {QKeySequence(Qt::CTRL | Qt::Key_D)},
                 ActionScope::Window,
                 {},
                 [&w] { w.showDiagnostics(); },
                 false,
                 {}});
}

void addLanes(MainWindow &w)
{
    Actions &actions = w.actions();
    const auto open = [&w] { return hasTrace(w); };
    const auto hasLane = [&w] { return w.timeline().currentLane().has_value(); };
    const auto onLane = [&](const char *id, const QString &text, const QString &tip, Keys keys,
                            const std::function<void(LaneRef)> &run, bool separator = false) {
        actions.add({QLatin1String(id),
                     ActionMenu::Lanes,
                     text,
                     tip,
                     std::move(keys),
                     ActionScope::Window,
                     hasLane,
                     [&w, run] {
                         if (const auto lane = w.timeline().currentLane())
                             run(*lane);
                     },
                     separator,
                     {}});
    };
    onLane("lane.pin", Text::tr("&Pin or unpin"), Text::tr("Keep the lane of the selection on top"),
           {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}, [&w](LaneRef lane) { w.timeline().togglePin(lane); });
    onLane("lane.hide", Text::tr("&Hide"), Text::tr("Hide the lane of the selection"),
           {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H)}, [&w](LaneRef lane) { w.timeline().hideLane(lane); });
    actions.add({QStringLiteral("lane.showAll"),
                 ActionMenu::Lanes,
                 Text::tr("&Show all"),
                 Text::tr("Show hidden lanes again, and those a lane filter leaves out"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)},
                 ActionScope::Window,
                 [&w] { return w.timeline().hasHiddenLanes(); },
                 [&w] { w.timeline().showAllLanes(); },
                 false,
                 {}});
    actions.add({QStringLiteral("lane.filter"),
                 ActionMenu::Lanes,
                 Text::tr("&Filter by name"),
                 Text::tr("Show only lanes whose name holds a text"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)},
                 ActionScope::Window,
                 open,
                 [&w] { w.timeline().focusLaneFilter(); },
                 true,
                 {}});
    actions.add({QStringLiteral("lane.onlyWithEvents"),
                 ActionMenu::Lanes,
                 Text::tr("Only with &events in view"),
                 Text::tr("Show only lanes with events in the visible range, or all again"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)},
                 ActionScope::Window,
                 open,
                 [&w] { w.timeline().setOnlyWithEvents(!w.timeline().onlyWithEvents()); },
                 false,
                 {}});
    onLane(
        "lane.up", Text::tr("Move &up"), Text::tr("Move the lane of the selection up"),
        {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Up)}, [&w](LaneRef lane) { w.timeline().moveLane(lane, -1); }, true);
    onLane("lane.down", Text::tr("Move &down"), Text::tr("Move the lane of the selection down"),
           {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Down)}, [&w](LaneRef lane) { w.timeline().moveLane(lane, +1); });
    onLane("lane.taller", Text::tr("&Taller rows"), Text::tr("Make the rows of the lane of the selection taller"),
           {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Plus)},
           [&w](LaneRef lane) { w.timeline().resizeLane(lane, +4); });
    onLane("lane.flatter", Text::tr("F&latter rows"), Text::tr("Make the rows of the lane of the selection flatter"),
           {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Minus)},
           [&w](LaneRef lane) { w.timeline().resizeLane(lane, -4); });
    actions.add({QStringLiteral("lane.compact"),
                 ActionMenu::Lanes,
                 Text::tr("All rows &compact"),
                 Text::tr("Rows of all lanes so flat that most fit on the screen"),
                 {},
                 ActionScope::Window,
                 open,
                 [&w] { w.timeline().setRowPitch(4); },
                 true,
                 {}});
    actions.add({QStringLiteral("lane.normal"),
                 ActionMenu::Lanes,
                 Text::tr("All rows &normal"),
                 Text::tr("Rows of all lanes as high as usual"),
                 {},
                 ActionScope::Window,
                 open,
                 [&w] { w.timeline().setRowPitch(kRowPitch); },
                 false,
                 {}});
    actions.add({QStringLiteral("view.foldAll"),
                 ActionMenu::Lanes,
                 Text::tr("F&old all"),
                 Text::tr("Every lane becomes a strip"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Up)},
                 ActionScope::Window,
                 open,
                 [&w] { w.timeline().foldAll(true); },
                 true,
                 {}});
    actions.add({QStringLiteral("view.unfoldAll"),
                 ActionMenu::Lanes,
                 Text::tr("Unfold &all"),
                 Text::tr("Open every lane"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Down)},
                 ActionScope::Window,
                 open,
                 [&w] { w.timeline().foldAll(false); },
                 false,
                 {}});
}

} // namespace

void addTimelineCommands(MainWindow &window)
{
    addGo(window);
    addView(window);
    addLanes(window);
}

void usePerfettoKeys(MainWindow &window, bool perfetto)
{
    const auto set = [&](const char *id, Keys keys) {
        window.actions().setKeys(QLatin1String(id), perfetto ? std::optional(std::move(keys)) : std::nullopt);
    };
    set("go.nextInRow", {QKeySequence(Qt::Key_Period)});
    set("go.previousInRow", {QKeySequence(Qt::Key_Comma)});
    set("view.marker", {});
    set("view.markSelection", {QKeySequence(Qt::Key_M)});
    set("edit.find",
        {QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::Key_Slash), QKeySequence(Qt::CTRL | Qt::Key_S)});
    set("help.palette", {QKeySequence(Qt::CTRL | Qt::Key_P), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)});
    set("lane.pin", {});
}

} // namespace ks
