// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/run_histograms.h"

#include "core/analysis/duration_stats.h"
#include "core/analysis/row_calls.h"
#include "core/base/format.h"
#include "core/base/name_pool.h"
#include "widgets/charts/histogram_chart.h"
#include "widgets/panes/analysis_look.h"
#include "widgets/state/to_qstring.h"

#include <QBoxLayout>

#include <array>

namespace ks {
namespace {

constexpr std::size_t kMostBins = 30;

QString medianText(std::vector<TimeNs> durations)
{
    if (durations.empty())
        return QStringLiteral("–");
    return toQString(formatDuration(quantilesOf(durations, std::array{0.5}).front()));
}

} // namespace

RunHistograms::RunHistograms(QWidget *parent)
    : HeadedCompanion(parent)
    , m_histogram(new HistogramChart(this))
{
    setObjectName(QStringLiteral("runHistograms"));
    static_cast<QBoxLayout *>(layout())->addWidget(m_histogram, 1);
    forget();
}

RunHistograms::~RunHistograms()
{
    m_job.cancel();
}

std::vector<QWidget *> RunHistograms::pictures() const
{
    return {m_histogram};
}

void RunHistograms::forget()
{
    m_shown.reset();
    showRow({});
}

bool RunHistograms::showTable(const ShownTable &shown)
{
    m_shown = shown;
    const std::string_view by = shown.options.choice("by");
    const std::string_view show = shown.options.choice("show");
    return show == "tree" || (show == "rows" && (by == "operators" || by == "kernels" || by == "shapes"));
}

void RunHistograms::showRow(std::optional<std::uint32_t> row)
{
    const Column *name = m_shown ? m_shown->table->findColumn("name") : nullptr;
    if (!row || !name) {
        m_job.cancel();
        m_histogram->show(DurationHistogram());
        setWords(tr("Click a row to see how its calls spread in both runs."));
        return;
    }
    const Column *kindColumn = m_shown->table->findColumn("kind");
    const std::optional<EventKind> kind = kindColumn ? workKindOf(kindColumn->text(*row)) : std::nullopt;
    const bool ofDevice = kind ? isDeviceWork(*kind) : m_shown->options.choice("by") == "kernels";
    showName(internName(name->text(*row)), ofDevice ? Calls::Kernels : Calls::Operators);
}

void RunHistograms::showName(NameId name, Calls calls)
{
    m_job.run(
        [question = m_shown->question, name, calls](const Progress &progress) {
            const Scope scope = withFilter(question, progress.part(0, 0.3));
            const auto durationsOf = [&](std::span<const RankTrace> traces, const Progress &part) {
                const auto callsOf = calls == Calls::Kernels ? kernelCalls : operatorCalls;
                std::vector<TimeNs> durations;
                for (const RowCall &call : callsOf(traces, scope, {name, {}}, part))
                    durations.push_back(call.duration);
                return durations;
            };
            const std::vector<TimeNs> before = durationsOf(question.baseline, progress.part(0.3, 0.6));
            const std::vector<TimeNs> after = durationsOf(question.traces, progress.part(0.6, 1));
            std::vector<TimeNs> all(before);
            all.insert(all.end(), after.begin(), after.end());
            const DurationHistogram bins = durationHistogram(all, kMostBins);
            Answer answer;
            answer.before = bins.counted(before);
            answer.after = bins.counted(after);
            answer.words = tr("%1: median %2 before, %3 after")
                               .arg(toQString(nameText(name)), medianText(before), medianText(after));
            return answer;
        },
        [this](const Answer &answer) {
            setWords(answer.words);
            m_histogram->show(answer.before, answer.after);
            emit shown();
        },
        [this](const JobError &error) { setWords(toQString(error.message)); });
}

} // namespace ks
