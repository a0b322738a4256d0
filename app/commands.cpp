// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"

#include "app/copy_text.h"
#include "app/filter_line.h"
#include "app/find_line.h"
#include "app/main_window.h"
#include "app/menu_commands.h"
#include "app/note_editor.h"
#include "app/reloading.h"
#include "app/run_commands.h"
#include "app/take_out.h"
#include "app/timeline_commands.h"
#include "app/tool_bar.h"
#include "widgets/state/to_qstring.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::Commands)
};

void copyText(MainWindow &window, const QString &text, const QString &done)
{
    if (text.isEmpty()) {
        window.say(Text::tr("There is nothing to copy"));
        return;
    }
    QApplication::clipboard()->setText(text);
    window.say(done);
}

void addFile(MainWindow &w)
{
    MenuCommands file(w, ActionMenu::File);
    file.add("file.open", Text::tr("&Open…"), Text::tr("Open one or more traces"), {QKeySequence(Qt::CTRL | Qt::Key_O)},
             {}, [&w] { w.chooseAndOpen(); });
    file.add("file.add", Text::tr("Open &beside…"), Text::tr("Open further traces beside what is open"),
             {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, file.whenOpen(), [&w] { w.chooseAndOpen(true); });
    file.add(
        "file.reload", Text::tr("&Reload"), Text::tr("Read the file again"),
        {QKeySequence(Qt::CTRL | Qt::Key_R), QKeySequence(Qt::Key_F5)}, [&w] { return w.reloading().isPossible(); },
        [&w] { w.reloading().reload(); });
    file.add("file.savePart", Text::tr("&Save selection as trace…"),
             Text::tr("Save the selected step or area, else what is in view, of that what the filter lets pass"),
             {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, file.whenOpen(), [&w] { choosePart(w); });
    file.add("file.exportTimeline", Text::tr("&Export the timeline…"),
             Text::tr("Save the timeline as it is in view as a picture, PNG or SVG"), {}, file.whenOpen(),
             [&w] { exportTimeline(w); });
    file.add("file.close", Text::tr("&Close"), Text::tr("Close all open traces"), {QKeySequence(Qt::CTRL | Qt::Key_W)},
             file.whenOpen(), [&w] { w.closeTraces(); });
    file.separate();
    file.add("file.quit", Text::tr("&Quit"), Text::tr("Close the window"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, {},
             [&w] { w.close(); });
}

void addEdit(MainWindow &w)
{
    MenuCommands edit(w, ActionMenu::Edit);
    edit.add("edit.copyName", Text::tr("&Copy name"), Text::tr("Copy the full name of the selected event"),
             {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}, edit.whenEvent(), [&w] {
                 const EventRef event = *selectedEvent(w.state().selection());
                 QApplication::clipboard()->setText(toQString(w.state().traces().trace(event)->name(event.event)));
                 w.say(Text::tr("Copied the name"));
             });
    edit.add("edit.copyArguments", Text::tr("Copy &arguments"),
             Text::tr("Copy the arguments of the selected event as JSON"), {}, edit.whenEvent(),
             [&w] { copyText(w, argumentsText(w.state()), Text::tr("Copied the arguments")); });
    edit.add(
        "edit.copyBenchmark", Text::tr("Copy as &benchmark"),
        Text::tr(
            "Copy the operator, or what launched this, as a PyTorch script that measures it with the recorded inputs"),
        {}, [&w] { return selectedOperator(w.state()).has_value(); },
        [&w] {
            if (const std::optional<EventRef> op = selectedOperator(w.state()))
                copyBenchmark(w, *op);
        });
    edit.add("edit.copyRow", Text::tr("Copy as a &row"),
             Text::tr("Copy name, lane, begin and duration of the selected event, separated by tabs"), {},
             edit.whenEvent(), [&w] { copyText(w, rowText(w.state()), Text::tr("Copied the row")); });
    edit.separate();
    edit.add("edit.find", Text::tr("&Find"), Text::tr("Mark all events that fit on lanes and overview"),
             {QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::Key_Slash)}, edit.whenOpen(),
             [&w] { w.toolBar().find().start(); });
    edit.add("edit.findNext", Text::tr("Find ne&xt"), Text::tr("To the next event that was found"),
             {QKeySequence(Qt::Key_F3)}, edit.whenOpen(), [&w] { w.toolBar().find().step(+1); });
    edit.add("edit.findPrevious", Text::tr("Find pre&vious"), Text::tr("To the previous event that was found"),
             {QKeySequence(Qt::SHIFT | Qt::Key_F3)}, edit.whenOpen(), [&w] { w.toolBar().find().step(-1); });
    edit.add("edit.findName", Text::tr("Find this na&me"),
             Text::tr("Find all events with the name of the selected one"), {}, edit.whenEvent(),
             [&w] { w.toolBar().find().search(nameTerm(w.state())); });
    edit.add("edit.filter", Text::tr("Fi&lter"), Text::tr("Dim what does not match"),
             {QKeySequence(Qt::CTRL | Qt::Key_L)}, edit.whenOpen(), [&w] { w.toolBar().filter().start(); });
    edit.add("edit.filterName", Text::tr("Filter to t&his name"),
             Text::tr("Dim everything but events with the name of the selected one"), {}, edit.whenEvent(),
             [&w] { w.state().setFilter(nameTerm(w.state())); });
    edit.separate();
    edit.addForTimeline("edit.note", Text::tr("N&ote on the selection…"),
                        Text::tr("Write a note on the selected event or range; an empty one is taken away"),
                        {QKeySequence(Qt::SHIFT | Qt::Key_M)}, edit.whenSelected(), [&w] { editNote(w.state(), &w); });
    edit.addForTimeline("edit.selectName", Text::tr("Select all of this &name"),
                        Text::tr("Mark every event with the name of the selected one"),
                        {QKeySequence(Qt::CTRL | Qt::Key_A)}, edit.whenEvent(), [&w] {
                            const EventRef event = *selectedEvent(w.state().selection());
                            w.state().select(w.state().traces().trace(event)->nameId(event.event));
                        });
    edit.separate();
    edit.add("edit.settings", Text::tr("&Settings…"), Text::tr("Theme, steps, keys, editor, path map"),
             {QKeySequence(Qt::CTRL | Qt::Key_Comma)}, {}, [&w] { w.showSettings(); });
}

void addHelp(MainWindow &w)
{
    MenuCommands help(w, ActionMenu::Help);
    help.add("help.palette", Text::tr("&Command palette"), Text::tr("Find a command by a few letters"),
             {QKeySequence(Qt::CTRL | Qt::Key_P)}, {}, [&w] { w.showPalette(); });
    help.add("help.shortcuts", Text::tr("&Keys and mouse"), Text::tr("All keys on one page"),
             {QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)}, {}, [&w] { w.showShortcuts(); });
    help.separate();
    help.add("help.about", Text::tr("&About Kinetoscope"), Text::tr("Version and licence"), {}, {},
             [&w] { w.showAbout(); });
}

} // namespace

void addCommands(MainWindow &window)
{
    addFile(window);
    addEdit(window);
    addTimelineCommands(window);
    addRunCommands(window);
    addHelp(window);
    window.actions().refresh();
}

} // namespace ks
