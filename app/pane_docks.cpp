// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pane_docks.h"

#include "app/actions.h"
#include "core/analysis/analysis.h"
#include "widgets/panes/analysis_pane.h"
#include "widgets/state/to_qstring.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>

namespace ks {

PaneDocks::PaneDocks(QMainWindow &window, ViewState &state)
    : QObject(&window)
{
    for (const Analysis &analysis : analyses())
        add(new AnalysisPane(analysis, state), window);
    for (std::size_t i = 1; i < m_docks.size(); ++i)
        window.tabifyDockWidget(m_docks[i - 1], m_docks[i]);
    if (!m_docks.empty())
        m_docks.front()->raise();
}

void PaneDocks::add(AnalysisPane *pane, QMainWindow &window)
{
    const Analysis &analysis = pane->analysis();
    const QString id = toQString(analysis.id);
    auto *dock = new QDockWidget(QCoreApplication::translate("Analysis", analysis.title), &window);
    dock->setObjectName(QStringLiteral("dock.") + id);
    dock->setWidget(pane);
    dock->toggleViewAction()->setToolTip(QCoreApplication::translate("Analysis", analysis.question));
    window.addDockWidget(Qt::BottomDockWidgetArea, dock);
    const QString key = QStringLiteral("tables/%1/columns").arg(id);
    if (const QStringList shown = QSettings().value(key).toStringList(); !shown.isEmpty())
        pane->view().setShownColumns(shown);
    connect(&pane->view(), &TableView::shownColumnsChanged, this,
            [pane, key] { QSettings().setValue(key, pane->view().shownColumns()); });
    connect(pane, &AnalysisPane::exported, this,
            [this](const QString &path) { emit said(tr("Exported to %1").arg(path)); });
    connect(pane, &AnalysisPane::failed, this, &PaneDocks::failed);
    m_docks.push_back(dock);
    m_panes.push_back(pane);
}

AnalysisPane *PaneDocks::pane(QStringView analysis) const
{
    for (AnalysisPane *pane : m_panes) {
        if (toQString(pane->analysis().id) == analysis)
            return pane;
    }
    return nullptr;
}

void PaneDocks::show(QStringView analysis)
{
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        if (toQString(m_panes[i]->analysis().id) != analysis)
            continue;
        m_docks[i]->show();
        m_docks[i]->raise();
        m_panes[i]->setFocus();
    }
}

void PaneDocks::addCommands(Actions &actions)
{
    for (const AnalysisPane *pane : m_panes) {
        const Analysis &analysis = pane->analysis();
        const QString id = toQString(analysis.id);
        QString question = QCoreApplication::translate("Analysis", analysis.question);
        question[0] = question[0].toUpper();
        ActionRow row;
        row.id = QStringLiteral("tables.") + id;
        row.menu = ActionMenu::Tables;
        row.text = QCoreApplication::translate("Analysis", analysis.title);
        row.tip = question;
        row.run = [this, id] { show(id); };
        actions.add(std::move(row));
    }
}

} // namespace ks
