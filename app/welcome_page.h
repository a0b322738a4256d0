// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows before a trace is open: the traces opened last, where to drop one, and how to record one.
#pragma once

#include <QWidget>

class QListWidget;

namespace ks {

class WelcomePage : public QWidget
{
    Q_OBJECT
public:
    explicit WelcomePage(QWidget *parent = nullptr);
    void refresh(); // reads the recent files again

signals:
    void openRequested();                    // choose a file
    void fileRequested(const QString &path); // this one

private:
    QListWidget *m_recent;
    QWidget *m_recentBox;
};

} // namespace ks
