// SPDX-License-Identifier: GPL-3.0-or-later
// What panes that answer a Question have in common: what is counted stands above the content in words, the answer is worked out on a
// worker when traces, filter or area change, and a pane that is not on screen works out nothing. An old answer stays until the new one
// is there; where that takes its time the words say so and the old one is veiled.
#pragma once

#include "widgets/jobs/job_slot.h"
#include "widgets/state/question.h"
#include "widgets/state/view_state.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QStackedLayout;

namespace ks {

class Pane : public QWidget
{
    Q_OBJECT
public:
    // `id` makes the names of the objects and settings, `question` is what the pane answers; `state` outlives it.
    Pane(const QString &id, const QString &title, const QString &question, ViewState &state, QWidget *parent = nullptr);
    ~Pane() override;

    const QString &id() const { return m_id; }
    const QString &title() const { return m_title; }
    const QString &question() const { return m_question; }
    QString words() const; // what stands above the content
    bool isUpToDate() const { return !m_isStale && !m_job.isRunning(); }

    QSize minimumSizeHint() const override; // small: many options do not make the window wide

signals:
    void computed();
    void benchmarkRequested(ks::EventRef op); // as a script, for the clipboard
    void exported(const QString &path);
    void failed(const QString &why);

protected:
    // `options` stands left of the words, `rows` takes the keyboard and keeps the answer as it is while somebody goes through it.
    void setContent(QWidget *options, QWidget *content, QWidget *rows);
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

    void ask();                           // soon, if on screen
    void say(const QString &text);        // in place of the content; "" shows the content
    void setCounted(const QString &what); // the answer that is shown now is of that
    // Of what failed. For the job.
    void tell(const JobError &error);

    virtual void compute() = 0; // gives m_job its work; whatever the state is
    virtual void forget() = 0;  // the traces are others now
    virtual bool hasRows() const = 0;
    virtual bool concernsView() const { return true; } // would another area be another question?

    ViewState &m_state;
    JobSlot m_job;
    bool m_isFollowing = false; // the change of the state comes from here

private:
    bool isOnScreen() const;
    void setCounting(bool isCounting);
    void tellCounted();

    QString m_id;
    QString m_title;
    QString m_question;
    QLabel *m_words;
    QLabel *m_empty;
    QProgressBar *m_progress;
    QStackedLayout *m_stack;
    QWidget *m_rows = nullptr;
    QWidget *m_veil; // over an answer that is not of what was asked last
    QString m_counted;
    QTimer m_patience; // before it is worked out
    QTimer m_silence;  // … and before that is told
    bool m_isStale = true;
    bool m_isKept = false; // the area is another one, and nothing was asked
    bool m_isCounting = false;
    bool m_isOwed = false; // it was asked while nobody could see it
};

} // namespace ks
