// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/menu_commands.h"

#include "app/main_window.h"

#include <utility>

namespace ks {

void MenuCommands::add(ActionScope scope, const char *id, const QString &text, const QString &tip, Keys keys,
                       Condition when, Run run)
{
    ActionRow row;
    row.id = QLatin1String(id);
    row.menu = m_menu;
    row.text = text;
    row.tip = tip;
    row.keys = std::move(keys);
    row.scope = scope;
    row.enabledWhen = std::move(when);
    row.run = std::move(run);
    row.separatorBefore = std::exchange(m_separatesNext, false);
    m_window.actions().add(std::move(row));
}

void MenuCommands::add(const char *id, const QString &text, const QString &tip, Keys keys, Condition when, Run run)
{
    add(ActionScope::Window, id, text, tip, std::move(keys), std::move(when), std::move(run));
}

void MenuCommands::addForTimeline(const char *id, const QString &text, const QString &tip, Keys keys, Condition when,
                                  Run run)
{
    add(ActionScope::Timeline, id, text, tip, std::move(keys), std::move(when), std::move(run));
}

MenuCommands::Condition MenuCommands::whenOpen() const
{
    return [&state = m_window.state()] { return !state.traces().isEmpty(); };
}

MenuCommands::Condition MenuCommands::whenEvent() const
{
    return [&state = m_window.state()] { return selectedEvent(state.selection()) != nullptr; };
}

MenuCommands::Condition MenuCommands::whenSelected() const
{
    return [&state = m_window.state()] { return !isNone(state.selection()); };
}

} // namespace ks
