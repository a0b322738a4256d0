// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline_commands.h"

#include "app/jumps.h"
#include "app/main_window.h"
#include "app/menu_commands.h"
#include "app/pane_docks.h"
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

using Keys = MenuCommands::Keys;

// A jump from the selected event, on a single letter.
void addJump(MainWindow &w, MenuCommands &go, const char *id, const QString &text, const QString &tip, Keys keys,
             const std::function<QString(ViewState &)> &jump)
{
    go.addForTimeline(id, text, tip, std::move(keys), go.whenEvent(), [&w, jump] { w.say(jump(w.state())); });
}

void addJumps(MainWindow &w, MenuCommands &go)
{
    go.separate();
    addJump(w, go, "go.operator", Text::tr("To the &operator"),
            Text::tr("To the operator that launched the selected event"), {QKeySequence(Qt::Key_O)}, goToOperator);
    addJump(w, go, "go.launch", Text::tr("To the &launch"),
            Text::tr("To the runtime call that launched the selected event"), {QKeySequence(Qt::Key_L)}, goToLaunch);
    addJump(w, go, "go.kernels", Text::tr("To the &kernels"),
            Text::tr("To the device work the selected event launched"), {QKeySequence(Qt::Key_K)}, goToKernels);
    addJump(w, go, "go.mate", Text::tr("To the forward or back&ward mate"),
            Text::tr("Between forward and backward of the same operator"), {QKeySequence(Qt::Key_B)}, goToMate);
    addJump(w, go, "go.parent", Text::tr("To the &parent"),
            Text::tr("To the event around the selected one"), {QKeySequence(Qt::Key_P)}, goToParent);
    go.separate();
    addJump(w, go, "go.nextSameName", Text::tr("To the &next of this name"),
        Text::tr("To the next event of the same name"), {QKeySequence(Qt::Key_N)},
        [](ViewState &s) { return goToSameName(s, +1); });
    addJump(w, go, "go.previousSameName", Text::tr("To the pre&vious of this name"),
            Text::tr("To the previous event of the same name"), {QKeySequence(Qt::SHIFT | Qt::Key_N)},
            [](ViewState &s) { return goToSameName(s, -1); });
    addJump(w, go, "go.nextSameShape", Text::tr("To the next of this name and s&hape"),
            Text::tr("To the next event of the same name with the same input shapes"),
            {QKeySequence(Qt::ALT | Qt::Key_N)}, [](ViewState &s) { return goToSameShape(s, +1); });
    addJump(w, go, "go.previousSameShape", Text::tr("To the previous of this name and shape"),
            Text::tr("To the previous event of the same name with the same input shapes"),
            {QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_N)}, [](ViewState &s) { return goToSameShape(s, -1); });
    addJump(w, go, "go.nextSameInStep", Text::tr("To the same in the next s&tep"),
            Text::tr("To the same event in the next step"), {QKeySequence(Qt::CTRL | Qt::Key_N)},
            [](ViewState &s) { return goToSameInStep(s, +1); });
    addJump(w, go, "go.previousSameInStep", Text::tr("To the same in the previous step"),
            Text::tr("To the same event in the previous step"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N)},
            [](ViewState &s) { return goToSameInStep(s, -1); });
}

// The row itself is marked by the pane, as for every selection.
void showInTable(MainWindow &w)
{
    const EventRef event = *selectedEvent(w.state().selection());
    const EventKind kind = w.state().traces().trace(event)->kind(event.event);
    if (isDeviceWork(kind))
        w.panes().show(u"kernels");
    else if (kind == EventKind::Operator || kind == EventKind::Annotation || kind == EventKind::Launch)
        w.panes().show(u"operators");
    else
        w.panes().show(u"events");
    w.timeline().setFocus(); // who looks on along the timeline uses its keys
}

void addGo(MainWindow &w)
{
    MenuCommands go(w, ActionMenu::Go);
    ViewState &state = w.state();
    go.add(
        "go.back", Text::tr("&Back"), Text::tr("Back to the view and selection before"),
        {QKeySequence(Qt::ALT | Qt::Key_Left), QKeySequence(Qt::Key_Back)}, [&state] { return state.canGoBack(); },
        [&state] { state.back(); });
    go.add(
        "go.forward", Text::tr("&Forward"), Text::tr("Forward again after going back"),
        {QKeySequence(Qt::ALT | Qt::Key_Right), QKeySequence(Qt::Key_Forward)},
        [&state] { return state.canGoForward(); }, [&state] { state.forward(); });
    addJumps(w, go);
    go.addForTimeline("go.table", Text::tr("To the ta&ble"),
                      Text::tr("To the row of the selected event in the table that counts its kind"),
                      {QKeySequence(Qt::Key_T)}, go.whenEvent(), [&w] { showInTable(w); });
    const auto walk = [&](const char *id, const QString &text, const QString &tip, Keys keys,
                          void (TimelineView::*move)()) {
        go.addForTimeline(id, text, tip, std::move(keys), go.whenEvent(), [&w, move] { (w.timeline().*move)(); });
    };
    // The arrow keys do the same; these are for menus and for other keys.
    go.separate();
    walk("go.nextInRow", Text::tr("Next event in the &row"), Text::tr("To the next event in the row (→)"), {},
         &TimelineView::selectNextInRow);
    walk("go.previousInRow", Text::tr("Previous event in the row"), Text::tr("To the previous event in the row (←)"),
         {}, &TimelineView::selectPreviousInRow);
    const auto flow = [&](const char *id, const QString &text, const QString &tip, Qt::Key key, int direction) {
        go.addForTimeline(id, text, tip, {QKeySequence(key)}, go.whenEvent(),
                          [&w, direction] { w.timeline().goAlongFlow(direction); });
    };
    flow("go.alongFlow", Text::tr("Along the arro&w"), Text::tr("To what the selected event leads to"),
         Qt::Key_BracketRight, +1);
    flow("go.againstFlow", Text::tr("Against the arrow"), Text::tr("To what led to the selected event"),
         Qt::Key_BracketLeft, -1);
    go.separate();
    for (int i = 0; i < 9; ++i) {
        go.add(
            ("go.step" + std::to_string(i + 1)).c_str(), Text::tr("To step %1 of the trace").arg(i + 1),
            Text::tr("Zoom to step %1 in the order of the trace").arg(i + 1),
            {QKeySequence(QKeyCombination(Qt::CTRL, static_cast<Qt::Key>(Qt::Key_1 + i)))},
            [&w, i] { return static_cast<std::size_t>(i) < w.steps().stepCount(); },
            [&w, i] { w.steps().goTo(static_cast<std::size_t>(i)); });
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
    MenuCommands view(w, ActionMenu::View);
    view.addForTimeline("view.fitSelection", Text::tr("Fit the &selection"),
                        Text::tr("Zoom so that the selection fills the view"), {QKeySequence(Qt::Key_F)},
                        view.whenSelected(), [&w] { w.timeline().fitSelection(); });
    view.addForTimeline("view.fitAll", Text::tr("Fit &everything"), Text::tr("Show the whole trace"),
                        {QKeySequence(Qt::Key_0), QKeySequence(Qt::Key_Home)}, view.whenOpen(),
                        [&w] { w.timeline().fitAll(); });
    view.separate();
    view.add("view.zoomIn", Text::tr("Zoom &in"), Text::tr("Zoom in around the middle of the view"),
             {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)}, view.whenOpen(),
             [&w] { w.timeline().zoomIn(); });
    view.add("view.zoomOut", Text::tr("Zoom &out"), Text::tr("Zoom out around the middle of the view"),
             {QKeySequence(Qt::CTRL | Qt::Key_Minus)}, view.whenOpen(), [&w] { w.timeline().zoomOut(); });
    view.separate();
    view.addForTimeline("view.marker", Text::tr("Set &marker A or B"),
                        Text::tr("Set marker A, then B, at the mouse; it snaps to the edge of an event"),
                        {QKeySequence(Qt::Key_M)}, view.whenOpen(), [&w] { w.timeline().setMarkerAtCursor(); });
    view.addForTimeline("view.markSelection", Text::tr("Markers aro&und the selection"),
                        Text::tr("Set marker A and B to the begin and the end of the selection"), {},
                        view.whenSelected(), [&w] { markSelection(w); });
    view.add(
        "view.clearMarkers", Text::tr("Take the markers &away"), Text::tr("Take markers A and B away"), {},
        [&w] { return w.state().markers() != Markers(); }, [&w] { w.state().setMarkers({}); });
    view.separate();
    view.addForTimeline("view.colour", Text::tr("Next &colouring"),
                        Text::tr("Colour by family, name, category, module, phase, step, launch delay, occupancy"),
                        {QKeySequence(Qt::Key_C)}, view.whenOpen(), [&w] { w.toolBar().nextColouring(); });
    view.add("view.flows", Text::tr("Next kind of &arrows"), Text::tr("Arrows of the selection, all in view, none"),
             {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)}, view.whenOpen(), [&w] { w.toolBar().nextFlowMode(); });
    view.separate();
    view.addForTimeline("view.details", Text::tr("Show or hide De&tails"), Text::tr("The pane of the selected event"),
                        {QKeySequence(Qt::Key_Q)}, {}, [&w] { w.toggleDetails(); });
    view.add("view.diagnostics", Text::tr("Show &diagnostics"),
             Text::tr("What was odd about the file, and what it means"), {QKeySequence(Qt::CTRL | Qt::Key_D)}, {},
             [&w] { w.showDiagnostics(); });
}

void addLanes(MainWindow &w)
{
    MenuCommands lanes(w, ActionMenu::Lanes);
    const auto hasLane = [&w] { return w.timeline().currentLane().has_value(); };
    const auto onLane = [&](const char *id, const QString &text, const QString &tip, Keys keys,
                            const std::function<void(LaneRef)> &run) {
        lanes.add(id, text, tip, std::move(keys), hasLane, [&w, run] {
            if (const auto lane = w.timeline().currentLane())
                run(*lane);
        });
    };
    onLane("lane.pin", Text::tr("&Pin or unpin"), Text::tr("Keep the lane of the selection on top"),
           {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}, [&w](LaneRef lane) { w.timeline().togglePin(lane); });
    onLane("lane.hide", Text::tr("&Hide"), Text::tr("Hide the lane of the selection"),
           {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H)}, [&w](LaneRef lane) { w.timeline().hideLane(lane); });
    lanes.add(
        "lane.showAll", Text::tr("&Show all"), Text::tr("Show hidden lanes again, and those a lane filter leaves out"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)}, [&w] { return w.timeline().hasHiddenLanes(); },
        [&w] { w.timeline().showAllLanes(); });
    lanes.separate();
    lanes.add("lane.filter", Text::tr("&Filter by name"), Text::tr("Show only lanes whose name holds a text"),
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)}, lanes.whenOpen(),
              [&w] { w.timeline().focusLaneFilter(); });
    lanes.add("lane.onlyWithEvents", Text::tr("Only with &events in view"),
              Text::tr("Show only lanes with events in the visible range, or all again"),
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)}, lanes.whenOpen(),
              [&w] { w.timeline().setOnlyWithEvents(!w.timeline().onlyWithEvents()); });
    lanes.separate();
    onLane(
        "lane.up", Text::tr("Move &up"), Text::tr("Move the lane of the selection up"),
        {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Up)}, [&w](LaneRef lane) { w.timeline().moveLane(lane, -1); });
    onLane("lane.down", Text::tr("Move &down"), Text::tr("Move the lane of the selection down"),
           {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Down)}, [&w](LaneRef lane) { w.timeline().moveLane(lane, +1); });
    onLane("lane.taller", Text::tr("&Taller rows"), Text::tr("Make the rows of the lane of the selection taller"),
           {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Plus)},
           [&w](LaneRef lane) { w.timeline().resizeLane(lane, +4); });
    onLane("lane.flatter", Text::tr("F&latter rows"), Text::tr("Make the rows of the lane of the selection flatter"),
           {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Minus)},
           [&w](LaneRef lane) { w.timeline().resizeLane(lane, -4); });
    lanes.separate();
    lanes.add("lane.compact", Text::tr("All rows &compact"),
              Text::tr("Rows of all lanes so flat that most fit on the screen"), {}, lanes.whenOpen(),
              [&w] { w.timeline().setRowPitch(4); });
    lanes.add("lane.normal", Text::tr("All rows &normal"), Text::tr("Rows of all lanes as high as usual"), {},
              lanes.whenOpen(), [&w] { w.timeline().setRowPitch(kRowPitch); });
    lanes.separate();
    lanes.add("view.foldAll", Text::tr("F&old all"), Text::tr("Every lane becomes a strip"),
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Up)}, lanes.whenOpen(),
              [&w] { w.timeline().foldAll(true); });
    lanes.add("view.unfoldAll", Text::tr("Unfold &all"), Text::tr("Open every lane"),
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Down)}, lanes.whenOpen(),
              [&w] { w.timeline().foldAll(false); });
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
