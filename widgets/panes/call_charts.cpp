// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/call_charts.h"

#include "core/analysis/duration_stats.h"
#include "core/base/format.h"
#include "widgets/charts/call_strip.h"
#include "widgets/charts/histogram_chart.h"
#include "widgets/jobs/background_release.h"
#include "widgets/panes/analysis_look.h"
#include "widgets/state/to_qstring.h"

#include <QBoxLayout>
#include <QMenu>

#include <algorithm>
#include <array>

namespace ks {
namespace {

constexpr int kPatienceMs = 60;
constexpr std::size_t kMostBins = 40;
constexpr std::size_t kMostMarked = 20'000; // more cannot be told apart on the timeline

} // namespace

CallCharts::CallCharts(Table table, ViewState &state, QWidget *parent)
    : HeadedCompanion(parent)
    , m_table(table)
    , m_state(state)
    , m_histogram(new HistogramChart(this))
    , m_strip(new CallStrip(this))
    , m_both(new QBoxLayout(QBoxLayout::TopToBottom))
{
    setObjectName(QStringLiteral("callCharts"));
    static_cast<QBoxLayout *>(layout())->addLayout(m_both, 1);
    m_both->setSpacing(0);
    m_both->addWidget(m_histogram, 1);
    m_both->addWidget(m_strip, 1);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, &CallCharts::compute);
    connect(m_strip, &CallStrip::callClicked, this, [this](std::size_t call) { m_state.reveal(refOf(call)); });
    connect(m_histogram, &HistogramChart::binClicked, this, &CallCharts::markBin);
    connect(&m_state, &ViewState::selectionChanged, this, &CallCharts::findSelection);
}

CallCharts::~CallCharts()
{
    m_job.cancel();
}

// One above the other, or side by side where there is no height for that.
void CallCharts::resizeEvent(QResizeEvent *event)
{
    HeadedCompanion::resizeEvent(event);
    m_both->setDirection(width() > 2 * height() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

std::vector<QWidget *> CallCharts::pictures() const
{
    return {m_histogram, m_strip};
}

std::optional<EventRef> CallCharts::longestOperatorCall() const
{
    if (!m_row.name || m_row.kind != EventKind::Operator || m_calls->empty() || m_patience.isActive()
        || m_job.isRunning())
        return {};
    const auto call = std::max_element(m_calls->begin(), m_calls->end(),
                                       [](const RowCall &a, const RowCall &b) { return a.duration < b.duration; });
    return refOf(static_cast<std::size_t>(call - m_calls->begin()));
}

void CallCharts::addRowActions(QMenu &menu)
{
    if (const std::optional<EventRef> call = longestOperatorCall())
        menu.addAction(tr("Copy its longest call as benchmark"), this,
                       [this, call] { emit benchmarkRequested(*call); });
}

bool CallCharts::showTable(const ShownTable &shown)
{
    m_shown = shown;
    return true;
}

void CallCharts::showRow(std::optional<std::uint32_t> row)
{
    m_row = {};
    if (const Column *name = m_shown ? m_shown->table->findColumn("name") : nullptr; row && name) {
        m_row.name = internName(name->text(*row));
        if (const Column *kind = m_shown->table->findColumn("kind"))
            m_row.kind = workKindOf(kind->text(*row));
    }
    m_job.cancel();
    m_patience.start();
}

void CallCharts::forget()
{
    m_patience.stop();
    m_job.cancel();
    m_shown.reset();
    take({});
}

void CallCharts::compute()
{
    if (!m_shown)
        return;
    std::vector<TimeNs> offsets;
    for (const std::uint32_t position : m_shown->question.positions)
        offsets.push_back(m_state.traces().offset(position));
    const QString name = m_row.name ? toQString(nameText(*m_row.name)) : tr("all rows");
    m_job.run(
        [question = m_shown->question, row = m_row, table = m_table, offsets, name](const Progress &progress) {
            const Scope scope = withFilter(question, progress.part(0, 0.3));
            std::vector<RowCall> calls = table == Table::Kernels
                                             ? kernelCalls(question.traces, scope, row, progress.part(0.3, 1))
                                             : operatorCalls(question.traces, scope, row, progress.part(0.3, 1));
            for (RowCall &call : calls)
                call.begin = saturatingAdd(call.begin, offsets[call.trace]);
            std::stable_sort(calls.begin(), calls.end(),
                             [](const RowCall &a, const RowCall &b) { return a.begin < b.begin; });
            std::vector<TimeNs> begins;
            std::vector<TimeNs> durations;
            std::vector<double> values;
            for (const RowCall &call : calls) {
                begins.push_back(call.begin);
                durations.push_back(call.duration);
                values.push_back(static_cast<double>(call.duration));
            }
            Answer answer;
            answer.calls = releasedInBackground(std::make_shared<const std::vector<RowCall>>(std::move(calls)));
            answer.durations = releasedInBackground(
                std::make_shared<const Curve>(std::string(), std::move(begins), std::move(values)));
            answer.bins = durationHistogram(durations, kMostBins);
            answer.words = name;
            if (!durations.empty()) {
                const auto [median, most, longest] = quantilesOf(durations, std::array{0.5, 0.95, 1.0});
                if (durations.size() == 1)
                    answer.words = tr("1 call, %1 · %2").arg(toQString(formatDuration(longest)), name);
                else
                    answer.words = tr("%1 calls · median %2 · 95th percentile %3 · longest %4 · %5")
                                       .arg(toQString(formatCount(durations.size())), toQString(formatDuration(median)),
                                            toQString(formatDuration(most)), toQString(formatDuration(longest)), name);
            }
            return answer;
        },
        [this](Answer answer) {
            take(std::move(answer));
            emit shown();
        },
        [this](const JobError &error) { setWords(toQString(error.message)); });
}

void CallCharts::take(Answer answer)
{
    m_calls = std::move(answer.calls);
    m_bins = std::move(answer.bins);
    setWords(answer.words);
    m_histogram->show(m_bins);
    m_strip->setCalls(std::move(answer.durations));
    findSelection();
}

EventRef CallCharts::refOf(std::size_t call) const
{
    const RowCall &one = calls()[call];
    return m_state.traces().ref(m_shown->question.positions[one.trace], one.event);
}

// Lights up the calls of a bin on the timeline.
void CallCharts::markBin(std::size_t bin)
{
    std::vector<EventRef> events;
    for (std::size_t i = 0; i < calls().size() && events.size() < kMostMarked; ++i) {
        if (m_bins.binOf(calls()[i].duration) == bin)
            events.push_back(refOf(i));
    }
    if (events.empty())
        return;
    if (events.size() == 1)
        m_state.reveal(events.front());
    else if (m_row.name)
        m_state.select(*m_row.name, std::move(events));
    else
        m_state.select(events.front(), std::move(events));
}

void CallCharts::findSelection()
{
    std::optional<std::size_t> found;
    const EventRef *selected = selectedEvent(m_state.selection());
    if (selected && m_state.traces().isValid(*selected) && !calls().empty()) {
        // Where it begins, or where all begin that the range cuts.
        for (const TimeNs begin : {m_state.traces().range(*selected).begin, calls().front().begin}) {
            const auto same = std::equal_range(calls().begin(), calls().end(), RowCall{begin, 0, kNoEvent, 0},
                                               [](const RowCall &a, const RowCall &b) { return a.begin < b.begin; });
            for (auto call = same.first; call != same.second && !found; ++call) {
                const auto i = static_cast<std::size_t>(call - calls().begin());
                if (call->event == selected->event && refOf(i) == *selected)
                    found = i;
            }
        }
    }
    m_strip->setCurrent(found);
}

} // namespace ks
