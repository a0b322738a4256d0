// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar: open, back and forward, step, colour by, arrows, find, filter.
#pragma once

#include "app/actions.h"

#include <QToolBar>

class QComboBox;

namespace ks {

class FilterLine;
class FindLine;
class StepPicker;
class TimelineView;
class ViewState;

class ToolBar : public QToolBar
{
    Q_OBJECT
public:
    ToolBar(ViewState &state, TimelineView &timeline, QWidget *parent = nullptr);
    void addCommands(const Actions &actions); // once the table is filled

    StepPicker &steps() { return *m_steps; }
    FindLine &find() { return *m_find; }
    FilterLine &filter() { return *m_filter; }
    void nextColouring();
    void nextFlowMode();

private:
    void addColours();
    void addFlows();
    void showFlows();

    TimelineView &m_timeline;
    StepPicker *m_steps;
    QComboBox *m_colours;
    QComboBox *m_flows;
    FindLine *m_find;
    FilterLine *m_filter;
};

} // namespace ks
