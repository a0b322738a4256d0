// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pane_docks.h"

#include "app/actions.h"
#include "core/analysis/analysis.h"
#include "widgets/panes/analysis_pane.h"
#include "widgets/panes/events_pane.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>

namespace ks {
namespace {

QString columnsKey(const Pane &pane)
{
    return QStringLiteral("tables/%1/columns").arg(pane.id());
}

} // namespace

PaneDocks::PaneDocks(QMainWindow &window, ViewState &state)
    : QObject(&window)
{
    for (const Analysis &analysis : analyses()) {
        auto *pane = new AnalysisPane(analysis, state);
        add(pane, window);
        rememberColumns(*pane);
        if (analysis.id == "kernels") {
            m_events = new EventsPane(state);
            add(m_events, window);
            rememberColumns(*m_events);
        }
    }
    for (std::size_t i = 1; i < m_docks.size(); ++i)
        window.tabifyDockWidget(m_docks[i - 1], m_docks[i]);
    if (!m_docks.empty())
        m_docks.front()->raise();
}

void PaneDocks::add(Pane *pane, QMainWindow &window)
{
    auto *dock = new QDockWidget(pane->title(), &window);
    dock->setObjectName(QStringLiteral("dock.") + pane->id());
    dock->setWidget(pane);
    dock->toggleViewAction()->setToolTip(pane->question());
    window.addDockWidget(Qt::BottomDockWidgetArea, dock);
    connect(pane, &Pane::exported, this, [this](const QString &path) { emit said(tr("Exported to %1").arg(path)); });
    connect(pane, &Pane::failed, this, &PaneDocks::failed);
    connect(pane, &Pane::benchmarkRequested, this, &PaneDocks::benchmarkRequested);
    m_docks.push_back(dock);
    m_panes.push_back(pane);
}

void PaneDocks::rememberColumns(AnalysisPane &pane)
{
    const QString key = columnsKey(pane);
    pane.view().setColumnChoice(ColumnChoice::ofLines(QSettings().value(key).toStringList()));
    connect(&pane.view(), &TableView::columnChoiceChanged, this,
            [&pane, key] { QSettings().setValue(key, pane.view().columnChoice().lines()); });
}

void PaneDocks::rememberColumns(EventsPane &pane)
{
    const QString key = columnsKey(pane);
    if (const QByteArray columns = QSettings().value(key).toByteArray(); !columns.isEmpty())
        pane.setColumns(columns);
    connect(&pane, &EventsPane::columnsChanged, this, [&pane, key] { QSettings().setValue(key, pane.columns()); });
}

AnalysisPane *PaneDocks::pane(QStringView analysis) const
{
    for (Pane *pane : m_panes) {
        if (pane->id() == analysis)
            return qobject_cast<AnalysisPane *>(pane);
    }
    return nullptr;
}

void PaneDocks::show(QStringView wanted)
{
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        if (m_panes[i]->id() != wanted)
            continue;
        m_docks[i]->show();
        m_docks[i]->raise();
        m_panes[i]->setFocus();
    }
}

void PaneDocks::addCommands(Actions &actions)
{
    for (const Pane *pane : m_panes) {
        const QString id = pane->id();
        QString question = pane->question();
        question[0] = question[0].toUpper();
        ActionRow row;
        row.id = QStringLiteral("tables.") + id;
        row.menu = ActionMenu::Tables;
        row.text = pane->title();
        row.tip = question;
        row.run = [this, id] { show(id); };
        actions.add(std::move(row));
    }
}

} // namespace ks
