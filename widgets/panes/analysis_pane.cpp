// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/analysis_pane.h"

#include "core/analysis/compare_notes.h"
#include "core/analysis/memory.h"
#include "core/analysis/row_target.h"
#include "widgets/charts/call_strip.h"
#include "widgets/charts/flame_chart.h"
#include "widgets/charts/flame_view.h"
#include "widgets/charts/histogram_chart.h"
#include "widgets/charts/memory_chart.h"
#include "widgets/charts/picture_menu.h"
#include "widgets/charts/table_chart.h"
#include "widgets/charts/waterfall_chart.h"
#include "widgets/panes/analysis_look.h"
#include "widgets/panes/call_charts.h"
#include "widgets/panes/run_histograms.h"
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
    , m_chart(new TableChart(this))
    , m_both(new QSplitter(this))
    , m_options(new OptionBar(analysis, this))
{
    m_view->setObjectName(QStringLiteral("table.") + id());
    m_view->setAccessibleName(title());
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_both->addWidget(m_view);
    m_both->addWidget(m_chart);
    m_both->setChildrenCollapsible(false);
    m_chart->hide();
    if (analysis.isComparison) {
        m_waterfall = new WaterfallChart(this);
        m_both->addWidget(m_waterfall);
        m_waterfall->hide();
        connect(m_waterfall, &WaterfallChart::rowClicked, this, &AnalysisPane::activateRow);
        m_runs = new RunHistograms(this);
        m_both->addWidget(m_runs);
        m_runs->hide();
    }
    if (analysis.id == "operators" || analysis.id == "kernels") {
        m_calls = new CallCharts(analysis.id == "kernels" ? CallCharts::Table::Kernels : CallCharts::Table::Operators,
                                 state, this);
        m_both->addWidget(m_calls);
        m_calls->hide();
    }
    if (analysis.id == "calltree") {
        m_flame = new FlameView(this);
        m_flame->hide();
        m_both->addWidget(m_flame);
        connect(&m_flame->chart(), &FlameChart::rowClicked, this,
                [this](std::uint32_t row) { m_view->setCurrentIndex(model().indexOf(row)); });
    }
    if (analysis.id == "memory") {
        m_memory = new MemoryChart(this);
        m_memory->hide();
        m_both->addWidget(m_memory);
    }
    setContent(m_options, m_both, m_view);

    addPictureMenu(*m_chart);
    if (m_calls) {
        addPictureMenu(m_calls->histogram());
        addPictureMenu(m_calls->strip());
    }
    if (m_flame)
        addPictureMenu(m_flame->chart());
    if (m_memory)
        addPictureMenu(*m_memory);

    connect(m_options, &OptionBar::changed, this, &AnalysisPane::ask);
    connect(m_options, &OptionBar::refused, this, &AnalysisPane::say);
    connect(&m_state, &ViewState::selectionChanged, this, &AnalysisPane::findSelection);
    connect(m_view, &QWidget::customContextMenuRequested, this, &AnalysisPane::showMenu);
    connect(m_view, &TableView::activated, this, &AnalysisPane::activate);
    connect(m_chart, &TableChart::rowClicked, this, &AnalysisPane::activateRow);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AnalysisPane::follow);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        showCalls();
        if (m_flame)
            m_flame->chart().setCurrent(index.isValid() ? std::optional(model().tableRow(index)) : std::nullopt);
    });

    say({});
}

AnalysisPane::~AnalysisPane() = default;

void AnalysisPane::forget()
{
    m_asked = {};
    m_view->setTable(std::make_shared<const Table>());
    if (m_calls)
        m_calls->forget();
    if (m_runs)
        m_runs->forget();
    if (m_flame)
        m_flame->chart().setTable(model().share(), {});
    if (m_memory)
        m_memory->show(nullptr);
}

bool AnalysisPane::hasRows() const
{
    return model().rowCount() > 0;
}

void AnalysisPane::compute()
{
    Question question = questionOf(m_state, m_analysis.isComparison);
    if (question.traces.empty()) {
        m_view->setTable(std::make_shared<const Table>());
        say(m_state.traces().isEmpty() ? tr("Open a trace to see this.")
            : m_analysis.isComparison  ? tr("Open a second trace to compare it with this one.")
                                       : QString());
        return;
    }
    struct Answer
    {
        std::shared_ptr<const Table> table;
        std::shared_ptr<const MemoryCurves> curves; // of memory
        std::vector<const char *> notes;            // of a comparison
    };
    m_job.run(
        [question, &analysis = m_analysis, options = m_options->options(),
         withCurves = m_memory != nullptr](const Progress &progress) {
            const Scope scope = withFilter(question, progress.part(0, 0.3));
            Answer answer;
            answer.table = std::make_shared<const Table>(
                analysis.run({question.traces, scope, options, question.baseline}, progress.part(0.3, 1)));
            if (analysis.isComparison)
                answer.notes = compareNotes(Baseline{question.baseline}, Candidate{question.traces}, scope, progress);
            if (withCurves) {
                const auto origin = static_cast<std::int64_t>(question.traces.front().trace->fileTime(0));
                answer.curves = std::make_shared<const MemoryCurves>(
                    memoryCurvesOf(memoryCurve(question.traces, scope, progress), origin));
            }
            return answer;
        },
        [this, question](const Answer &answer) {
            m_asked = question;
            QStringList words(question.words);
            for (const char *note : answer.notes)
                words << QCoreApplication::translate("CompareNote", note);
            setCounted(words.join(QStringLiteral("; ")));
            if (m_memory)
                m_memory->show(answer.curves);
            showTable(answer.table);
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

void AnalysisPane::activateRow(std::uint32_t row)
{
    m_view->setCurrentIndex(model().indexOf(row));
    activate(model().indexOf(row));
}

void AnalysisPane::activate(const QModelIndex &index)
{
    if (!index.isValid() || m_asked.traces.empty())
        return;
    const RowTarget target = rowTarget(m_analysis, model().table(), model().tableRow(index), m_asked.traces);
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

// The first time; afterwards it is as wide as somebody made it.
void AnalysisPane::placeBeside(QWidget &widget, double share)
{
    if (!widget.isHidden() || model().rowCount() == 0)
        return;
    widget.show();
    QList<int> sizes;
    for (int i = 0; i < m_both->count(); ++i)
        sizes << (m_both->widget(i) == &widget ? static_cast<int>(width() * share) : 0);
    sizes[0] = width() - sizes[m_both->indexOf(&widget)];
    m_both->setSizes(sizes);
}

void AnalysisPane::addPictureMenu(QWidget &chart)
{
    auto *menu = new PictureMenu(chart);
    connect(menu, &PictureMenu::exported, this, &Pane::exported);
    connect(menu, &PictureMenu::failed, this, &Pane::failed);
}

std::optional<EventRef> AnalysisPane::longestCall() const
{
    return m_calls && m_analysis.id == "operators" ? m_calls->longest(EventKind::Operator) : std::nullopt;
}

void AnalysisPane::showFlame()
{
    const bool byDevice = m_options->options().choice("by") == "device";
    const bool bottomUp = m_options->options().choice("show") == "bottom-up";
    m_flame->chart().setTable(model().share(), bottomUp ? (byDevice ? "device_self_ns" : "cpu_self_ns")
                                                        : (byDevice ? "device_total_ns" : "cpu_total_ns"));
    placeBeside(*m_flame, 0.6);
}

void AnalysisPane::showCalls()
{
    if (m_asked.traces.empty())
        return;
    RowCallsOf row;
    const Column *name = model().table().findColumn("name");
    if (const QModelIndex index = m_view->currentIndex(); index.isValid() && name) {
        const std::uint32_t at = model().tableRow(index);
        row.name = internName(name->text(at));
        if (const Column *kind = model().table().findColumn("kind"))
            row.kind = workKindOf(kind->text(at));
    }
    if (m_calls)
        m_calls->showCalls(m_asked, row);
    if (m_runs && row.name && comparesCalls()) {
        const bool ofDevice = row.kind ? isDeviceWork(*row.kind) : m_options->options().choice("by") == "kernels";
        m_runs->showName(m_asked, *row.name,
                         ofDevice ? RunHistograms::Calls::Kernels : RunHistograms::Calls::Operators);
    }
}

// Is each row about calls of one name, of two runs?
bool AnalysisPane::comparesCalls() const
{
    const std::string_view by = m_options->options().choice("by");
    const std::string_view show = m_options->options().choice("show");
    return show == "tree" || (show == "rows" && (by == "operators" || by == "kernels" || by == "shapes"));
}

// The row of what was selected elsewhere: of the event itself, else of its name, else of what launched it.
void AnalysisPane::findSelection()
{
    if (m_isFollowing || m_asked.traces.empty() || model().rowCount() == 0)
        return;
    const Table &table = model().table();
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
        const QModelIndex index = model().indexOf(*found);
        m_view->setCurrentIndex(index);
        m_view->scrollTo(index);
    } else if (!isNone(m_state.selection())) {
        m_view->selectionModel()->clear();
    }
    m_isFollowing = false;
}

void AnalysisPane::chooseExport()
{
    auto *dialog = newExportDialog(this);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        QString error;
        if (exportTable(model().table(), path, error))
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
    if (const std::optional<EventRef> call = index.isValid() ? longestCall() : std::nullopt)
        menu.addAction(tr("Copy its longest call as benchmark"), this,
                       [this, call] { emit benchmarkRequested(*call); });
    menu.addAction(tr("Copy rows"), this, [this] { QApplication::clipboard()->setText(m_view->selectedText()); });
    menu.addAction(tr("Export…"), this, &AnalysisPane::chooseExport);
    menu.exec(m_view->viewport()->mapToGlobal(position));
}

void AnalysisPane::showTable(std::shared_ptr<const Table> table)
{
    {
        const QSignalBlocker quiet(m_view->selectionModel());
        m_view->setTable(std::move(table), static_cast<std::int64_t>(m_asked.traces.front().trace->fileTime(0)));
    }
    if (m_chart->show(model().table(), chartOf(m_analysis)))
        placeBeside(*m_chart, 0.4);
    else
        m_chart->hide();
    if (m_flame)
        showFlame();
    if (m_calls)
        placeBeside(*m_calls, 0.35);
    if (m_memory)
        placeBeside(*m_memory, 0.5);
    if (m_waterfall && m_waterfall->show(model().table()))
        placeBeside(*m_waterfall, 0.5);
    else if (m_waterfall)
        m_waterfall->hide();
    if (m_runs && comparesCalls())
        placeBeside(*m_runs, 0.35);
    else if (m_runs)
        m_runs->hide();
    say(model().table().rowCount() == 0 ? emptyText(m_analysis) : QString());
    findSelection();
    showCalls();
    emit computed();
}

} // namespace ks
