// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/analysis_pane.h"

#include "core/analysis/compare_notes.h"
#include "core/analysis/row_target.h"
#include "core/analysis/rows_inside.h"
#include "widgets/charts/picture_menu.h"
#include "widgets/jobs/background_release.h"
#include "widgets/panes/analysis_look.h"
#include "widgets/panes/companion.h"
#include "widgets/panes/row_links.h"
#include "widgets/state/to_qstring.h"
#include "widgets/tables/option_bar.h"
#include "widgets/tables/table_export.h"
#include "widgets/tables/table_model.h"
#include "widgets/tables/table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMenu>
#include <QSplitter>

#include <algorithm>

namespace ks {

AnalysisPane::AnalysisPane(const Analysis &analysis, ViewState &state, QWidget *parent)
    : Pane(toQString(analysis.id), QCoreApplication::translate("Analysis", analysis.title),
           QCoreApplication::translate("Analysis", analysis.question), state, parent)
    , m_analysis(analysis)
    , m_view(new TableView([&analysis](std::string_view column) { return analysis.isShown(column); }, this))
    , m_companions(companionsOf(analysis, state, this))
    , m_both(new QSplitter(this))
    , m_options(new OptionBar(analysis, this))
{
    m_view->setObjectName(QStringLiteral("table.") + id());
    m_view->setAccessibleName(title());
    m_both->addWidget(m_view);
    m_both->setChildrenCollapsible(false);
    for (Companion *companion : m_companions)
        add(*companion);
    if (analysis.inside)
        m_view->setOpens([this](std::uint32_t row) {
            return !m_asked.traces.empty() && opens(m_analysis, m_options->options(), model().table(), row);
        });
    setContent(m_options, m_both, m_view);

    connect(&model(), &TableModel::rowsWanted, this, [this](std::uint32_t row) {
        m_opened.push_back(row);
        fillNext();
    });
    connect(&model(), &TableModel::orderWanted, this, &AnalysisPane::sortRows);
    connect(m_options, &OptionBar::changed, this, &AnalysisPane::ask);
    connect(m_options, &OptionBar::refused, this, &AnalysisPane::say);
    connect(&m_state, &ViewState::selectionChanged, this, &AnalysisPane::findSelection);
    connect(m_view, &QWidget::customContextMenuRequested, this, &AnalysisPane::showMenu);
    connect(&m_state, &ViewState::hoveredChanged, this, &AnalysisPane::markHovered);
    m_view->viewport()->installEventFilter(this);
    connect(m_view, &TableView::entered, this,
            [this](const QModelIndex &index) { m_state.setHovered(eventOf(index)); });
    connect(m_view, &TableView::activated, this, &AnalysisPane::activate);
    connect(m_view, &TableView::rowChosen, this, &AnalysisPane::follow);
    connect(m_view, &TableView::rowChosen, this, &AnalysisPane::showRow);

    say({});
}

AnalysisPane::~AnalysisPane() = default;

void AnalysisPane::forget()
{
    m_asked = {};
    m_filling.cancel();
    m_sorting.cancel();
    m_opened.clear();
    m_answer = std::make_shared<const Table>();
    m_view->setTable(m_answer);
    for (Companion *companion : m_companions)
        companion->forget();
}

void AnalysisPane::add(Companion &companion)
{
    m_both->addWidget(&companion);
    connect(&companion, &Companion::rowActivated, this, &AnalysisPane::activateRow);
    connect(&companion, &Companion::rowChosen, m_view, &TableView::goTo);
    connect(&companion, &Companion::benchmarkRequested, this, &Pane::benchmarkRequested);
    for (QWidget *picture : companion.pictures()) {
        auto *menu = new PictureMenu(*picture);
        connect(menu, &PictureMenu::exported, this, &Pane::exported);
        connect(menu, &PictureMenu::failed, this, &Pane::failed);
    }
}

bool AnalysisPane::hasRows() const
{
    return model().wholeCount() > 0;
}

// What is in view of one run says nothing of the other.
bool AnalysisPane::concernsView() const
{
    return !m_analysis.isComparison || !isUpToDate() || selectedArea(m_state.selection())
           || !m_asked.scope.parts.empty();
}

void AnalysisPane::compute()
{
    Question question = questionOf(m_state, m_analysis.isComparison);
    if (question.traces.empty()) {
        m_answer = std::make_shared<const Table>();
        m_view->setTable(m_answer);
        say(m_state.traces().isEmpty() ? tr("Open a trace to see this.")
            : m_analysis.isComparison  ? tr("Open a second trace to compare it with this one.")
                                       : QString());
        return;
    }
    struct Answer
    {
        std::shared_ptr<const Table> table;
        std::vector<const char *> notes; // of a comparison
    };
    m_job.run(
        [question, &analysis = m_analysis, options = m_options->options()](const Progress &progress) {
            const Scope scope = withFilter(question, progress.part(0, 0.3), filterReachOf(analysis));
            Answer answer;
            answer.table = releasedInBackground(std::make_shared<const Table>(
                analysis.run({question.traces, scope, options, question.baseline}, progress.part(0.3, 1))));
            for (const RankTrace &rank : question.traces) // what rows lead by is made here and not when one is chosen
                (void)rank.trace->eventAtFileIndex(0);
            if (analysis.isComparison)
                answer.notes = compareNotes(Baseline{question.baseline}, Candidate{question.traces}, scope, progress);
            return answer;
        },
        [this, question](const Answer &answer) {
            m_asked = question;
            QStringList words(question.words);
            for (const char *note : answer.notes)
                words << QCoreApplication::translate("CompareNote", note);
            setCounted(words.join(QStringLiteral("; ")));
            showTable(answer.table);
        },
        [this](const JobError &error) { tell(error); });
}

// One after the other: a new piece of work would end the one before.
void AnalysisPane::fillNext()
{
    if (m_opened.empty() || m_filling.isRunning())
        return;
    const std::uint32_t row = m_opened.front();
    m_opened.erase(m_opened.begin());
    m_filling.run(
        [&analysis = m_analysis, question = m_asked, table = model().share(), row](const Progress &progress) {
            const Table inside =
                rowsInside(analysis, *table, row, {question.traces, question.scope, question.filter}, progress);
            auto larger = std::make_shared<Table>(*table);
            larger->insertBelow(row, inside);
            return releasedInBackground(std::shared_ptr<const Table>(std::move(larger)));
        },
        [this, row](const std::shared_ptr<const Table> &larger) {
            m_sorting.cancel(); // rows are sorted in as they come
            model().insertBelow(row, larger);
            fillNext();
        },
        [this](const JobError &error) { tell(error); });
}

void AnalysisPane::sortRows()
{
    m_sorting.run([sorter = model().sorter()](const Progress &) mutable { return sorter(); },
                  [this](TableModel::Rows order) {
                      model().setOrder(std::move(order));
                      m_view->scrollTo(m_view->currentIndex());
                  },
                  [this](const JobError &error) { tell(error); });
}

void AnalysisPane::follow(const QModelIndex &index)
{
    if (!index.isValid() || m_isFollowing)
        return;
    const RowTarget target = rowTarget(m_analysis, model().table(), model().tableRow(index), m_asked.traces);
    m_isFollowing = true;
    if (target.trace && target.event != kNoEvent) {
        m_state.select(m_state.traces().ref(m_asked.positions[*target.trace], target.event));
    } else if (const Column *name = model().table().findColumn("name"); name && name->isText() && !target.range) {
        const NameId id = findName(name->text(model().tableRow(index)));
        if (id != kNoName)
            m_state.select(id, eventsOfName(m_state.traces(), id));
    }
    m_isFollowing = false;
}

std::optional<EventRef> AnalysisPane::eventOf(const QModelIndex &index) const
{
    if (!index.isValid() || m_asked.traces.empty())
        return {};
    return eventOfRow(m_analysis, model().table(), model().tableRow(index), m_asked, m_state.traces());
}

bool AnalysisPane::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view->viewport() && event->type() == QEvent::Leave)
        m_state.setHovered({});
    return Pane::eventFilter(watched, event);
}

// The row of the name under the mouse; of long tables, whose rows are single events or gaps, none.
void AnalysisPane::markHovered()
{
    constexpr std::size_t kMostRows = 5000;
    const Table &table = model().table();
    if (!isVisible() || table.rowCount() > kMostRows)
        return;
    std::optional<std::uint32_t> found;
    if (const std::optional<EventRef> hovered = m_state.hovered(); hovered && m_state.traces().isValid(*hovered))
        found = rowOfName(table, m_state.traces().at(hovered->trace).name(hovered->event));
    model().setMarked(found);
    m_view->viewport()->update();
}

void AnalysisPane::activateRow(std::uint32_t row)
{
    m_view->goTo(row);
    activate(m_view->currentIndex());
}

void AnalysisPane::activate(const QModelIndex &index)
{
    if (!index.isValid() || m_asked.traces.empty())
        return;
    const RowGoal goal = goalOfRow(m_analysis, model().table(), model().tableRow(index), m_asked, m_state.traces());
    m_isFollowing = true;
    if (goal.range) {
        const TimeNs margin = std::max<TimeNs>(goal.range->duration() / 10, 500);
        m_state.setVisibleRange(
            {saturatingSubtract(goal.range->begin, margin), saturatingAdd(goal.range->end, margin)});
    }
    if (!goal.events.empty()) {
        const auto inView = [this](const EventRef &event) {
            return m_state.traces().range(event).intersects(m_state.visibleRange());
        };
        const auto shown = std::find_if(goal.events.begin(), goal.events.end(), inView);
        m_state.reveal(shown != goal.events.end() ? *shown : goal.events.front(),
                       goal.events.size() > 1 ? goal.events : std::vector<EventRef>());
    }
    if (goal.events.empty() && !goal.range && !goal.filter.empty())
        m_state.setFilter(toQString(goal.filter));
    m_isFollowing = false;
}

// The first time; afterwards it is as wide as somebody made it.
void AnalysisPane::placeBeside(Companion &companion)
{
    if (!companion.isHidden() || model().rowCount() == 0)
        return;
    companion.show();
    QList<int> sizes;
    for (int i = 0; i < m_both->count(); ++i)
        sizes << (m_both->widget(i) == &companion ? static_cast<int>(width() * companion.share()) : 0);
    sizes[0] = width() - sizes[m_both->indexOf(&companion)];
    m_both->setSizes(sizes);
}

void AnalysisPane::showRow(const QModelIndex &index)
{
    if (m_asked.traces.empty())
        return;
    std::optional<std::uint32_t> row;
    if (index.isValid())
        row = model().tableRow(index);
    if (row && *row >= m_answer->rowCount()) // inside a row that was opened
        row = model().table().parent(*row);
    for (Companion *companion : m_companions) {
        if (!companion->isHidden())
            companion->showRow(row);
    }
}

// What was selected while nobody could see the rows.
void AnalysisPane::showEvent(QShowEvent *event)
{
    Pane::showEvent(event);
    findSelection();
}

// The row of what was selected elsewhere.
void AnalysisPane::findSelection()
{
    if (!isVisible() || m_isFollowing || m_asked.traces.empty() || !hasRows())
        return;
    const std::optional<std::uint32_t> found = rowOfSelection(m_analysis, model().table(), m_asked, m_state);
    m_isFollowing = true;
    if (found)
        m_view->goTo(*found);
    else if (!isNone(m_state.selection()))
        m_view->selectionModel()->clear();
    m_isFollowing = false;
}

void AnalysisPane::chooseExport()
{
    auto *dialog = newExportDialog(this);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        QString error;
        if (exportTable(*m_answer, path, error))
            emit exported(path);
        else
            emit failed(error);
    });
    dialog->open();
}

void AnalysisPane::showMenu(QPoint position)
{
    const QModelIndex index = m_view->indexAt(position);
    QMenu menu(this);
    if (index.isValid() && !m_asked.traces.empty()) {
        const RowTarget target = rowTarget(m_analysis, model().table(), model().tableRow(index), m_asked.traces);
        if (target.event != kNoEvent || target.range)
            menu.addAction(tr("Show in the timeline"), this, [this, index] { activate(index); });
        if (!target.filter.empty())
            menu.addAction(tr("Filter to this"), this, [this, target] { m_state.setFilter(toQString(target.filter)); });
        menu.addSeparator();
    }
    for (Companion *companion : m_companions) {
        if (index.isValid())
            companion->addRowActions(menu);
    }
    menu.addAction(tr("Copy rows"), this, [this] { QApplication::clipboard()->setText(m_view->selectedText()); });
    menu.addAction(tr("Export…"), this, &AnalysisPane::chooseExport);
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

void AnalysisPane::showTable(std::shared_ptr<const Table> table)
{
    m_filling.cancel();
    m_sorting.cancel();
    m_opened.clear();
    m_answer = table;
    {
        const QSignalBlocker quiet(m_view->selectionModel());
        m_view->setTable(std::move(table), static_cast<std::int64_t>(m_asked.traces.front().trace->fileTime(0)));
    }
    const ShownTable shown{model().share(), m_asked, m_options->options()};
    for (Companion *companion : m_companions) {
        if (companion->showTable(shown))
            placeBeside(*companion);
        else
            companion->hide();
    }
    say(model().table().rowCount() == 0 ? emptyText(m_analysis) : QString());
    findSelection();
    showRow(m_view->currentIndex());
    emit computed();
}

} // namespace ks
