// SPDX-License-Identifier: GPL-3.0-or-later
// Every command by a few letters of its name: Ctrl+P, type, Enter.
#pragma once

#include "app/actions.h"

#include <QAbstractListModel>
#include <QFrame>

class QLineEdit;
class QListView;

namespace ks {

// The commands that fit what was typed, best first. Commands that cannot run now are listed last.
class CommandModel : public QAbstractListModel
{
    Q_OBJECT
public:
    explicit CommandModel(const Actions &actions, QObject *parent = nullptr);
    void setPattern(const QString &pattern);
    QAction *actionAt(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    const Actions &m_actions;
    std::vector<QAction *> m_shown;
};

class CommandPalette : public QFrame
{
    Q_OBJECT
public:
    CommandPalette(Actions &actions, QWidget *window);
    void open(); // at the top of the window, with an empty line

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void accept();

    Actions &m_actions;
    CommandModel *m_model;
    QLineEdit *m_line;
    QListView *m_list;
};

} // namespace ks
