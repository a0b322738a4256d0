// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/chart_companions.h"

#include "core/analysis/memory.h"
#include "widgets/charts/flame_chart.h"
#include "widgets/charts/flame_view.h"
#include "widgets/charts/memory_chart.h"
#include "widgets/charts/waterfall_chart.h"

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

BarsBeside::BarsBeside(BarChart bars, QWidget *parent)
    : Companion(parent)
    , m_bars(std::move(bars))
    , m_chart(fillWith(new TableChart(this), *this))
{
    connect(m_chart, &TableChart::rowClicked, this, &Companion::rowActivated);
}

bool BarsBeside::showTable(const ShownTable &shown)
{
    return m_chart->show(*shown.table, m_bars);
}

void BarsBeside::forget()
{
    m_chart->show({}, m_bars);
}

WaterfallBeside::WaterfallBeside(QWidget *parent)
    : Companion(parent)
    , m_chart(fillWith(new WaterfallChart(this), *this))
{
    connect(m_chart, &WaterfallChart::rowClicked, this, &Companion::rowActivated);
}

std::vector<QWidget *> WaterfallBeside::pictures() const
{
    return {m_chart};
}

bool WaterfallBeside::showTable(const ShownTable &shown)
{
    return m_chart->show(*shown.table);
}

void WaterfallBeside::forget()
{
    m_chart->show({});
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

MemoryBeside::MemoryBeside(QWidget *parent)
    : Companion(parent)
    , m_chart(fillWith(new MemoryChart(this), *this))
{}

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
    m_job.run(
        [question = shown.question](const Progress &progress) {
            const Scope scope = withFilter(question, progress.part(0, 0.3));
            const auto origin = static_cast<std::int64_t>(question.traces.front().trace->fileTime(0));
            return std::make_shared<const MemoryCurves>(
                memoryCurvesOf(memoryCurve(question.traces, scope, progress.part(0.3, 1)), origin));
        },
        [this](const std::shared_ptr<const MemoryCurves> &curves) { m_chart->show(curves); },
        [this](const JobError &) { m_chart->show(nullptr); }); // the table beside it tells why
    return true;
}

void MemoryBeside::forget()
{
    m_job.cancel();
    m_chart->show(nullptr);
}

} // namespace ks
