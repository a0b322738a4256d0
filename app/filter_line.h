// SPDX-License-Identifier: GPL-3.0-or-later
// The filter of the window in the toolbar: what does not match is dimmed on the timeline and left out of tables.
#pragma once

#include "widgets/state/view_state.h"
#include "widgets/timeline/filter_job.h"

#include <QLineEdit>
#include <QTimer>

namespace ks {

class FilterLine : public QLineEdit
{
    Q_OBJECT
public:
    FilterLine(ViewState &state, const FilterJob &job, QWidget *parent = nullptr);

    void start(); // takes the focus

signals:
    void left(); // Escape or Enter: the timeline may have the focus again

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void applyNow();
    void showJob();

    ViewState &m_state;
    const FilterJob &m_job;
    QTimer m_typing;
};

} // namespace ks
