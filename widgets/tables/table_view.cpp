// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/table_view.h"

#include "widgets/state/to_qstring.h"
#include "widgets/tables/share_delegate.h"
#include "widgets/tables/table_model.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <utility>

namespace ks {
namespace {

constexpr int kWidestColumn = 420;
constexpr int kFirstLevels = 2; // of a tree are open at first

} // namespace

TableView::TableView(std::function<bool(std::string_view)> isShownAtFirst, QWidget *parent)
    : QTreeView(parent)
    , m_model(new TableModel(this))
    , m_isShownAtFirst(std::move(isShownAtFirst))
{
    setModel(m_model);
    setItemDelegate(new ShareDelegate(this));
    setUniformRowHeights(true);
    setTextElideMode(Qt::ElideMiddle); // names of kernels differ at their ends
    setAlternatingRowColors(true);
    setAllColumnsShowFocus(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setFrameShape(QFrame::NoFrame);
    header()->setSectionsClickable(true);
    header()->setSectionsMovable(true);
    header()->setFirstSectionMovable(true);
    header()->setStretchLastSection(false);
    header()->setSortIndicatorShown(true);
    header()->setSortIndicator(-1, Qt::DescendingOrder);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header(), &QHeaderView::sectionClicked, this, &TableView::sortBy);
    connect(header(), &QHeaderView::customContextMenuRequested, this, &TableView::showColumnMenu);
    connect(header(), &QHeaderView::sectionMoved, this, &TableView::keepOrder);
    connect(header(), &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (m_isArranging || width == 0 || column >= m_model->columnCount())
            return;
        m_choice.resize(columnName(column), width);
        emit columnChoiceChanged();
    });
    auto *copyAction = new QAction(tr("Copy"), this);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    connect(copyAction, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(selectedText()); });
    addAction(copyAction);
}

void TableView::setOpens(std::function<bool(std::uint32_t)> opens)
{
    m_opens = opens != nullptr;
    m_model->setOpens(std::move(opens));
}

QString TableView::columnName(int column) const
{
    return toQString(m_model->table().column(static_cast<std::size_t>(column)).name());
}

QStringList TableView::columnNames() const
{
    QStringList names;
    for (int i = 0; i < m_model->columnCount(); ++i)
        names << columnName(i);
    return names;
}

void TableView::setTable(std::shared_ptr<const Table> table, std::int64_t origin)
{
    const QScopedValueRollback arranging(m_isArranging, true);
    const QStringList before = columnNames();
    const int scrolled = verticalScrollBar()->value();
    const QSet<QStringList> open = openPaths();
    {
        const QSignalBlocker quiet(header()); // its new columns would lay out all rows, which their widths do again
        m_model->setTable(std::move(table), origin);
    }
    const QStringList now = columnNames();
    setRootIsDecorated(m_model->table().isTree() || m_opens);
    setTreePosition(firstText());
    applyColumns();
    if (now == before)
        openAgain(open);
    else
        openFirst();
    fitColumns(now != before);
    m_sortColumn = m_sortName.isEmpty() ? -1 : static_cast<int>(now.indexOf(m_sortName));
    header()->setSortIndicator(m_sortColumn, m_sortOrder);
    if (m_sortColumn >= 0)
        m_model->sort(m_sortColumn, m_sortOrder);
    verticalScrollBar()->setValue(scrolled);
}

// What each row of a tree that is open is called, from the outermost row to it.
QSet<QStringList> TableView::openPaths() const
{
    QSet<QStringList> paths;
    visitOpen({}, [&](const QModelIndex &index, const QStringList &path) {
        if (isExpanded(index))
            paths.insert(path);
        return isExpanded(index);
    });
    return paths;
}

void TableView::openAgain(const QSet<QStringList> &paths)
{
    visitOpen({}, [&](const QModelIndex &index, const QStringList &path) {
        if (paths.contains(path))
            expand(index);
        return paths.contains(path);
    });
}

// Some levels; where two runs are laid over each other down to where they part.
void TableView::openFirst()
{
    if (!m_model->table().isTree())
        return;
    const Column *status = m_model->table().findColumn("status");
    visitOpen({}, [&](const QModelIndex &index, const QStringList &path) {
        const bool opens = status ? status->text(m_model->tableRow(index)) == "both" : path.size() <= kFirstLevels;
        if (opens)
            expand(index);
        return opens;
    });
}

// Visits the rows below one, and below those where visit(index, path) says so. Of many rows only some.
template<typename Visit>
void TableView::visitOpen(const QModelIndex &parent, Visit visit) const
{
    constexpr std::size_t kMost = 2000;
    std::vector<std::pair<QModelIndex, QStringList>> waiting{{parent, {}}};
    std::size_t visited = 0;
    for (std::size_t next = 0; next < waiting.size() && visited < kMost; ++next) {
        const auto [above, path] = waiting[next];
        for (int row = 0; row < m_model->rowCount(above) && visited < kMost; ++row, ++visited) {
            const QModelIndex index = m_model->index(row, 0, above);
            const QStringList own = path + QStringList(index.siblingAtColumn(treePosition()).data().toString());
            if (visit(index, own))
                waiting.emplace_back(index, own);
        }
    }
}

// What rows of a tree are indented in.
int TableView::firstText() const
{
    for (int i = 0; i < m_model->columnCount(); ++i) {
        if (m_model->table().column(static_cast<std::size_t>(i)).isText())
            return i;
    }
    return 0;
}

// The largest first where it is a number; once more turns it round, a third time brings back the order of the analysis.
void TableView::sortBy(int column)
{
    const Qt::SortOrder first = m_model->isNumeric(column) ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (m_sortColumn != column) {
        m_sortColumn = column;
        m_sortOrder = first;
    } else if (m_sortOrder == first) {
        m_sortOrder = first == Qt::DescendingOrder ? Qt::AscendingOrder : Qt::DescendingOrder;
    } else {
        m_sortColumn = -1;
    }
    m_sortName = m_sortColumn < 0 ? QString() : columnName(column);
    header()->setSortIndicator(m_sortColumn, m_sortOrder);
    m_model->sort(m_sortColumn, m_sortOrder);
    scrollTo(currentIndex());
}

// Wide enough for what is in them, or as wide as somebody made them; a column that was wider stays so.
void TableView::fitColumns(bool isAnew)
{
    for (int i = 0; i < m_model->columnCount(); ++i) {
        const int before = isAnew ? 0 : columnWidth(i);
        if (isColumnHidden(i))
            continue;
        if (const std::optional<int> chosen = m_choice.width(columnName(i))) {
            setColumnWidth(i, *chosen);
            continue;
        }
        resizeColumnToContents(i);
        setColumnWidth(i, std::max(before, std::min(columnWidth(i), kWidestColumn)));
    }
}

// Laying out a text takes as long as making a hundred: only the longest of the first rows are measured.
int TableView::sizeHintForColumn(int column) const
{
    constexpr int kMostRows = 200;
    std::array<std::pair<qsizetype, QModelIndex>, 3> longest;
    QModelIndex index = m_model->index(0, column);
    for (int row = 0; index.isValid() && row < kMostRows; ++row, index = indexBelow(index)) {
        std::pair<qsizetype, QModelIndex> text(index.data().toString().size(), index);
        for (auto &place : longest) {
            if (text.first > place.first)
                std::swap(text, place);
        }
    }
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    int width = 0;
    for (const auto &[size, wide] : longest) {
        if (!wide.isValid())
            continue;
        int indents = column == treePosition() && rootIsDecorated() ? 1 : 0;
        for (QModelIndex above = wide.parent(); column == treePosition() && above.isValid(); above = above.parent())
            ++indents;
        width = std::max(width, itemDelegateForIndex(wide)->sizeHint(option, wide).width() + indents * indentation());
    }
    return width;
}

// Does no row know it? The rank of a single trace, say.
bool TableView::isUnknown(int column) const
{
    const Column &cells = m_model->table().column(static_cast<std::size_t>(column));
    for (std::size_t row = 0; row < cells.size(); ++row) {
        if (!cells.isNull(row))
            return false;
    }
    return cells.size() != 0;
}

QString TableView::selectedText() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.isEmpty()) {
        for (std::uint32_t row = 0; row < m_model->table().rowCount(); ++row)
            rows << m_model->indexOf(row);
    }
    std::sort(rows.begin(), rows.end(),
              [this](const QModelIndex &a, const QModelIndex &b) { return visualRect(a).top() < visualRect(b).top(); });
    QList<int> columns;
    for (int i = 0; i < m_model->columnCount(); ++i) {
        const int column = header()->logicalIndex(i);
        if (!isColumnHidden(column))
            columns << column;
    }
    return tabSeparated(*m_model, rows, columns);
}

void TableView::showColumnMenu(QPoint position)
{
    QMenu menu(this);
    for (int i = 0; i < m_model->columnCount(); ++i) {
        QAction *action = menu.addAction(m_model->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(i));
        connect(action, &QAction::toggled, this, [this, i](bool isOn) {
            m_choice.show(columnName(i), isOn);
            applyColumns();
            const QScopedValueRollback arranging(m_isArranging, true);
            if (isOn && columnWidth(i) == 0)
                resizeColumnToContents(i);
            emit columnChoiceChanged();
        });
    }
    menu.exec(header()->mapToGlobal(position));
}

QStringList TableView::shownColumns() const
{
    QStringList names;
    for (int i = 0; i < m_model->columnCount(); ++i) {
        const int column = header()->logicalIndex(i);
        if (!isColumnHidden(column))
            names << columnName(column);
    }
    return names;
}

void TableView::showOnly(const QStringList &names)
{
    for (const QString &name : columnNames())
        m_choice.show(name, names.contains(name));
    applyColumns();
}

void TableView::setColumnChoice(ColumnChoice choice)
{
    m_choice = std::move(choice);
    applyColumns();
    const QScopedValueRollback arranging(m_isArranging, true);
    fitColumns(false);
}

void TableView::keepOrder()
{
    if (m_isArranging)
        return;
    QStringList names;
    for (int i = 0; i < m_model->columnCount(); ++i)
        names << columnName(header()->logicalIndex(i));
    m_choice.arrange(names);
    emit columnChoiceChanged();
}

void TableView::applyColumns()
{
    const QScopedValueRollback arranging(m_isArranging, true);
    const QStringList names = columnNames();
    for (int i = 0; i < names.size(); ++i) {
        const std::string &name = m_model->table().column(static_cast<std::size_t>(i)).name();
        setColumnHidden(i, !m_choice.isShown(names[i]).value_or(m_isShownAtFirst(name) && !isUnknown(i)));
    }
    int place = 0;
    for (const QString &name : m_choice.order()) {
        if (const auto column = static_cast<int>(names.indexOf(name)); column >= 0)
            header()->moveSection(header()->visualIndex(column), place++);
    }
}

} // namespace ks
