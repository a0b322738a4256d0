// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/events_pane.h"

#include "core/analysis/filter.h"
#include "core/base/format.h"
#include "widgets/jobs/background_release.h"
#include "widgets/panes/event_text.h"
#include "widgets/state/to_qstring.h"
#include "widgets/tables/table_export.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QMenu>

#include <algorithm>

namespace ks {
namespace {

int widthOf(EventColumn column, const QFontMetrics &metrics)
{
    const auto characters = [&metrics](int count) { return metrics.averageCharWidth() * count; };
    switch (column) {
    case EventColumn::Name: return characters(44);
    case EventColumn::Category: return characters(16);
    case EventColumn::Lane: return characters(20);
    case EventColumn::Start: return characters(18);
    case EventColumn::Duration:
    case EventColumn::Self: return characters(11);
    case EventColumn::Step: return characters(7);
    case EventColumn::Operator:
    case EventColumn::Module: break;
    }
    return characters(24);
}

} // namespace

EventsPane::EventsPane(ViewState &state, QWidget *parent)
    : Pane(QStringLiteral("events"), tr("Events"), tr("every event, by any column"), state, parent)
    , m_model(new EventModel(laneText, this))
    , m_view(new RowsView(*m_model, this))
{
    m_view->setObjectName(QStringLiteral("table.events"));
    m_view->setAccessibleName(title());
    m_view->viewport()->installEventFilter(this);
    QHeaderView *header = m_view->horizontalHeader();
    header->setSortIndicator(static_cast<int>(m_sorting.column), Qt::AscendingOrder);
    for (std::size_t column = 0; column < kEventColumns; ++column)
        header->resizeSection(static_cast<int>(column), widthOf(static_cast<EventColumn>(column), fontMetrics()));
    setContent(nullptr, m_view, m_view);

    connect(header, &QHeaderView::sectionClicked, this, &EventsPane::sortBy);
    connect(header, &QHeaderView::sectionMoved, this, &EventsPane::columnsChanged);
    connect(header, &QHeaderView::sectionResized, this, &EventsPane::columnsChanged);
    connect(header, &QHeaderView::customContextMenuRequested, this, &EventsPane::showColumnMenu);
    connect(&m_state, &ViewState::selectionChanged, this, &EventsPane::findSelection);
    connect(&m_state, &ViewState::stepsChanged, this, &EventsPane::ask);
    connect(&m_state, &ViewState::hoveredChanged, this, &EventsPane::markHovered);
    connect(m_view, &QWidget::customContextMenuRequested, this, &EventsPane::showMenu);
    connect(m_view, &RowsView::activated, this, &EventsPane::follow);
    connect(m_view, &RowsView::entered, this, [this](const QModelIndex &index) {
        if (m_model->rowCount() > index.row())
            m_state.setHovered(refOf(index.row()));
    });
    connect(m_view, &RowsView::rowChosen, this, &EventsPane::follow);
    say({});
}

EventsPane::~EventsPane()
{
    m_sortJob.cancel();
}

QByteArray EventsPane::columns() const
{
    return m_view->horizontalHeader()->saveState();
}

void EventsPane::setColumns(const QByteArray &columns)
{
    QHeaderView *header = m_view->horizontalHeader();
    const QSignalBlocker quiet(header);
    header->restoreState(columns);
    header->setSortIndicator(static_cast<int>(m_sorting.column),
                             m_sorting.ascending ? Qt::AscendingOrder : Qt::DescendingOrder);
}

void EventsPane::forget()
{
    m_asked = {};
    m_sortJob.cancel();
    m_model->setEvents(std::make_shared<const EventList>(), std::make_shared<const EventModel::Order>());
}

bool EventsPane::hasRows() const
{
    return m_model->rowCount() > 0;
}

// The list is by begin, trace by trace, already.
std::shared_ptr<const EventModel::Order> EventsPane::orderOf(const EventList &events, Sorting sorting,
                                                             const Progress &progress)
{
    if (sorting == Sorting() && events.traces.size() == 1)
        return std::make_shared<const EventModel::Order>();
    return releasedInBackground(std::make_shared<const EventModel::Order>(
        sortedPositions(events, sorting.column, sorting.ascending, progress)));
}

void EventsPane::compute()
{
    m_sortJob.cancel();
    const Question question = questionOf(m_state);
    if (question.traces.empty()) {
        forget();
        say(m_state.traces().isEmpty() ? tr("Open a trace to see this.") : QString());
        return;
    }
    std::vector<std::vector<Step>> steps;
    for (const std::uint32_t position : question.positions) {
        const auto own = m_state.steps(position);
        steps.emplace_back(own.begin(), own.end());
    }
    m_job.run(
        [question, steps = std::move(steps), sorting = m_sorting](const Progress &progress) {
            const Scope scope = withFilter(question, progress.part(0, 0.5), FilterReach::Scope);
            Answer answer;
            answer.events = releasedInBackground(
                std::make_shared<const EventList>(listEvents(question.traces, scope, steps, progress.part(0.5, 0.7))));
            answer.order = orderOf(*answer.events, sorting, progress.part(0.7, 1));
            for (const RankTrace &rank :
                 question.traces) { // what the cells need is made here and not when they are drawn
                if (rank.trace->eventCount() > 0)
                    (void)rank.trace->selfTime(EventId{0});
            }
            for (std::size_t i = 0; i < answer.events->size(); ++i)
                answer.sum = saturatingAdd(answer.sum, answer.events->trace(i).duration(answer.events->events[i]));
            return answer;
        },
        [this, question](Answer answer) {
            m_asked = question;
            const QString sum = toQString(formatDuration(answer.sum));
            const std::size_t events = answer.events->size();
            setCounted(events == 1
                           ? tr("%1 · 1 event, %2").arg(question.words, sum)
                           : tr("%1 · %2 events, %3 in sum").arg(question.words, toQString(formatCount(events)), sum));
            showRows(std::move(answer));
            say(hasRows() ? QString() : tr("No events here."));
            emit computed();
        },
        [this](const JobError &error) { tell(error); });
}

void EventsPane::showRows(Answer answer)
{
    m_isFollowing = true;
    m_model->setEvents(std::move(answer.events), std::move(answer.order));
    m_isFollowing = false;
    findSelection();
}

// The largest first where it is a number; once more turns it round.
void EventsPane::sortBy(int column)
{
    const auto wanted = static_cast<EventColumn>(column);
    const bool startsAscending = !EventModel::isNumeric(wanted) || wanted == EventColumn::Start;
    m_sorting = {wanted, m_sorting.column == wanted ? !m_sorting.ascending : startsAscending};
    m_view->horizontalHeader()->setSortIndicator(column,
                                                 m_sorting.ascending ? Qt::AscendingOrder : Qt::DescendingOrder);
    if (m_job.isRunning() || !hasRows()) {
        ask();
        return;
    }
    m_sortJob.run(
        [events = m_model->share(), sorting = m_sorting](const Progress &progress) {
            return Answer{events, orderOf(*events, sorting, progress), 0};
        },
        [this](Answer answer) {
            showRows(std::move(answer));
            emit sorted();
        },
        [this](const JobError &error) { tell(error); });
}

EventRef EventsPane::refOf(int row) const
{
    const std::size_t position = m_model->position(row);
    return m_state.traces().ref(m_asked.positions[m_model->events().traceOf(position)],
                                m_model->events().events[position]);
}

void EventsPane::follow(const QModelIndex &index)
{
    if (!index.isValid() || m_isFollowing || m_asked.traces.empty())
        return;
    m_isFollowing = true;
    m_state.reveal(refOf(index.row()));
    m_isFollowing = false;
}

std::optional<std::size_t> EventsPane::positionOf(std::optional<EventRef> event) const
{
    if (!event || !m_state.traces().isValid(*event))
        return {};
    const auto trace = std::find(m_asked.positions.begin(), m_asked.positions.end(), event->trace);
    if (trace == m_asked.positions.end())
        return {};
    return m_model->events().find(static_cast<std::size_t>(trace - m_asked.positions.begin()), event->event);
}

// The list stays where it is: the row stands out if it is on screen.
void EventsPane::markHovered()
{
    if (!isVisible() || m_asked.traces.empty())
        return;
    m_model->setMarked(positionOf(m_state.hovered()));
    m_view->viewport()->update();
}

void EventsPane::findSelection()
{
    if (m_isFollowing || m_asked.traces.empty() || !hasRows())
        return;
    const EventRef *selected = selectedEvent(m_state.selection());
    const std::optional<std::size_t> found = positionOf(selected ? std::optional(*selected) : std::nullopt);
    m_isFollowing = true;
    if (found) {
        const int row = m_model->rowOf(*found);
        m_model->growTo(row);
        const QModelIndex index = m_model->index(row, 0);
        m_view->setCurrentIndex(index);
        m_view->scrollTo(index);
    } else {
        m_view->selectionModel()->clear();
    }
    m_isFollowing = false;
}

bool EventsPane::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view->viewport() && event->type() == QEvent::Leave)
        m_state.setHovered({});
    return Pane::eventFilter(watched, event);
}

void EventsPane::showMenu(QPoint position)
{
    const QModelIndex index = m_view->indexAt(position);
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("eventsMenu"));
    if (index.isValid()) {
        menu.addAction(tr("Show in the timeline"), this, [this, index] { follow(index); });
        QString name = index.siblingAtColumn(static_cast<int>(EventColumn::Name)).data().toString();
        menu.addAction(tr("Filter to this name"), this, [this, name] {
            m_state.setFilter(QStringLiteral("name == ") + toQString(quotedForFilter(name.toStdString())));
        });
        const EventRef event = refOf(index.row());
        if (m_state.traces().at(event.trace).kind(event.event) == EventKind::Operator)
            menu.addAction(tr("Copy as benchmark"), this, [this, event] { emit benchmarkRequested(event); });
        menu.addSeparator();
    }
    QAction *copy =
        menu.addAction(tr("Copy rows"), this, [this] { QApplication::clipboard()->setText(m_view->selectedText()); });
    copy->setEnabled(m_view->selectionModel()->hasSelection());
    menu.addAction(tr("Export…"), this, &EventsPane::chooseExport);
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

void EventsPane::showColumnMenu(QPoint position)
{
    QMenu menu(this);
    QHeaderView *header = m_view->horizontalHeader();
    for (int column = 1; column < m_model->columnCount(); ++column) {
        QAction *action = menu.addAction(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        connect(action, &QAction::toggled, this, [this, header, column](bool isOn) {
            header->setSectionHidden(column, !isOn);
            emit columnsChanged();
        });
    }
    menu.exec(header->mapToGlobal(position));
}

void EventsPane::chooseExport()
{
    auto *dialog = newExportDialog(this);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        m_sortJob.run(
            [events = m_model->share(), order = m_model->order(), path](const Progress &) {
                QString error;
                exportTable(eventTable(*events, order), path, error);
                return error;
            },
            [this, path](const QString &error) {
                if (error.isEmpty())
                    emit exported(path);
                else
                    emit failed(error);
            },
            [this](const JobError &error) { tell(error); });
    });
    dialog->open();
}

} // namespace ks
