// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/context_menus.h"

#include "app/main_window.h"
#include "widgets/timeline/timeline_view.h"

#include <QCoreApplication>
#include <QMenu>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::ContextMenus)
};

void addCommands(const Actions &actions, QMenu &menu, std::initializer_list<const char *> ids)
{
    for (const char *id : ids) {
        QAction *action = actions.action(QLatin1String(id));
        if (action && action->isEnabled())
            menu.addAction(action);
    }
    menu.addSeparator();
}

} // namespace

void showEventMenu(MainWindow &window, QPoint globalPosition)
{
    window.actions().refresh();
    QMenu menu(&window);
    menu.setObjectName(QStringLiteral("eventMenu"));
    const Actions &actions = window.actions();
    addCommands(actions, menu, {"go.operator", "go.launch", "go.kernels", "go.mate", "go.parent", "go.table"});
    addCommands(actions, menu, {"go.nextSameName", "go.nextSameShape", "go.nextSameInStep"});
    addCommands(actions, menu,
                {"view.fitSelection", "edit.copyName", "edit.copyArguments", "edit.copyRow", "edit.copyBenchmark"});
    addCommands(actions, menu, {"edit.selectName", "edit.filterName", "edit.findName", "edit.note"});
    addCommands(actions, menu, {"lane.pin", "lane.hide", "lane.showAll"});
    addCommands(actions, menu, {"view.fitAll", "view.foldAll", "view.unfoldAll"});
    menu.exec(globalPosition);
}

void showLaneMenu(MainWindow &window, LaneRef lane, QPoint globalPosition)
{
    TimelineView &timeline = window.timeline();
    QMenu menu(&window);
    menu.setObjectName(QStringLiteral("laneMenu"));
    menu.addAction(timeline.isPinned(lane) ? Text::tr("Un&pin lane") : Text::tr("&Pin lane to the top"), &window,
                   [&timeline, lane] { timeline.togglePin(lane); });
    menu.addAction(Text::tr("&Hide lane"), &window, [&timeline, lane] { timeline.hideLane(lane); });
    QAction *showAll = menu.addAction(Text::tr("&Show all lanes"), &window, [&timeline] { timeline.showAllLanes(); });
    showAll->setEnabled(timeline.hasHiddenLanes());
    menu.addSeparator();
    menu.addAction(Text::tr("Move &up"), &window, [&timeline, lane] { timeline.moveLane(lane, -1); });
    menu.addAction(Text::tr("Move &down"), &window, [&timeline, lane] { timeline.moveLane(lane, +1); });
    menu.addSeparator();
    menu.addAction(Text::tr("&Taller rows"), &window, [&timeline, lane] { timeline.resizeLane(lane, +4); });
    menu.addAction(Text::tr("&Flatter rows"), &window, [&timeline, lane] { timeline.resizeLane(lane, -4); });
    menu.addSeparator();
    addCommands(window.actions(), menu, {"lane.onlyWithEvents", "view.foldAll", "view.unfoldAll"});
    menu.exec(globalPosition);
}

} // namespace ks
