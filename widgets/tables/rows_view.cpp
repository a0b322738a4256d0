// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/rows_view.h"

#include "widgets/tables/growing_model.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>

#include <algorithm>
#include <functional>

namespace ks {

RowsView::RowsView(GrowingModel &model, QWidget *parent)
    : QTableView(parent)
    , m_rows(model)
{
    setModel(&model);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle); // names of kernels differ at their ends
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setMouseTracking(true);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(1);
    fitRows();
    QHeaderView *header = horizontalHeader();
    header->setSectionsClickable(true);
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setSortIndicatorShown(true);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    setContextMenuPolicy(Qt::CustomContextMenu);
    auto *copyAction = new QAction(tr("Copy"), this);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    connect(copyAction, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(selectedText()); });
    addAction(copyAction);
}

void RowsView::fitRows()
{
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 3);
}

void RowsView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitRows();
}

// Makes the first row the current one if there is none, for the keys to start from.
void RowsView::focusInEvent(QFocusEvent *event)
{
    const QScopedValueRollback taking(m_isTakingFocus, true);
    QTableView::focusInEvent(event);
}

void RowsView::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (!m_isTakingFocus && (current.row() != previous.row() || current.isValid() != previous.isValid()))
        emit rowChosen(current);
}

void RowsView::keyPressEvent(QKeyEvent *event)
{
    QTableView::keyPressEvent(event);
    if (event->key() == Qt::Key_Space && currentIndex().isValid())
        emit rowChosen(currentIndex());
}

QModelIndex RowsView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    const int column = std::max(currentIndex().column(), 0);
    switch (action) {
    case MoveHome: return m_rows.index(0, column);
    case MoveEnd: m_rows.growTo(m_rows.wholeCount() - 1); return m_rows.index(m_rows.rowCount() - 1, column);
    default: return QTableView::moveCursor(action, modifiers);
    }
}

// Also to a row that came just now.
void RowsView::scrollTo(const QModelIndex &index, ScrollHint hint)
{
    executeDelayedItemsLayout();
    QTableView::scrollTo(index, hint);
}

// A cell is made in a microsecond when it is asked for, so not all of a million are.
void RowsView::keyboardSearch(const QString &search)
{
    constexpr int kMost = 10'000;
    if (m_rows.rowCount() <= kMost)
        QTableView::keyboardSearch(search);
}

QString RowsView::selectedText() const
{
    QList<int> columns;
    for (int i = 0; i < m_rows.columnCount(); ++i) {
        if (const int column = horizontalHeader()->logicalIndex(i); !isColumnHidden(column))
            columns << column;
    }
    QStringList lines;
    const auto addLine = [&](const std::function<QVariant(int)> &cell) {
        QStringList cells;
        for (const int column : columns)
            cells << cell(column).toString();
        lines << cells.join(QLatin1Char('\t'));
    };
    addLine([this](int column) { return m_rows.headerData(column, Qt::Horizontal, Qt::DisplayRole); });
    QItemSelection selection = selectionModel()->selection();
    if (selection.isEmpty() && m_rows.rowCount() > 0)
        selection.select(m_rows.index(0, 0), m_rows.index(m_rows.rowCount() - 1, m_rows.columnCount() - 1));
    std::sort(selection.begin(), selection.end(),
              [](const QItemSelectionRange &a, const QItemSelectionRange &b) { return a.top() < b.top(); });
    for (const QItemSelectionRange &range : selection) {
        for (int row = range.top(); row <= range.bottom() && lines.size() <= kMostCopied; ++row)
            addLine([this, row](int column) { return m_rows.index(row, column).data(); });
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace ks
