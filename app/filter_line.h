// SPDX-License-Identifier: GPL-3.0-or-later
// The filter of the window in the toolbar: what does not match is dimmed on the timeline and left out of tables. While it is written, fields
// and the values they have in the open traces are offered; Ctrl+Space offers them at once.
#pragma once

#include "core/analysis/filter_completion.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/state/view_state.h"
#include "widgets/timeline/filter_job.h"

#include <QLineEdit>
#include <QTimer>

#include <memory>

class QCompleter;
class QStringListModel;

namespace ks {

class FilterLine : public QLineEdit
{
    Q_OBJECT
public:
    FilterLine(ViewState &state, const FilterJob &job, QWidget *parent = nullptr);

    void start();                // takes the focus
    QStringList offered() const; // what the list under the line holds; empty while it is closed

signals:
    void left(); // Escape or Enter: the timeline may have the focus again

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void applyNow();
    void showJob();
    void tellMatching();
    void mark(qsizetype from); // -1: nothing
    void collectValues();
    void offer(bool isAsked); // isAsked: also where nothing is written yet
    void take(const QString &choice);

    ViewState &m_state;
    const FilterJob &m_job;
    QTimer m_typing;
    QStringListModel *m_choices;
    QCompleter *m_completer;
    qsizetype m_from = 0;                         // where a choice goes
    std::shared_ptr<const FilterValues> m_values; // of the open traces; null until somebody writes
    JobSlot m_collecting;
};

} // namespace ks
