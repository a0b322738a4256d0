// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of one menu, in its order, one call each:
//
//   MenuCommands file(window, ActionMenu::File);
//   file.add("file.close", Text::tr("&Close"), Text::tr("Close all open traces"), {ctrlW}, file.whenOpen(), [&w] { w.closeTraces(); });
#pragma once

#include "app/actions.h"

#include <functional>

namespace ks {

class MainWindow;

class MenuCommands
{
public:
    using Keys = QList<QKeySequence>;
    using Condition = std::function<bool()>; // none = always
    using Run = std::function<void()>;

    MenuCommands(MainWindow &window, ActionMenu menu)
        : m_window(window)
        , m_menu(menu)
    {}

    // Its keys work wherever the focus is.
    void add(const char *id, const QString &text, const QString &tip, Keys keys, Condition when, Run run);
    // Its keys, often single letters, work while the timeline has the focus.
    void addForTimeline(const char *id, const QString &text, const QString &tip, Keys keys, Condition when, Run run);
    void separate() { m_separatesNext = true; } // a line above the next command

    Condition whenOpen() const;     // is there a trace?
    Condition whenEvent() const;    // is an event selected?
    Condition whenSelected() const; // is anything?

private:
    void add(ActionScope scope, const char *id, const QString &text, const QString &tip, Keys keys, Condition when,
             Run run);

    MainWindow &m_window;
    ActionMenu m_menu;
    bool m_separatesNext = false;
};

} // namespace ks
