// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/table_delegate.h"

#include "widgets/tables/table_model.h"
#include "widgets/tables/table_view.h"

#include <QPainter>

#include <algorithm>

namespace ks {

TableDelegate::TableDelegate(const TableView &view, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_view(view)
{}

void TableDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    if (const int indent = m_view.indentOf(index); indent > 0) {
        paintArrow(*painter, option, index);
        cell.rect.setLeft(std::min(cell.rect.left() + indent, cell.rect.right()));
    }
    QStyledItemDelegate::paint(painter, cell, index);
    paintShare(*painter, option, index);
}

// On what is left of an indented cell, which belongs to the row, too.
void TableDelegate::paintArrow(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QStyle &style = *m_view.style();
    QStyleOptionViewItem before = option;
    initStyleOption(&before, index);
    before.rect.setRight(std::min(before.rect.left() + m_view.indentOf(index), before.rect.right()));
    style.drawPrimitive(QStyle::PE_PanelItemViewItem, &before, &painter, &m_view);
    const std::uint32_t row = m_view.table().tableRow(index);
    if (!m_view.table().opens(row))
        return;
    QStyleOption arrow;
    arrow.rect = m_view.arrowOf(index, option.rect);
    arrow.palette = option.palette;
    arrow.state = (option.state & (QStyle::State_Enabled | QStyle::State_Selected | QStyle::State_Active))
                  | QStyle::State_Item | QStyle::State_Children;
    if (m_view.table().isOpen(row))
        arrow.state |= QStyle::State_Open;
    painter.save();
    painter.setClipRect(before.rect);
    style.drawPrimitive(QStyle::PE_IndicatorBranch, &arrow, &painter, &m_view);
    painter.restore();
}

void TableDelegate::paintShare(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const TableModel &model = m_view.table();
    const Column &column = model.table().column(static_cast<std::size_t>(index.column()));
    const double whole = column.unit() == Unit::Percent ? 100 : column.unit() == Unit::Ratio ? 1 : 0;
    const std::optional<double> share = whole > 0 ? column.number(model.tableRow(index)) : std::nullopt;
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
    painter.fillRect(QRect(cell.right() - width + 1, cell.bottom() - kHeight + 1, width, kHeight), colour);
}

} // namespace ks
