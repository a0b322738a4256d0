// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"

#include "app/copy_text.h"
#include "app/filter_line.h"
#include "app/find_line.h"
#include "app/main_window.h"
#include "app/note_editor.h"
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

bool hasTrace(MainWindow &window)
{
    return !window.state().traces().isEmpty();
}

bool hasEvent(MainWindow &window)
{
    return selectedEvent(window.state().selection()) != nullptr;
}

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
    Actions &actions = w.actions();
    actions.add({QStringLiteral("file.open"),
                 ActionMenu::File,
                 Text::tr("&Open…"),
                 Text::tr("Open one or more traces"),
                 {QKeySequence(Qt::CTRL | Qt::Key_O)},
                 ActionScope::Window,
                 {},
                 [&w] { w.chooseAndOpen(); },
                 false,
                 QStringLiteral("document-open")});
    actions.add({QStringLiteral("file.add"),
                 ActionMenu::File,
                 Text::tr("Open &beside…"),
                 Text::tr("Open further traces beside what is open"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
                 ActionScope::Window,
                 [&w] { return hasTrace(w); },
                 [&w] { w.chooseAndOpen(true); },
                 false,
                 {}});
    actions.add({QStringLiteral("file.reload"),
                 ActionMenu::File,
                 Text::tr("&Reload"),
                 Text::tr("Read the file again"),
                 {QKeySequence(Qt::CTRL | Qt::Key_R), QKeySequence(Qt::Key_F5)},
                 ActionScope::Window,
                 [&w] { return w.canReload(); },
                 [&w] { w.reload(); },
                 false,
                 {}});
    actions.add({QStringLiteral("file.close"),
                 ActionMenu::File,
                 Text::tr("&Close"),
                 Text::tr("Close all open traces"),
                 {QKeySequence(Qt::CTRL | Qt::Key_W)},
                 ActionScope::Window,
                 [&w] { return hasTrace(w); },
                 [&w] { w.closeTraces(); },
                 false,
                 {}});
    actions.add({QStringLiteral("file.quit"),
                 ActionMenu::File,
                 Text::tr("&Quit"),
                 Text::tr("Close the window"),
                 {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                 ActionScope::Window,
                 {},
                 [&w] { w.close(); },
                 true,
                 {}});
}

void addEdit(MainWindow &w)
{
    Actions &actions = w.actions();
    actions.add({QStringLiteral("edit.copyName"),
                 ActionMenu::Edit,
                 Text::tr("&Copy name"),
                 Text::tr("Copy the full name of the selected event"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
                 ActionScope::Window,
                 [&w] { return hasEvent(w); },
                 [&w] {
                     const EventRef event = *selectedEvent(w.state().selection());
                     QApplication::clipboard()->setText(toQString(w.state().traces().trace(event)->name(event.event)));
                     w.say(Text::tr("Copied the name"));
                 },
                 false,
                 {}});
    actions.add({QStringLiteral("edit.copyArguments"),
                 ActionMenu::Edit,
                 Text::tr("Copy &arguments"),
                 Text::tr("Copy the arguments of the selected event as JSON"),
                 {},
                 ActionScope::Window,
                 [&w] { return hasEvent(w); },
                 [&w] { copyText(w, argumentsText(w.state()), Text::tr("Copied the arguments")); },
                 false,
                 {}});
    actions.add({QStringLiteral("edit.copyRow"),
                 ActionMenu::Edit,
                 Text::tr("Copy as a &row"),
                 Text::tr("Copy name, lane, begin and duration of the selected event, separated by tabs"),
                 {},
                 ActionScope::Window,
                 [&w] { return hasEvent(w); },
                 [&w] { copyText(w, rowText(w.state()), Text::tr("Copied the row")); },
                 false,
                 {}});
    actions.add({QStringLiteral("edit.find"),
                 ActionMenu::Edit,
                 Text::tr("&Find"),
                 Text::tr("Mark all events that fit on lanes and overview"),
                 {QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::Key_Slash)},
                 ActionScope::Window,
                 [&w] { return hasTrace(w); },
                 [&w] { w.toolBar().find().start(); },
                 true,
                 {}});
    actions.add({QStringLiteral("edit.findNext"),
                 ActionMenu::Edit,
                 Text::tr("Find ne&xt"),
                 Text::tr("To the next event that was found"),
                 {QKeySequence(Qt::Key_F3)},
                 ActionScope::Window,
                 [&w] { return hasTrace(w); },
                 [&w] { w.toolBar().find().step(+1); },
                 false,
                 {}});
    actions.add({QStringLiteral("edit.findPrevious"),
                 ActionMenu::Edit,
                 Text::tr("Find pre&vious"),
                 Text::tr("To the previous event that was found"),
                 {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
                 ActionScope::Window,
                 [&w] { return hasTrace(w); },
                 [&w] { w.toolBar().find().step(-1); },
                 false,
                 {}});
    actions.add({QStringLiteral("edit.findName"),
                 ActionMenu::Edit,
                 Text::tr("Find this na&me"),
                 Text::tr("Find all events with the name of the selected one"),
                 {},
                 ActionScope::Window,
                 [&w] { return hasEvent(w); },
                 [&w] { w.toolBar().find().search(nameTerm(w.state())); },
                 false,
                 {}});
    actions.add({QStringLiteral("edit.filter"),
                 ActionMenu::Edit,
                 Text::tr("Fi&lter"),
                 Text::tr("Dim what does not match"),
                 {QKeySequence(Qt::CTRL | Qt::Key_L)},
                 ActionScope::Window,
                 [&w] { return hasTrace(w); },
                 [&w] { w.toolBar().filter().start(); },
                 false,
                 {}});
    actions.add({QStringLiteral("edit.filterName"),
                 ActionMenu::Edit,
                 Text::tr("Filter to t&his name"),
                 Text::tr("Dim everything but events with the name of the selected one"),
                 {},
                 ActionScope::Window,
                 [&w] { return hasEvent(w); },
                 [&w] { w.state().setFilter(nameTerm(w.state())); },
                 false,
                 {}});
    actions.add({QStringLiteral("edit.note"),
                 ActionMenu::Edit,
                 Text::tr("N&ote on the selection…"),
                 Text::tr("Write a note on the selected event or range; an empty one is taken away"),
                 {QKeySequence(Qt::SHIFT | Qt::Key_M)},
                 ActionScope::Timeline,
                 [&w] { return !isNone(w.state().selection()); },
                 [&w] { editNote(w.state(), &w); },
                 true,
                 {}});
    actions.add({QStringLiteral("edit.selectName"),
                 ActionMenu::Edit,
                 Text::tr("Select all of this &name"),
                 Text::tr("Mark every event with the name of the selected one"),
                 {QKeySequence(Qt::CTRL | Qt::Key_A)},
                 ActionScope::Timeline,
                 [&w] { return hasEvent(w); },
                 [&w] {
                     const EventRef event = *selectedEvent(w.state().selection());
                     w.state().select(w.state().traces().trace(event)->nameId(event.event));
                 },
                 false,
                 {}});
    actions.add({QStringLiteral("edit.settings"),
                 ActionMenu::Edit,
                 Text::tr("&Settings…"),
                 Text::tr("Theme, steps, keys, editor, path map"),
                 {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                 ActionScope::Window,
                 {},
                 [&w] { w.showSettings(); },
                 true,
                 {}});
}

void addHelp(MainWindow &w)
{
    Actions &actions = w.actions();
    actions.add({QStringLiteral("help.palette"),
                 ActionMenu::Help,
                 Text::tr("&Command palette"),
                 Text::tr("Find a command by a few letters"),
                 {QKeySequence(Qt::CTRL | Qt::Key_P)},
                 ActionScope::Window,
                 {},
                 [&w] { w.showPalette(); },
                 false,
                 {}});
    actions.add({QStringLiteral("help.shortcuts"),
                 ActionMenu::Help,
                 Text::tr("&Keys and mouse"),
                 Text::tr("All keys on one page"),
                 {QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)},
                 ActionScope::Window,
                 {},
                 [&w] { w.showShortcuts(); },
                 false,
                 {}});
    actions.add({QStringLiteral("help.about"),
                 ActionMenu::Help,
                 Text::tr("&About Kinetoscope"),
                 Text::tr("Version and licence"),
                 {},
                 ActionScope::Window,
                 {},
                 [&w] { w.showAbout(); },
                 true,
                 {}});
}

} // namespace

void addCommands(MainWindow &window)
{
    addFile(window);
    addEdit(window);
    addTimelineCommands(window);
    addHelp(window);
    window.actions().refresh();
}

} // namespace ks
