// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions.h"

#include <QMenu>
#include <QWidget>

#include <algorithm>

namespace ks {

Actions::Actions(QWidget *window, QWidget *timeline, QObject *parent)
    : QObject(parent)
    , m_window(window)
    , m_timeline(timeline)
{}

void Actions::add(ActionRow row)
{
    auto *action = new QAction(row.text, this);
    action->setObjectName(row.id);
    action->setAutoRepeat(row.scope == ActionScope::Timeline);
    applyKeys(*action, row, row.keys);
    action->setStatusTip(row.tip);
    if (row.scope == ActionScope::Timeline) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_timeline->addAction(action);
    } else {
        action->setShortcutContext(Qt::WindowShortcut);
        m_window->addAction(action);
    }
    connect(action, &QAction::triggered, this, [this, run = row.run] {
        run();
        refresh();
    });
    m_entries.push_back({std::move(row), action});
}

void Actions::applyKeys(QAction &action, const ActionRow &row, const QList<QKeySequence> &keys)
{
    action.setShortcuts(keys);
    QString plain = row.text;
    plain.remove(QLatin1Char('&'));
    const QString text = keysText(action);
    action.setToolTip(text.isEmpty() ? QStringLiteral("%1: %2").arg(plain, row.tip)
                                     : QStringLiteral("%1 (%2): %3").arg(plain, text, row.tip));
}

void Actions::setKeys(const QString &id, std::optional<QList<QKeySequence>> keys)
{
    for (const Entry &entry : m_entries) {
        if (entry.row.id == id)
            applyKeys(*entry.action, entry.row, keys ? *keys : entry.row.keys);
    }
}

QAction *Actions::action(const QString &id) const
{
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.row.id == id; });
    return found == m_entries.end() ? nullptr : found->action;
}

void Actions::fillMenu(ActionMenu menu, QMenu &into) const
{
    for (const Entry &entry : m_entries) {
        if (entry.row.menu != menu)
            continue;
        if (entry.row.separatorBefore)
            into.addSeparator();
        into.addAction(entry.action);
    }
}

void Actions::refresh()
{
    for (const Entry &entry : m_entries) {
        if (entry.row.enabledWhen)
            entry.action->setEnabled(entry.row.enabledWhen());
    }
}

QString Actions::keysText(const QAction &action)
{
    QStringList keys;
    for (const QKeySequence &key : action.shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

} // namespace ks
