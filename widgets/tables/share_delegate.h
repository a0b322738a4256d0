// SPDX-License-Identifier: GPL-3.0-or-later
// Cells that are shares of a whole get a bar under their number.
#pragma once

#include <QStyledItemDelegate>

namespace ks {

class ShareDelegate : public QStyledItemDelegate // of a view on a TableModel
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace ks
