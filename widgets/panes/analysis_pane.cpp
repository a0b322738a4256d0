// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/analysis_pane.h"

#include "core/analysis/row_target.h"
#include "core/base/json_writer.h"
#include "core/base/text_sink.h"
#include "core/table/table_output.h"
#include "widgets/charts/table_chart.h"
#include "widgets/state/to_qstring.h"
#include "widgets/tables/option_bar.h"
#include "widgets/tables/share_delegate.h"
#include "widgets/tables/table_model.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QSaveFile>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace ks {
namespace {

constexpr int kPatienceMs = 120;
constexpr int kWidestColumn = 420;

// To light up on the timeline; none if they are too many to be told apart there.
std::vector<EventRef> eventsOfName(const TraceSet &traces, NameId name)
{
    constexpr std::size_t kMost = 20'000;
    std::vector<EventRef> events;
    for (std::uint32_t position = 0; position < traces.size(); ++position) {
        const auto &names = traces.at(position).events().name;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] != name)
                continue;
            if (events.size() == kMost)
                return {};
            events.push_back(traces.ref(position, static_cast<EventId>(i)));
        }
    }
    return events;
}

// What is drawn beside the table; nothing where bars tell no more than the numbers.
BarChart chartOf(const Analysis &analysis)
{
    if (analysis.id == "steps")
        return {{"rank", "step"}, {"dur_ns"}};
    if (analysis.id == "breakdown")
        return {{"rank", "device"}, {"compute_ns", "exposed_communication_ns", "exposed_memory_ns", "idle_ns"}};
    if (analysis.id == "idle")
        return {{"rank", "device", "stream"}, {"host_wait_ns", "kernel_wait_ns", "other_ns"}};
    return {};
}

// What would fill the pane.
QString emptyText(const Analysis &analysis)
{
    if (analysis.id == "memory")
        return AnalysisPane::tr("No [memory] events here: record with profile_memory=True.");
    if (analysis.id == "modules")
        return AnalysisPane::tr("No nn.Module calls here: record with with_stack=True and with_modules=True.");
    if (analysis.id == "steps")
        return AnalysisPane::tr(
            "No steps here: give the profiler a schedule and call prof.step() after each iteration.");
    if (analysis.id == "communication")
        return AnalysisPane::tr("No collectives here.");
    if (analysis.id == "findings")
        return AnalysisPane::tr("Nothing stands out here.");
    if (analysis.id == "kernels" || analysis.id == "launches" || analysis.id == "idle" || analysis.id == "breakdown")
        return AnalysisPane::tr("No device work here: record with ProfilerActivity.CUDA.");
    return AnalysisPane::tr("Nothing to count here.");
}

} // namespace

AnalysisPane::AnalysisPane(const Analysis &analysis, ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_analysis(analysis)
    , m_state(state)
    , m_model(new TableModel(this))
    , m_view(new QTreeView(this))
    , m_chart(new TableChart(this))
    , m_both(new QSplitter(this))
    , m_options(new OptionBar(analysis, this))
    , m_words(new QLabel(this))
    , m_empty(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_stack(new QStackedLayout)
{
    const QString id = toQString(analysis.id);
    const QString title = QCoreApplication::translate("Analysis", analysis.title);
    setObjectName(QStringLiteral("pane.") + id);
    m_view->setObjectName(QStringLiteral("table.") + id);
    m_view->setAccessibleName(title);
    m_view->setModel(m_model);
    m_view->setItemDelegate(new ShareDelegate(m_view));
    m_view->setUniformRowHeights(true);
    m_view->setTextElideMode(Qt::ElideMiddle); // names of kernels differ at their ends
    m_view->setAlternatingRowColors(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    QHeaderView *header = m_view->header();
    header->setSectionsClickable(true);
    header->setSectionsMovable(true);
    header->setFirstSectionMovable(true);
    header->setStretchLastSection(false);
    header->setSortIndicatorShown(true);
    header->setSortIndicator(-1, Qt::DescendingOrder);
    header->setContextMenuPolicy(Qt::CustomContextMenu);

    m_words->setObjectName(QStringLiteral("words.") + id);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 1000);
    m_progress->setFixedHeight(3);

    auto *head = new QHBoxLayout;
    constexpr int kGap = 6;
    head->setContentsMargins(kGap, kGap / 2, kGap, 0);
    head->addWidget(m_options);
    head->addWidget(m_words, 1);
    m_words->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_stack->addWidget(m_empty);
    m_both->addWidget(m_view);
    m_both->addWidget(m_chart);
    m_both->setChildrenCollapsible(false);
    m_chart->hide();
    m_stack->addWidget(m_both);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_progress);
    layout->addLayout(m_stack, 1);
    QSizePolicy keepsRoom = m_progress->sizePolicy();
    keepsRoom.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(keepsRoom);
    m_progress->hide();
    setFocusProxy(m_view);

    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, &AnalysisPane::compute);
    connect(&m_job, &JobSlot::progressChanged, this, [this] {
        m_progress->setVisible(true);
        m_progress->setValue(static_cast<int>(m_job.progress().share * 1000));
    });
    connect(&m_job, &JobSlot::runningChanged, this,
            [this] { m_progress->setVisible(m_job.isRunning() && m_progress->isVisible()); });
    connect(m_options, &OptionBar::changed, this, &AnalysisPane::ask);
    connect(m_options, &OptionBar::refused, this, &AnalysisPane::say);
    connect(&m_state, &ViewState::tracesChanged, this, [this] {
        m_asked = {};
        m_words->clear();
        m_model->setTable(std::make_shared<const Table>());
        say({});
        ask();
    });
    connect(&m_state, &ViewState::filterChanged, this, &AnalysisPane::ask);
    connect(&m_state, &ViewState::areaChanged, this, [this] {
        m_isStale = true;
        // While somebody goes through the rows, each of which may move the view, the table stays.
        if (!m_isFollowing && (!m_view->hasFocus() || selectedArea(m_state.selection())))
            ask();
    });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *old) {
        if (m_isStale && old == m_view)
            ask();
    });
    connect(&m_state, &ViewState::selectionChanged, this, &AnalysisPane::findSelection);
    connect(header, &QHeaderView::sectionClicked, this, &AnalysisPane::sortBy);
    connect(header, &QHeaderView::customContextMenuRequested, this, &AnalysisPane::showColumnMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, &AnalysisPane::showMenu);
    connect(m_view, &QTreeView::activated, this, &AnalysisPane::activate);
    connect(m_chart, &TableChart::rowClicked, this, [this](std::uint32_t row) {
        m_view->setCurrentIndex(m_model->indexOf(row));
        activate(m_model->indexOf(row));
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AnalysisPane::follow);

    auto *copyAction = new QAction(tr("Copy"), m_view);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    connect(copyAction, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(selectedText()); });
    m_view->addAction(copyAction);
    say({});
}

AnalysisPane::~AnalysisPane()
{
    m_job.cancel();
    disconnect(qApp, nullptr, this, nullptr);
}

QString AnalysisPane::words() const
{
    return m_words->text();
}

void AnalysisPane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        ask();
}

void AnalysisPane::ask()
{
    m_isStale = true;
    m_job.cancel();
    if (isVisible())
        m_patience.start();
    else
        m_patience.stop();
}

void AnalysisPane::compute()
{
    m_isStale = false;
    Question question = questionOf(m_state, m_analysis.isComparison);
    if (question.traces.empty()) {
        m_model->setTable(std::make_shared<const Table>());
        say(m_state.traces().isEmpty() ? tr("Open a trace to see this.")
            : m_analysis.isComparison  ? tr("Open a second trace to compare it with this one.")
                                       : QString());
        return;
    }
    m_job.run(
        [question, &analysis = m_analysis, options = m_options->options()](const Progress &progress) {
            const Scope scope = withFilter(question, progress.part(0, 0.3));
            return std::make_shared<const Table>(
                analysis.run({question.traces, scope, options, question.baseline}, progress.part(0.3, 1)));
        },
        [this, question](std::shared_ptr<const Table> table) {
            m_asked = question;
            m_words->setText(tr("Counted: %1").arg(question.words));
            m_words->setToolTip(QCoreApplication::translate("Analysis", m_analysis.question));
            showTable(std::move(table));
        },
        [this](const JobError &error) {
            say(toQString(error.message));
            emit failed(toQString(error.message));
        });
}

void AnalysisPane::showTable(std::shared_ptr<const Table> table)
{
    const bool isFirst = m_model->columnCount() == 0;
    QStringList before;
    for (int i = 0; i < m_model->columnCount(); ++i)
        before << toQString(m_model->table().column(static_cast<std::size_t>(i)).name());
    const int scrolled = m_view->verticalScrollBar()->value();
    {
        const QSignalBlocker quiet(m_view->selectionModel());
        m_model->setTable(std::move(table), static_cast<std::int64_t>(m_asked.traces.front().trace->fileTime(0)));
    }
    QStringList now;
    for (const Column &column : m_model->table().columns())
        now << toQString(column.name());
    m_view->setRootIsDecorated(m_model->table().isTree());
    applyColumns();
    fitColumns(now != before);
    m_sortColumn = static_cast<int>(now.indexOf(m_sortName));
    m_view->header()->setSortIndicator(m_sortColumn, m_sortOrder);
    if (m_sortColumn >= 0)
        m_model->sort(m_sortColumn, m_sortOrder);
    const bool hadChart = !m_chart->isHidden();
    m_chart->setVisible(m_chart->show(m_model->table(), chartOf(m_analysis)));
    if (!hadChart && !m_chart->isHidden())
        m_both->setSizes({width() * 3 / 5, width() * 2 / 5});
    if (m_model->table().isTree())
        m_view->expandToDepth(isFirst ? 1 : 0);
    m_view->verticalScrollBar()->setValue(scrolled);
    say(m_model->table().rowCount() == 0 ? emptyText(m_analysis) : QString());
    findSelection();
    emit computed();
}

// Wide enough for what is in them; a column that was made wider stays so.
void AnalysisPane::fitColumns(bool isAnew)
{
    for (int i = 0; i < m_model->columnCount(); ++i) {
        const int before = isAnew ? 0 : m_view->columnWidth(i);
        if (m_view->isColumnHidden(i))
            continue;
        m_view->resizeColumnToContents(i);
        m_view->setColumnWidth(i, std::max(before, std::min(m_view->columnWidth(i), kWidestColumn)));
    }
}

// Does no row know it? The rank of a single trace, say.
bool AnalysisPane::isUnknown(int column) const
{
    const Column &cells = m_model->table().column(static_cast<std::size_t>(column));
    for (std::size_t row = 0; row < cells.size(); ++row) {
        if (!cells.isNull(row))
            return false;
    }
    return cells.size() != 0;
}

// Over the table, or in its place if there is none.
void AnalysisPane::say(const QString &text)
{
    m_empty->setText(text);
    m_stack->setCurrentIndex(text.isEmpty() && m_model->rowCount() > 0 ? 1 : 0);
}

// The largest first where it is a number; once more turns it round, a third time brings back the order of the analysis.
void AnalysisPane::sortBy(int column)
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
    m_sortName =
        m_sortColumn < 0 ? QString() : toQString(m_model->table().column(static_cast<std::size_t>(column)).name());
    m_view->header()->setSortIndicator(m_sortColumn, m_sortOrder);
    m_model->sort(m_sortColumn, m_sortOrder);
    m_view->scrollTo(m_view->currentIndex());
}

void AnalysisPane::follow(const QModelIndex &index)
{
    if (!index.isValid() || m_isFollowing)
        return;
    const RowTarget target = rowTarget(m_analysis, m_model->table(), m_model->tableRow(index), m_asked.traces);
    m_isFollowing = true;
    if (target.trace && target.event != kNoEvent) {
        m_state.select(m_state.traces().ref(m_asked.positions[*target.trace], target.event));
    } else if (const Column *name = m_model->table().findColumn("name"); name && name->isText() && !target.range) {
        const NameId id = findName(name->text(m_model->tableRow(index)));
        if (id != kNoName)
            m_state.select(id, eventsOfName(m_state.traces(), id));
    }
    m_isFollowing = false;
}

void AnalysisPane::activate(const QModelIndex &index)
{
    if (!index.isValid() || m_asked.traces.empty())
        return;
    const RowTarget target = rowTarget(m_analysis, m_model->table(), m_model->tableRow(index), m_asked.traces);
    m_isFollowing = true;
    if (target.trace && target.range) {
        const TimeRange range = m_state.traces().toViewTime(m_asked.positions[*target.trace], *target.range);
        const TimeNs margin = std::max<TimeNs>(range.duration() / 10, 500);
        m_state.setVisibleRange({saturatingSubtract(range.begin, margin), saturatingAdd(range.end, margin)});
    }
    if (target.trace && target.event != kNoEvent)
        m_state.reveal(m_state.traces().ref(m_asked.positions[*target.trace], target.event));
    else if (!target.range && !target.filter.empty())
        m_state.setFilter(toQString(target.filter));
    m_isFollowing = false;
}

// The row of what was selected elsewhere: of the event itself, else of its name, else of what launched it.
void AnalysisPane::findSelection()
{
    if (m_isFollowing || m_asked.traces.empty() || m_model->rowCount() == 0)
        return;
    const Table &table = m_model->table();
    const Column *names = table.findColumn("name");
    std::vector<NameId> wanted;
    EventId event = kNoEvent;
    if (const EventRef *ref = selectedEvent(m_state.selection()); ref && m_state.traces().isValid(*ref)) {
        const Trace &trace = m_state.traces().at(ref->trace);
        event = ref->event;
        wanted.push_back(trace.nameId(event));
        if (const LaunchLink link = trace.launchLink(event); link.op != kNoEvent)
            wanted.push_back(trace.nameId(link.op));
    } else if (const NameId *name = selectedName(m_state.selection())) {
        wanted.push_back(*name);
    }
    std::optional<std::uint32_t> found;
    const auto rows = static_cast<std::uint32_t>(table.rowCount());
    for (const ColumnLink &link : m_analysis.links) {
        const std::optional<std::size_t> column = table.find(link.column);
        if (found || event == kNoEvent || link.to != ColumnLink::To::Event || !column || m_asked.traces.size() != 1)
            continue;
        for (std::uint32_t row = 0; row < rows && !found; ++row) {
            if (cellEvent(m_analysis, table, row, *column, m_asked.traces) == event)
                found = row;
        }
    }
    for (const NameId name : wanted) {
        if (!names || !names->isText())
            break;
        const std::string_view text = nameText(name);
        for (std::uint32_t row = 0; row < rows && !found; ++row) {
            if (!names->isNull(row) && names->text(row) == text)
                found = row;
        }
    }
    m_isFollowing = true;
    if (found) {
        const QModelIndex index = m_model->indexOf(*found);
        m_view->setCurrentIndex(index);
        m_view->scrollTo(index);
    } else if (!isNone(m_state.selection())) {
        m_view->selectionModel()->clear();
    }
    m_isFollowing = false;
}

QString AnalysisPane::selectedText() const
{
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (rows.isEmpty()) {
        for (std::uint32_t row = 0; row < m_model->table().rowCount(); ++row)
            rows << m_model->indexOf(row);
    }
    std::sort(rows.begin(), rows.end(), [this](const QModelIndex &a, const QModelIndex &b) {
        return m_view->visualRect(a).top() < m_view->visualRect(b).top();
    });
    QList<int> columns;
    for (int i = 0; i < m_model->columnCount(); ++i) {
        const int column = m_view->header()->logicalIndex(i);
        if (!m_view->isColumnHidden(column))
            columns << column;
    }
    return tabSeparated(*m_model, rows, columns);
}

bool AnalysisPane::exportTo(const QString &path, QString &error) const
{
    std::string text;
    TextSink sink(text);
    if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) {
        JsonWriter writer(sink);
        writer.beginObject();
        writeTableJson(writer, m_model->table());
        writer.endObject();
    } else {
        writeTableCsv(sink, m_model->table());
    }
    sink.flush();
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(text.data(), static_cast<qint64>(text.size())) >= 0
        && file.commit())
        return true;
    error = tr("%1 could not be written: %2").arg(path, file.errorString());
    return false;
}

void AnalysisPane::chooseExport()
{
    auto *dialog = new QFileDialog(this, tr("Export the table"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("CSV (*.csv)"), tr("JSON (*.json)")});
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        dialog->setDefaultSuffix(filter.contains(QLatin1String("json")) ? QStringLiteral("json")
                                                                        : QStringLiteral("csv"));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        QString error;
        if (exportTo(path, error))
            emit exported(path);
        else
            emit failed(error);
    });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void AnalysisPane::showMenu(QPoint position)
{
    const QModelIndex index = m_view->indexAt(position);
    QMenu menu(this);
    if (index.isValid() && !m_asked.traces.empty()) {
        const RowTarget target = rowTarget(m_analysis, m_model->table(), m_model->tableRow(index), m_asked.traces);
        if (target.event != kNoEvent || target.range)
            menu.addAction(tr("Show in the timeline"), this, [this, index] { activate(index); });
        if (!target.filter.empty())
            menu.addAction(tr("Filter to this"), this, [this, target] { m_state.setFilter(toQString(target.filter)); });
        menu.addSeparator();
    }
    menu.addAction(tr("Copy rows"), this, [this] { QApplication::clipboard()->setText(selectedText()); });
    menu.addAction(tr("Export…"), this, &AnalysisPane::chooseExport);
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

void AnalysisPane::showColumnMenu(QPoint position)
{
    QMenu menu(this);
    for (int i = 0; i < m_model->columnCount(); ++i) {
        QAction *action = menu.addAction(m_model->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!m_view->isColumnHidden(i));
        connect(action, &QAction::toggled, this, [this, i](bool isOn) {
            m_view->setColumnHidden(i, !isOn);
            if (isOn && m_view->columnWidth(i) == 0)
                m_view->resizeColumnToContents(i);
            m_shown = shownColumns();
            emit shownColumnsChanged();
        });
    }
    menu.exec(m_view->header()->mapToGlobal(position));
}

QStringList AnalysisPane::shownColumns() const
{
    QStringList names;
    for (int i = 0; i < m_model->columnCount(); ++i) {
        if (!m_view->isColumnHidden(i))
            names << toQString(m_model->table().column(static_cast<std::size_t>(i)).name());
    }
    return names.isEmpty() && m_shown ? *m_shown : names;
}

void AnalysisPane::setShownColumns(const QStringList &names)
{
    m_shown = names;
    applyColumns();
}

void AnalysisPane::applyColumns()
{
    for (int i = 0; i < m_model->columnCount(); ++i) {
        const std::string &name = m_model->table().column(static_cast<std::size_t>(i)).name();
        const bool isShown = m_shown ? m_shown->contains(toQString(name)) : m_analysis.isShown(name) && !isUnknown(i);
        m_view->setColumnHidden(i, !isShown);
    }
}

} // namespace ks
