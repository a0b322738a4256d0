// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/filter_job.h"

#include "widgets/timeline/filter_text.h"

namespace ks {

FilterJob::FilterJob(ViewState &state, Deliver deliver, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_deliver(std::move(deliver))
{
    connect(&state, &ViewState::filterChanged, this, &FilterJob::run);
    connect(&state, &ViewState::tracesChanged, this, &FilterJob::run);
    connect(&state, &ViewState::stepPatternChanged, this, &FilterJob::run);
}

void FilterJob::run()
{
    m_job.cancel();
    m_fault = {};
    m_matching = 0;
    const TraceSet &traces = m_state.traces();
    const std::shared_ptr<const Filter> filter = filterOfText(m_state.filter(), m_fault);
    if (!filter) { // what was dimmed stays so
        emit changed();
        return;
    }
    if (letsAllPass(*filter)) {
        for (std::uint32_t i = 0; i < traces.size(); ++i)
            m_deliver(i, nullptr);
        emit changed();
        return;
    }
    std::vector<std::shared_ptr<const Trace>> all;
    for (std::uint32_t i = 0; i < traces.size(); ++i)
        all.push_back(traces.share(i));
    m_job.run(
        [all, filter, pattern = m_state.stepPattern()](const Progress &progress) {
            std::vector<std::pair<Matching, std::size_t>> found;
            for (const auto &trace : all) {
                Bits matches = matchesOf(*filter, *trace, pattern, progress);
                const std::size_t count = matches.count();
                found.emplace_back(std::make_shared<const std::vector<std::uint64_t>>(std::move(matches).takeWords()),
                                   count);
            }
            return found;
        },
        [this](const std::vector<std::pair<Matching, std::size_t>> &found) {
            for (std::uint32_t i = 0; i < found.size(); ++i) {
                m_matching += found[i].second;
                m_deliver(i, found[i].first);
            }
            emit changed();
        },
        [this](const JobError &error) {
            m_fault.why = QString::fromStdString(error.message);
            emit changed();
        });
    emit changed();
}

} // namespace ks
