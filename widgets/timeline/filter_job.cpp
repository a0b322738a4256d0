// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/filter_job.h"

#include "widgets/timeline/filter_text.h"

#include <bit>

namespace ks {
namespace {

FilterJob::Bits bitsOf(const std::vector<bool> &matches)
{
    auto bits = std::make_shared<std::vector<std::uint64_t>>(matches.size() / 64 + 1);
    for (std::size_t i = 0; i < matches.size(); ++i) {
        if (matches[i])
            (*bits)[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    return bits;
}

} // namespace

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
            std::vector<Bits> bits;
            for (const auto &trace : all)
                bits.push_back(bitsOf(matchesOf(*filter, *trace, pattern, progress)));
            return bits;
        },
        [this](const std::vector<Bits> &bits) {
            for (std::uint32_t i = 0; i < bits.size(); ++i) {
                for (const std::uint64_t word : *bits[i])
                    m_matching += static_cast<std::size_t>(std::popcount(word));
                m_deliver(i, bits[i]);
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
