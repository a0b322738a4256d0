// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"

#include "app/jumps.h"
#include "app/main_window.h"
#include "app/step_picker.h"
#include "widgets/state/to_qstring.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QClipboard>
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

void addFile(MainWindow &w)
{
    Actions &actions = w.actions();
    actions.add({QStringLiteral("file.open"), ActionMenu::File, Text::tr("&Open…"), Text::tr("Open one or more traces"),
                 {QKeySequence(Qt::CTRL | Qt::Key_O)}, ActionScope::Window, {}, [&w] { w.chooseAndOpen(); }, false,
                 QStringLiteral("document-open")});
    actions.add({QStringLiteral("file.reload"), ActionMenu::File, Text::tr("&Reload"), Text::tr("Read the file again"),
                 {QKeySequence(Qt::CTRL | Qt::Key_R), QKeySequence(Qt::Key_F5)}, ActionScope::Window,
                 [&w] { return w.canReload(); }, [&w] { w.reload(); }, false, {}});
    actions.add({QStringLiteral("file.close"), ActionMenu::File, Text::tr("&Close"), Text::tr("Close all open traces"),
                 {QKeySequence(Qt::CTRL | Qt::Key_W)}, ActionScope::Window, [&w] { return hasTrace(w); },
                 [&w] { w.closeTraces(); }, false, {}});
    actions.add({QStringLiteral("file.quit"), ActionMenu::File, Text::tr("&Quit"), Text::tr("Close the window"),
                 {QKeySequence(Qt::CTRL | Qt::Key_Q)}, ActionScope::Window, {}, [&w] { w.close(); }, true, {}});
}

void addEdit(MainWindow &w)
{
    Actions &actions = w.actions();
    actions.add({QStringLiteral("edit.copyName"), ActionMenu::Edit, Text::tr("&Copy name"),
                 Text::tr("Copy the full name of the selected event"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
                 ActionScope::Window, [&w] { return hasEvent(w); },
                 [&w] {
                     const EventRef event = *selectedEvent(w.state().selection());
                     QApplication::clipboard()->setText(toQString(w.state().traces().trace(event)->name(event.event)));
                     w.say(Text::tr("Copied the name"));
                 },
                 false, {}});
    actions.add({QStringLiteral("edit.selectName"), ActionMenu::Edit, Text::tr("Select all of this &name"),
                 Text::tr("Mark every event with the name of the selected one"), {QKeySequence(Qt::CTRL | Qt::Key_A)},
                 ActionScope::Timeline, [&w] { return hasEvent(w); },
                 [&w] {
                     const EventRef event = *selectedEvent(w.state().selection());
                     w.state().select(w.state().traces().trace(event)->nameId(event.event));
                 },
                 false, {}});
    actions.add({QStringLiteral("edit.settings"), ActionMenu::Edit, Text::tr("&Settings…"), Text::tr("Theme, editor, path map"),
                 {QKeySequence(Qt::CTRL | Qt::Key_Comma)}, ActionScope::Window, {}, [&w] { w.showSettings(); }, true, {}});
}

// A jump from the selected event, on a single letter.
void addJump(MainWindow &w, const QString &id, const QString &text, const QString &tip, Keys keys, QString (*jump)(ViewState &),
             bool separatorBefore = false)
{
    w.actions().add({id, ActionMenu::Go, text, tip, std::move(keys), ActionScope::Timeline, [&w] { return hasEvent(w); },
                     [&w, jump] { w.say(jump(w.state())); }, separatorBefore, {}});
}

void addGo(MainWindow &w)
{
    Actions &actions = w.actions();
    ViewState &state = w.state();
    actions.add({QStringLiteral("go.back"), ActionMenu::Go, Text::tr("&Back"), Text::tr("Back to the view and selection before"),
                 {QKeySequence(Qt::ALT | Qt::Key_Left), QKeySequence(Qt::Key_Back)}, ActionScope::Window,
                 [&state] { return state.canGoBack(); }, [&state] { state.back(); }, false, {}});
    actions.add({QStringLiteral("go.forward"), ActionMenu::Go, Text::tr("&Forward"), Text::tr("Forward again after going back"),
                 {QKeySequence(Qt::ALT | Qt::Key_Right), QKeySequence(Qt::Key_Forward)}, ActionScope::Window,
                 [&state] { return state.canGoForward(); }, [&state] { state.forward(); }, false, {}});
    addJump(w, QStringLiteral("go.operator"), Text::tr("To the &operator"), Text::tr("To the operator that launched the selected event"),
            {QKeySequence(Qt::Key_O)}, goToOperator, true);
    addJump(w, QStringLiteral("go.launch"), Text::tr("To the &launch"), Text::tr("To the runtime call that launched the selected event"),
            {QKeySequence(Qt::Key_L)}, goToLaunch);
    addJump(w, QStringLiteral("go.kernels"), Text::tr("To the &kernels"), Text::tr("To the device work the selected event launched"),
            {QKeySequence(Qt::Key_K)}, goToKernels);
    addJump(w, QStringLiteral("go.mate"), Text::tr("To the forward or back&ward mate"),
            Text::tr("Between forward and backward of the same operator"), {QKeySequence(Qt::Key_B)}, goToMate);
    addJump(w, QStringLiteral("go.parent"), Text::tr("To the &parent"), Text::tr("To the event around the selected one"),
            {QKeySequence(Qt::Key_P)}, goToParent);
    addJump(w, QStringLiteral("go.nextSameName"), Text::tr("To the &next of this name"), Text::tr("To the next event of the same name"),
            {QKeySequence(Qt::Key_N)}, [](ViewState &s) { return goToSameName(s, +1); }, true);
    addJump(w, QStringLiteral("go.previousSameName"), Text::tr("To the pre&vious of this name"),
            Text::tr("To the previous event of the same name"), {QKeySequence(Qt::SHIFT | Qt::Key_N)},
            [](ViewState &s) { return goToSameName(s, -1); });
    for (int i = 0; i < 9; ++i) {
        actions.add({QStringLiteral("go.step%1").arg(i + 1), ActionMenu::Go, Text::tr("To step %1 of the trace").arg(i + 1),
                     Text::tr("Zoom to step %1 in the order of the trace").arg(i + 1),
                     {QKeySequence(QKeyCombination(Qt::CTRL, static_cast<Qt::Key>(Qt::Key_1 + i)))}, ActionScope::Window,
                     [&w, i] { return static_cast<std::size_t>(i) < w.steps().stepCount(); },
                     [&w, i] { w.steps().goTo(static_cast<std::size_t>(i)); }, i == 0, {}});
    }
}

void addView(MainWindow &w)
{
    Actions &actions = w.actions();
    const auto open = [&w] { return hasTrace(w); };
    actions.add({QStringLiteral("view.fitSelection"), ActionMenu::View, Text::tr("Fit the &selection"),
                 Text::tr("Zoom so that the selection fills the view"), {QKeySequence(Qt::Key_F)}, ActionScope::Timeline,
                 [&w] { return !isNone(w.state().selection()); }, [&w] { w.timeline().fitSelection(); }, false, {}});
    actions.add({QStringLiteral("view.fitAll"), ActionMenu::View, Text::tr("Fit &everything"), Text::tr("Show the whole trace"),
                 {QKeySequence(Qt::Key_0), QKeySequence(Qt::Key_Home)}, ActionScope::Timeline, open,
                 [&w] { w.timeline().fitAll(); }, false, {}});
    actions.add({QStringLiteral("view.zoomIn"), ActionMenu::View, Text::tr("Zoom &in"), Text::tr("Zoom in around the middle of the view"),
                 {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)}, ActionScope::Window, open,
                 [&w] { w.timeline().zoomIn(); }, true, {}});
    actions.add({QStringLiteral("view.zoomOut"), ActionMenu::View, Text::tr("Zoom &out"),
                 Text::tr("Zoom out around the middle of the view"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)}, ActionScope::Window,
                 open, [&w] { w.timeline().zoomOut(); }, false, {}});
    actions.add({QStringLiteral("view.colour"), ActionMenu::View, Text::tr("Next &colouring"),
                 Text::tr("Colour by kernel family, by name, by category"), {QKeySequence(Qt::Key_C)}, ActionScope::Timeline, open,
                 [&w] { w.nextColourMode(); }, true, {}});
    actions.add({QStringLiteral("view.flows"), ActionMenu::View, Text::tr("Show or hide &arrows"),
                 Text::tr("Arrows from the selected event to those it belongs with"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)},
                 ActionScope::Window, open, [&w] { w.timeline().setFlowsShown(!w.timeline().flowsShown()); }, false, {}});
    actions.add({QStringLiteral("view.foldAll"), ActionMenu::View, Text::tr("F&old all lanes"), Text::tr("Every lane becomes a strip"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Up)}, ActionScope::Window, open,
                 [&w] { w.timeline().foldAll(true); }, false, {}});
    actions.add({QStringLiteral("view.unfoldAll"), ActionMenu::View, Text::tr("&Unfold all lanes"), Text::tr("Open every lane"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Down)}, ActionScope::Window, open,
                 [&w] { w.timeline().foldAll(false); }, false, {}});
    actions.add({QStringLiteral("view.diagnostics"), ActionMenu::View, Text::tr("Show &diagnostics"),
                 Text::tr("What was odd about the file, and what it means"), {QKeySequence(Qt::CTRL | Qt::Key_D)},
                 ActionScope::Window, {}, [&w] { w.showDiagnostics(); }, true, {}});
}

void addHelp(MainWindow &w)
{
    Actions &actions = w.actions();
    actions.add({QStringLiteral("help.palette"), ActionMenu::Help, Text::tr("&Command palette"), Text::tr("Find a command by a few letters"),
                 {QKeySequence(Qt::CTRL | Qt::Key_P)}, ActionScope::Window, {}, [&w] { w.showPalette(); }, false, {}});
    actions.add({QStringLiteral("help.shortcuts"), ActionMenu::Help, Text::tr("&Keys and mouse"), Text::tr("All keys on one page"),
                 {QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)}, ActionScope::Window, {}, [&w] { w.showShortcuts(); },
                 false, {}});
    actions.add({QStringLiteral("help.about"), ActionMenu::Help, Text::tr("&About Kinetoscope"), Text::tr("Version and licence"),
                 {}, ActionScope::Window, {}, [&w] { w.showAbout(); }, true, {}});
}

} // namespace

void addCommands(MainWindow &window)
{
    addFile(window);
    addEdit(window);
    addGo(window);
    addView(window);
    addHelp(window);
    window.actions().refresh();
}

} // namespace ks
