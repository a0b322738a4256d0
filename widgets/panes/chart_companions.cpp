// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/chart_companions.h"

#include "core/analysis/memory.h"
#include "widgets/charts/flame_chart.h"
#include "widgets/charts/flame_view.h"
#include "widgets/charts/memory_chart.h"
#include "widgets/charts/waterfall_chart.h"
#include "widgets/jobs/background_release.h"

#include <QVBoxLayout>

namespace ks {
namespace {

template<typename Chart>
Chart *fillWith(Chart *chart, QWidget &companion)
{
    auto *layout = new QVBoxLayout(&companion);
    layout->setContentsMargins({});
    layout->addWidget(chart);
    return chart;
}

} // namespace

ChartBeside::ChartBeside(double share, QWidget *parent)
    : Companion(parent)
    , m_share(share)
{}

ChartBeside *ChartBeside::bars(BarChart bars, QWidget *parent)
{
    auto *beside = new ChartBeside(0.4, parent);
    auto *chart = fillWith(new TableChart(beside), *beside);
    connect(chart, &TableChart::rowClicked, beside, &Companion::rowActivated);
    beside->m_chart = chart;
    beside->m_show = [chart, bars = std::move(bars)](const Table &table) { return chart->show(table, bars); };
    return beside;
}

ChartBeside *ChartBeside::waterfall(QWidget *parent)
{
    auto *beside = new ChartBeside(0.42, parent);
    auto *chart = fillWith(new WaterfallChart(beside), *beside);
    connect(chart, &WaterfallChart::rowClicked, beside, &Companion::rowActivated);
    beside->m_chart = chart;
    beside->m_show = [chart](const Table &table) { return chart->show(table); };
    return beside;
}

FlameBeside::FlameBeside(QWidget *parent)
    : Companion(parent)
    , m_view(fillWith(new FlameView(this), *this))
{
    connect(&m_view->chart(), &FlameChart::rowClicked, this, &Companion::rowChosen);
}

std::vector<QWidget *> FlameBeside::pictures() const
{
    return {&m_view->chart()};
}

bool FlameBeside::showTable(const ShownTable &shown)
{
    const bool byDevice = shown.options.choice("by") == "device";
    const bool bottomUp = shown.options.choice("show") == "bottom-up";
    m_view->chart().setTable(shown.table, bottomUp ? (byDevice ? "device_self_ns" : "cpu_self_ns")
                                                   : (byDevice ? "device_total_ns" : "cpu_total_ns"));
    return true;
}

void FlameBeside::showRow(std::optional<std::uint32_t> row)
{
    m_view->chart().setCurrent(row);
}

void FlameBeside::forget()
{
    m_view->chart().setTable(std::make_shared<const Table>(), {});
}

MemoryBeside::MemoryBeside(ViewState &state, QWidget *parent)
    : Companion(parent)
    , m_state(state)
    , m_chart(fillWith(new MemoryChart(this), *this))
{
    connect(m_chart, &MemoryChart::timeClicked, this, &MemoryBeside::lookAt);
}

MemoryBeside::~MemoryBeside()
{
    m_job.cancel();
}

std::vector<QWidget *> MemoryBeside::pictures() const
{
    return {m_chart};
}

bool MemoryBeside::showTable(const ShownTable &shown)
{
    const auto originOf = [this](const Question &question) { // of view time, in that of the file
        const TimeNs offset = m_state.traces().offset(question.positions.front());
        return saturatingSubtract(static_cast<std::int64_t>(question.traces.front().trace->fileTime(0)), offset);
    };
    const Question &question = shown.question;
    const std::optional<Question> other = questionOfOtherRun(m_state, question);
    m_job.run(
        [question, origin = originOf(question), other,
         otherOrigin = other ? originOf(*other) : 0](const Progress &progress) {
            const auto curvesOf = [](const Question &asked, std::int64_t zero, const Progress &part) {
                const Scope scope = withFilter(asked, part.part(0, 0.3));
                return memoryCurvesOf(memoryCurve(asked.traces, scope, part.part(0.3, 1)), zero);
            };
            MemoryCurves curves = curvesOf(question, origin, progress.part(0, other ? 0.5 : 1));
            if (other) {
                const TimeRange seen = curves.range;
                const bool isPart = !question.scope.parts.empty() && !curves.devices.empty();
                curves = overlaid(std::move(curves), curvesOf(*other, otherOrigin, progress.part(0.5, 1)));
                if (isPart)
                    curves.range = seen;
            }
            return releasedInBackground(std::make_shared<const MemoryCurves>(std::move(curves)));
        },
        [this](const std::shared_ptr<const MemoryCurves> &curves) { m_chart->show(curves); },
        [this](const JobError &) { m_chart->show(nullptr); }); // the table beside it tells why
    return true;
}

// As much as before, with that moment in the middle.
void MemoryBeside::lookAt(TimeNs time)
{
    const TimeNs length = m_state.visibleRange().duration();
    const TimeNs begin = saturatingSubtract(time, length / 2);
    m_state.setVisibleRange({begin, saturatingAdd(begin, length)});
}

void MemoryBeside::forget()
{
    m_job.cancel();
    m_chart->show(nullptr);
}

} // namespace ks
