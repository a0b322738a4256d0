// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/diagnostics_pane.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QStackedLayout>
#include <QTableView>

#include <algorithm>

namespace ks {

DiagnosticsPane::DiagnosticsPane(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_model(new DiagnosticsModel(state.traces(), this))
    , m_table(new QTableView(this))
    , m_empty(new QLabel(this))
    , m_stack(new QStackedLayout(this))
{
    setObjectName(QStringLiteral("diagnostics"));
    m_table->setObjectName(QStringLiteral("diagnostics.table"));
    m_table->setAccessibleName(tr("Diagnostics"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    auto *copyAction = new QAction(tr("Copy"), m_table);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    connect(copyAction, &QAction::triggered, this, &DiagnosticsPane::copy);
    m_table->addAction(copyAction);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);

    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_table);
    setFocusProxy(m_table);

    connect(m_model, &QAbstractItemModel::modelReset, this, &DiagnosticsPane::refresh);
    refresh();
}

void DiagnosticsPane::refresh()
{
    m_empty->setText(m_state.traces().isEmpty() ? tr("Open a trace: what is odd about its file is listed here.")
                                                : tr("Nothing odd was found in this file: every record was read as written."));
    m_table->setColumnHidden(DiagnosticsModel::File, m_state.traces().size() < 2);
    m_stack->setCurrentWidget(m_model->rowCount() > 0 ? static_cast<QWidget *>(m_table) : m_empty);
    m_table->resizeColumnsToContents();
    constexpr int kWidest = 520;
    for (int column = 0; column < DiagnosticsModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), kWidest));
}

// The selected rows as tab-separated text.
void DiagnosticsPane::copy() const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QModelIndex &row : rows) {
        QStringList cells;
        for (int column = 0; column < DiagnosticsModel::ColumnCount; ++column)
            cells << row.siblingAtColumn(column).data().toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace ks
