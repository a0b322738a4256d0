// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/filter_job.h"

#include "core/analysis/filter.h"
#include "widgets/state/shared_matches.h"
#include "widgets/timeline/filter_text.h"

#include <mutex>
#include <numeric>

namespace ks {

// Each as it was last.
struct FilterJob::SoFar
{
    std::mutex mutex;
    std::vector<Found> found;

    void add(Found one)
    {
        const std::lock_guard lock(mutex);
        std::erase_if(found, [&one](const Found &other) { return other.trace == one.trace; });
        found.push_back(std::move(one));
    }
    std::vector<Found> take()
    {
        const std::lock_guard lock(mutex);
        return std::exchange(found, {});
    }
};

FilterJob::Found FilterJob::foundIn(std::uint32_t trace, Bits matches)
{
    const std::size_t count = matches.count();
    return {trace, std::make_shared<const std::vector<std::uint64_t>>(std::move(matches).takeWords()), count};
}

FilterJob::FilterJob(ViewState &state, Deliver deliver, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_deliver(std::move(deliver))
{
    connect(&state, &ViewState::filterChanged, this, &FilterJob::run);
    connect(&state, &ViewState::tracesChanged, this, &FilterJob::run);
    connect(&state, &ViewState::stepPatternChanged, this, &FilterJob::run);
    connect(&m_job, &JobSlot::progressChanged, this, [this] {
        take(m_soFar->take());
        emit progressed();
    });
}

void FilterJob::run()
{
    m_job.cancel();
    m_fault = {};
    m_matching.assign(m_state.traces().size(), 0);
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
    struct InView
    {
        std::shared_ptr<const Trace> trace;
        TimeRange view; // of the trace
    };
    std::vector<InView> all;
    for (std::uint32_t i = 0; i < traces.size(); ++i)
        all.push_back({traces.share(i), traces.toTraceTime(i, m_state.visibleRange())});
    m_soFar = std::make_shared<SoFar>();
    m_job.run(
        [all, filter, text = m_state.filter().toStdString(), pattern = m_state.stepPattern(), soFar = m_soFar,
         shared = m_state.matches()](const Progress &progress) {
            const auto share = [&all](std::size_t n) {
                return static_cast<double>(n) / static_cast<double>(all.size());
            };
            // Of several traces what is in view of all of them comes before the rest of any.
            for (std::uint32_t i = 0; i < all.size() && all.size() > 1 && filter->readsArguments(); ++i) {
                ArgumentReading reading;
                reading.only = all[i].view;
                if (all[i].view.duration() < all[i].trace->range().duration() / 4)
                    soFar->add(foundIn(i, filter->matches(*all[i].trace, {all[i].trace->metadata().rank, pattern},
                                                          progress.part(0, 0), reading)));
            }
            std::vector<Found> found;
            for (std::uint32_t i = 0; i < all.size(); ++i) {
                ArgumentReading reading;
                reading.first = all[i].view;
                reading.found = [&](const Bits &matches) { soFar->add(foundIn(i, matches)); };
                const FilterContext context{all[i].trace->metadata().rank, pattern};
                const auto work = [&](const Progress &part) {
                    return filter->matches(*all[i].trace, context, part, reading);
                };
                found.push_back(
                    foundIn(i, *shared->of(all[i].trace, text, context, progress.part(share(i), share(i + 1)), work)));
                soFar->add(found.back());
            }
            return found;
        },
        [this](const std::vector<Found> &found) {
            take(found);
            emit changed();
        },
        [this](const JobError &error) {
            m_fault.why = QString::fromStdString(error.message);
            emit changed();
        });
    emit changed();
}

void FilterJob::take(const std::vector<Found> &found)
{
    for (const Found &one : found) {
        m_matching[one.trace] = one.count;
        m_deliver(one.trace, one.matching);
    }
}

std::size_t FilterJob::matching() const
{
    return std::accumulate(m_matching.begin(), m_matching.end(), std::size_t{0});
}

} // namespace ks
