// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected, and why it ran: title, breadcrumb, sentences, facts, links, arguments. All of it is selectable text; links are
// reached with Tab and followed with Enter. Arguments and statistics are read on a worker when shown.
#pragma once

#include "widgets/jobs/job_slot.h"
#include "widgets/panes/details_page.h"
#include "widgets/state/view_state.h"

#include <QTimer>
#include <QWidget>

#include <optional>
#include <vector>

class QTextBrowser;

namespace ks {

class DetailsPane : public QWidget
{
    Q_OBJECT
public:
    explicit DetailsPane(ViewState &state, QWidget *parent = nullptr);
    ~DetailsPane() override;

    QString plainText() const;

signals:
    void sourceLineActivated(const QString &file, int line); // open it, or copy it: a setting decides
    void copied(const QString &text);                        // the clipboard holds it now
    void benchmarkRequested(ks::EventRef op); // as a script, for the clipboard
    void reloadRequested(std::uint32_t trace);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    void read(EventRef event);
    struct Totals;
    void readName(NameId name);
    void showName(NameId name, const std::vector<Totals> &all);
    void readArea();
    void setPage(const QString &html);
    void showDetails(EventRef event);
    void showNothing();
    void follow(const QUrl &url);
    void hover(const QUrl &url);

    ViewState &m_state;
    QTextBrowser *m_text;
    JobSlot m_job;
    QTimer m_patience; // an interim page is shown only if reading takes long: no flicker
    std::optional<EventDetails> m_details; // of the selected event
    bool m_allFrames = false;
    bool m_stale = true; // hidden while something changed
};

} // namespace ks
