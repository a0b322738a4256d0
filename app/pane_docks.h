// SPDX-License-Identifier: GPL-3.0-or-later
// Every analysis of the registry, and the list of events, as docks at the bottom of the window. Which columns are shown is remembered.
#pragma once

#include "widgets/state/trace_set.h"

#include <QObject>

#include <vector>

class QDockWidget;
class QMainWindow;

namespace ks {

class Actions;
class AnalysisPane;
class EventsPane;
class Pane;
class ViewState;

class PaneDocks : public QObject
{
    Q_OBJECT
public:
    // The window owns the docks.
    PaneDocks(QMainWindow &window, ViewState &state);

    const std::vector<QDockWidget *> &docks() const { return m_docks; }
    AnalysisPane *pane(QStringView analysis) const; // null if there is none
    EventsPane &events() const { return *m_events; }
    void show(QStringView pane);        // on top of the others, with the keyboard
    void addCommands(Actions &actions); // one for each: brings it on top

signals:
    void said(const QString &text);
    void failed(const QString &why);
    void benchmarkRequested(ks::EventRef op);

private:
    void add(Pane *pane, QMainWindow &window);
    void rememberColumns(AnalysisPane &pane);
    void rememberColumns(EventsPane &pane);

    std::vector<QDockWidget *> m_docks;
    std::vector<Pane *> m_panes; // of each dock
    EventsPane *m_events = nullptr;
};

} // namespace ks
