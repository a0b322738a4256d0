// SPDX-License-Identifier: GPL-3.0-or-later
// The command table. Every command of the window is one row: menus, toolbar, shortcuts, the palette and the shortcut sheet are made
// from it. Ids are stable ("go.operator"): tests, settings and later scripts name commands by them.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QMenu;
class QWidget;

namespace ks {

enum class ActionScope : std::uint8_t {
    Window,   // the key works wherever the focus is
    Timeline, // single letters: only while the timeline has the focus, so that lists keep their type-ahead
};

enum class ActionMenu : std::uint8_t { File, Edit, Go, View, Lanes, Tables, Runs, Help };

struct ActionRow
{
    QString id;
    ActionMenu menu = ActionMenu::File;
    QString text;
    QString tip; // one sentence, without the key
    QList<QKeySequence> keys;
    ActionScope scope = ActionScope::Window;
    std::function<bool()> enabledWhen; // none = always
    std::function<void()> run;
    bool separatorBefore = false; // in its menu
};

class Actions : public QObject
{
    Q_OBJECT
public:
    struct Entry
    {
        ActionRow row;
        QAction *action = nullptr;
    };

    // Keys of Window scope live on `window`, those of Timeline scope on `timeline`.
    Actions(QWidget *window, QWidget *timeline, QObject *parent = nullptr);

    void add(ActionRow row);
    QAction *action(const QString &id) const; // nullptr if there is no such command
    const std::vector<Entry> &all() const { return m_entries; }
    void fillMenu(ActionMenu menu, QMenu &into) const;
    void refresh(); // asks every enabledWhen
    // Other keys for a command than its row has; nothing = those of the row.
    void setKeys(const QString &id, std::optional<QList<QKeySequence>> keys);

    static QString keysText(const QAction &action); // "Ctrl+O", "0, Home"

private:
    static void applyKeys(QAction &action, const ActionRow &row, const QList<QKeySequence> &keys);

    QWidget *m_window;
    QWidget *m_timeline;
    std::vector<Entry> m_entries;
};

} // namespace ks
