// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/run_histograms.h"

#include "core/analysis/duration_stats.h"
#include "core/analysis/row_calls.h"
#include "core/base/format.h"
#include "core/base/name_pool.h"
#include "widgets/charts/histogram_chart.h"
#include "widgets/state/to_qstring.h"

#include <QLabel>
#include <QVBoxLayout>

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
    : QWidget(parent)
    , m_words(new QLabel(this))
    , m_histogram(new HistogramChart(this))
{
    setObjectName(QStringLiteral("runHistograms"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_words->setMargin(3);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_words);
    layout->addWidget(m_histogram, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    forget();
}

RunHistograms::~RunHistograms()
{
    m_job.cancel();
}

QString RunHistograms::words() const
{
    return m_words->text();
}

void RunHistograms::forget()
{
    m_job.cancel();
    m_histogram->show(DurationHistogram());
    m_words->setText(tr("Click a row to see how its calls spread in both runs."));
}

void RunHistograms::showName(const Question &question, NameId name, Calls calls)
{
    m_job.run(
        [question, name, calls](const Progress &progress) {
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
            m_words->setText(answer.words);
            m_words->setToolTip(answer.words);
            m_histogram->show(answer.before, answer.after);
            emit shown();
        },
        [this](const JobError &error) { m_words->setText(toQString(error.message)); });
}

} // namespace ks
