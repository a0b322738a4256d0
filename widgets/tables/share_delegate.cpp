// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/share_delegate.h"

#include "widgets/tables/table_model.h"

#include <QPainter>

#include <algorithm>

namespace ks {

void ShareDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const auto *model = qobject_cast<const TableModel *>(index.model());
    if (!model)
        return;
    const Column &column = model->table().column(static_cast<std::size_t>(index.column()));
    const double whole = column.unit() == Unit::Percent ? 100 : column.unit() == Unit::Ratio ? 1 : 0;
    const std::optional<double> share = whole > 0 ? column.number(model->tableRow(index)) : std::nullopt;
    if (!share)
        return;
    constexpr int kMargin = 3;
    constexpr int kHeight = 2;
    const double part = std::clamp(*share / whole, 0.0, 1.0);
    const QRect cell = option.rect.adjusted(kMargin, 0, -kMargin, -1);
    QColor colour =
        option.palette.color(option.state & QStyle::State_Selected ? QPalette::HighlightedText : QPalette::Highlight);
    colour.setAlphaF(0.7F);
    const int width = static_cast<int>(cell.width() * part + 0.5);
    painter->fillRect(QRect(cell.right() - width + 1, cell.bottom() - kHeight + 1, width, kHeight), colour);
}

} // namespace ks
