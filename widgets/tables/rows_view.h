// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a table, of whatever number: all of one height, so that only those on screen cost anything. One of them is chosen, by the mouse,
// by keys or by the program; taking the keyboard chooses none.
#pragma once

#include <QTableView>

namespace ks {

class GrowingModel;

class RowsView : public QTableView
{
    Q_OBJECT
public:
    explicit RowsView(GrowingModel &model, QWidget *parent = nullptr);

    // The selected rows, tab-separated with a heading, columns left to right; all rows if none is selected. At most kMostCopied.
    QString selectedText() const;
    static constexpr int kMostCopied = 100'000;

    void scrollTo(const QModelIndex &index, ScrollHint hint = EnsureVisible) override;
    void keyboardSearch(const QString &search) override; // among the next rows

signals:
    void rowChosen(const QModelIndex &index); // is the current one now; none: invalid

protected:
    void focusInEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;

private:
    void fitRows();

    GrowingModel &m_rows;
    bool m_isTakingFocus = false;
};

} // namespace ks
