// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/table_view.h"

#include "widgets/state/to_qstring.h"
#include "widgets/tables/table_delegate.h"
#include "widgets/tables/table_model.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <utility>

namespace ks {
namespace {

constexpr int kWidestColumn = 420;
constexpr std::size_t kFirstLevels = 2; // of a tree are open at first
constexpr int kIndent = 18;             // pixels, of each level
constexpr int kLeastIndent = 3;         // ... of many
constexpr int kFewLevels = 4;           // have room in any column

} // namespace

TableView::TableView(std::function<bool(std::string_view)> isShownAtFirst, QWidget *parent)
    : TableView(new TableModel, std::move(isShownAtFirst), parent)
{}

TableView::TableView(TableModel *model, std::function<bool(std::string_view)> isShownAtFirst, QWidget *parent)
    : RowsView(*model, parent)
    , m_model(model)
    , m_isShownAtFirst(std::move(isShownAtFirst))
{
    model->setParent(this);
    setItemDelegate(new TableDelegate(*this, this));
    QHeaderView *header = horizontalHeader();
    header->setSortIndicator(-1, Qt::DescendingOrder);
    connect(header, &QHeaderView::sectionClicked, this, &TableView::sortBy);
    connect(header, &QHeaderView::customContextMenuRequested, this, &TableView::showColumnMenu);
    connect(header, &QHeaderView::sectionMoved, this, &TableView::keepOrder);
    connect(header, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (m_isArranging || width == 0 || column >= m_model->columnCount())
            return;
        m_choice.resize(columnName(column), width);
        emit columnChoiceChanged();
    });
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
    QStringList now;
    for (const Column &column : table->columns())
        now << toQString(column.name());
    const bool isAnew = now != before;
    m_hasArrows = table->isTree() || m_opens;
    std::function<bool(std::uint32_t)> isOpen;
    if (m_hasArrows && isAnew)
        isOpen = [this](std::uint32_t row) { return opensAtFirst(row); };
    else if (!open.isEmpty())
        isOpen = [this, &open](std::uint32_t row) { return open.contains(pathOf(row)); };
    m_firstText = firstText(*table);
    m_model->setTable(std::move(table), origin, isOpen);
    m_deepest = 0;
    std::size_t noted = 0;
    for (const std::uint32_t row : m_model->openRows()) {
        constexpr std::size_t kMost = 2000;
        if (const auto inside = m_model->inside(row); !inside.empty())
            noteDepth(inside.front());
        if (++noted == kMost)
            break;
    }
    applyColumns();
    fitColumns(isAnew);
    m_sortColumn = m_sortName.isEmpty() ? -1 : static_cast<int>(now.indexOf(m_sortName));
    horizontalHeader()->setSortIndicator(m_sortColumn, m_sortOrder);
    if (m_sortColumn >= 0)
        m_model->sort(m_sortColumn, m_sortOrder);
    verticalScrollBar()->setValue(scrolled);
}

// What a row is called, from the outermost one around it.
QStringList TableView::pathOf(std::uint32_t tableRow) const
{
    QStringList path;
    for (std::uint32_t row = tableRow; row != Table::kNoParent; row = m_model->table().parent(row))
        path.prepend(m_model->text(m_firstText, row));
    return path;
}

QSet<QStringList> TableView::openPaths() const
{
    constexpr qsizetype kMost = 2000;
    QSet<QStringList> paths;
    for (const std::uint32_t row : m_model->openRows()) {
        if (paths.size() < kMost)
            paths.insert(pathOf(row));
    }
    return paths;
}

// Some levels of a tree; where two runs are laid over each other down to where they part.
bool TableView::opensAtFirst(std::uint32_t tableRow) const
{
    const Table &table = m_model->table();
    if (!table.isTree())
        return false;
    const Column *status = table.findColumn("status");
    return status ? status->text(tableRow) == "both" : table.depth(tableRow) < kFirstLevels;
}

// What rows of a tree are indented in.
int TableView::firstText(const Table &table)
{
    const auto columns = table.columns();
    const auto found = std::find_if(columns.begin(), columns.end(), [](const Column &each) { return each.isText(); });
    return found == columns.end() ? 0 : static_cast<int>(found - columns.begin());
}

int TableView::indentOf(const QModelIndex &index) const
{
    if (!m_hasArrows || index.column() != m_firstText)
        return 0;
    const int room = std::max(columnWidth(m_firstText) / 2, kFewLevels * kIndent) - kIndent;
    const int ofLevel = std::clamp(room / std::max(static_cast<int>(m_deepest), 1), kLeastIndent, kIndent);
    const auto depth = static_cast<int>(m_model->table().depth(m_model->tableRow(index)));
    return kIndent + std::min(depth * ofLevel, room);
}

// Of a row that comes on screen.
void TableView::noteDepth(std::uint32_t tableRow)
{
    const std::size_t depth = m_model->table().depth(tableRow);
    if (depth <= m_deepest)
        return;
    m_deepest = depth;
    viewport()->update();
}

QRect TableView::arrowOf(const QModelIndex &index, const QRect &cell) const
{
    const int indent = indentOf(index);
    return indent == 0 ? QRect() : QRect(cell.left() + indent - kIndent, cell.top(), kIndent, cell.height());
}

void TableView::goTo(std::uint32_t tableRow)
{
    noteDepth(tableRow);
    const QModelIndex index = m_model->reveal(tableRow);
    setCurrentIndex(index);
    scrollTo(index);
}

// Is the arrow of a row there? It is not chosen by that.
bool TableView::toggleAt(QPoint place)
{
    const QModelIndex index = indexAt(place);
    if (!index.isValid() || !arrowOf(index, visualRect(index)).contains(place))
        return false;
    const std::uint32_t row = m_model->tableRow(index);
    if (!m_model->opens(row))
        return false;
    setOpen(row, !m_model->isOpen(row));
    return true;
}

// Who is inside a row that closes goes to it.
void TableView::setOpen(std::uint32_t tableRow, bool isOpen)
{
    const QModelIndex current = currentIndex();
    const Table &table = m_model->table();
    for (std::uint32_t up = current.isValid() && !isOpen ? m_model->tableRow(current) : Table::kNoParent;
         up != Table::kNoParent; up = table.parent(up)) {
        if (table.parent(up) == tableRow)
            setCurrentIndex(m_model->indexOf(tableRow, current.column()));
    }
    m_model->setOpen(tableRow, isOpen);
    if (const auto inside = m_model->inside(tableRow); isOpen && !inside.empty())
        noteDepth(inside.front());
}

void TableView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !toggleAt(event->position().toPoint()))
        RowsView::mousePressEvent(event);
}

void TableView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && toggleAt(event->position().toPoint()))
        return;
    const QPersistentModelIndex index = indexAt(event->position().toPoint());
    RowsView::mouseDoubleClickEvent(event);
    if (event->button() == Qt::LeftButton && index.isValid()) {
        const std::uint32_t row = m_model->tableRow(index);
        setOpen(row, !m_model->isOpen(row));
    }
}

void TableView::keyPressEvent(QKeyEvent *event)
{
    const QModelIndex index = currentIndex();
    const bool isOfRow = m_hasArrows && index.isValid();
    if (isOfRow && (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Minus))
        setOpen(m_model->tableRow(index), event->key() == Qt::Key_Plus);
    else if (isOfRow && event->key() == Qt::Key_Asterisk)
        openAllInside(m_model->tableRow(index));
    else
        RowsView::keyPressEvent(event);
}

void TableView::openAllInside(std::uint32_t tableRow)
{
    constexpr std::size_t kMost = 2000; // rows
    std::vector<std::uint32_t> waiting{tableRow};
    for (std::size_t i = 0; i < waiting.size() && i < kMost; ++i) {
        const auto inside = m_model->inside(waiting[i]);
        waiting.insert(waiting.end(), inside.begin(), inside.end());
    }
    // The innermost first: what comes on screen comes at once.
    for (auto row = waiting.rbegin(); row != waiting.rend(); ++row) {
        noteDepth(*row);
        if (!m_model->inside(*row).empty() || *row == tableRow)
            m_model->setOpen(*row, true);
    }
}

// Left and right close and open a row, then go to the row around it and to the first one inside; else the columns scroll.
QModelIndex TableView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    const QModelIndex index = currentIndex();
    if (!index.isValid() || (action != MoveLeft && action != MoveRight))
        return RowsView::moveCursor(action, modifiers);
    const std::uint32_t row = m_model->tableRow(index);
    const std::uint32_t parent = m_model->table().parent(row);
    const bool isOpen = m_model->isOpen(row);
    QScrollBar &columns = *horizontalScrollBar();
    if (action == MoveRight && m_hasArrows && isOpen && !m_model->inside(row).empty())
        return m_model->indexOf(m_model->inside(row).front(), index.column());
    if (action == MoveRight && m_hasArrows && !isOpen && m_model->opens(row))
        setOpen(row, true);
    else if (action == MoveLeft && isOpen)
        setOpen(row, false);
    else if (action == MoveLeft && parent != Table::kNoParent)
        return m_model->indexOf(parent, index.column());
    else
        columns.setValue(columns.value() + (action == MoveRight ? 1 : -1) * columns.singleStep());
    return currentIndex();
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
    horizontalHeader()->setSortIndicator(m_sortColumn, m_sortOrder);
    // Each cell of a selected row would be looked for in the new order.
    constexpr int kMostKept = 1000;
    int selected = 0;
    for (const QItemSelectionRange &range : selectionModel()->selection())
        selected += range.height();
    if (selected > kMostKept)
        selectionModel()->clearSelection();
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
    for (int row = 0; row < std::min(kMostRows, m_model->rowCount()); ++row) {
        const QModelIndex index = m_model->index(row, column);
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
        const int text = itemDelegateForIndex(wide)->sizeHint(option, wide).width();
        const bool isIndented = m_hasArrows && column == m_firstText;
        const auto levels = static_cast<int>(m_model->table().depth(m_model->tableRow(wide)) + 1);
        width = std::max(width, text + (isIndented ? levels * kIndent : 0));
    }
    return std::max(width, sizeHintInside(column));
}

// Of rows that may open later, from all over the table. The names of a tree are as wide as they are.
int TableView::sizeHintInside(int column) const
{
    const Table &table = m_model->table();
    if (!table.isTree() || column == m_firstText)
        return 0;
    const Column &cells = table.column(static_cast<std::size_t>(column));
    const std::size_t mostRows = cells.isText() ? 20'000 : 200; // a number has to be written to know how long it is
    QString longest;
    std::size_t longestText = 0;
    for (std::size_t row = 0; row < table.rowCount(); row += table.rowCount() / mostRows + 1) {
        if (cells.isText()) {
            const std::size_t size = cells.text(row).size();
            if (size <= longestText)
                continue;
            longestText = size;
        }
        const QString text = m_model->text(column, static_cast<std::uint32_t>(row));
        if (text.size() > longest.size())
            longest = text;
    }
    const int margin = style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1;
    return fontMetrics().horizontalAdvance(longest) + 2 * margin;
}

// Does no row know it? The rank of a single trace, say.
bool TableView::isUnknown(int column) const
{
    const Column &cells = m_model->table().column(static_cast<std::size_t>(column));
    return cells.size() != 0 && cells.nullCount() == cells.size();
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
    menu.exec(horizontalHeader()->mapToGlobal(position));
}

QStringList TableView::shownColumns() const
{
    QStringList names;
    for (int i = 0; i < m_model->columnCount(); ++i) {
        const int column = horizontalHeader()->logicalIndex(i);
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
        names << columnName(horizontalHeader()->logicalIndex(i));
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
            horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), place++);
    }
}

} // namespace ks
