// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of a table: those that are shares of a whole get a bar under their number, those that open are indented behind an arrow.
#pragma once

#include <QStyledItemDelegate>

namespace ks {

class TableView;

class TableDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit TableDelegate(const TableView &view, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintArrow(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;
    void paintShare(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;

    const TableView &m_view;
};

} // namespace ks
