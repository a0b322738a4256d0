// SPDX-License-Identifier: GPL-3.0-or-later
// A table of what the importer found odd in the open traces: kind, count, place, and what it means for the numbers.
#pragma once

#include "widgets/panes/diagnostics_model.h"
#include "widgets/state/view_state.h"

#include <QWidget>

class QLabel;
class QStackedLayout;
class QTableView;

namespace ks {

class DiagnosticsPane : public QWidget
{
    Q_OBJECT
public:
    explicit DiagnosticsPane(ViewState &state, QWidget *parent = nullptr);

    const DiagnosticsModel &model() const { return *m_model; }

private:
    void refresh();
    void copy() const;

    ViewState &m_state;
    DiagnosticsModel *m_model;
    QTableView *m_table;
    QLabel *m_empty;
    QStackedLayout *m_stack;
};

} // namespace ks
