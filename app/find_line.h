// SPDX-License-Identifier: GPL-3.0-or-later
// The line of Find in the toolbar: what is typed is searched at once, Enter and Shift+Enter walk through the hits, and
// beside it stands how many there are and how long they take.
#pragma once

#include "widgets/timeline/finder.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace ks {

class FindLine : public QWidget
{
    Q_OBJECT
public:
    explicit FindLine(Finder &finder, QWidget *parent = nullptr);

    void start(); // takes the focus, with what was searched last selected
    void step(int direction);
    void search(const QString &text); // as if it were typed
    QString summary() const;          // what stands beside the line

signals:
    void left(); // Escape: the timeline may have the focus again

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void searchNow();
    void show();

    Finder &m_finder;
    QLineEdit *m_edit;
    QLabel *m_summary;
    QTimer m_typing;
};

} // namespace ks
