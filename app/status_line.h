// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: time under the mouse, a sentence about the selection (or the view), what is loading, and the ⚠ that opens Diagnostics.
#pragma once

#include "core/analysis/work_summary.h"
#include "core/base/progress.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/state/view_state.h"

#include <QObject>
#include <QTimer>

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace ks {

class StatusLine : public QObject
{
    Q_OBJECT
public:
    StatusLine(ViewState &state, QStatusBar &bar);

    void say(const QString &text); // until the selection changes, at most some seconds
    void setProblems(std::size_t count);
    void showLoading(const QString &file, const ProgressReport &progress);
    void showWork(const QString &text, double share); // the same place, another work
    void hideLoading();
    QString sentence() const;

signals:
    void diagnosticsRequested();
    void cancelRequested();

private:
    void showCursor();
    void describe();

    ViewState &m_state;
    QLabel *m_cursor;
    QLabel *m_sentence;
    QLabel *m_loadingText;
    QProgressBar *m_loadingBar;
    QToolButton *m_cancel;
    QToolButton *m_problems;
    JobSlot m_job;
    QTimer m_later; // the view moves every frame: summarise when it rests
    QTimer m_saying;
};

} // namespace ks
