// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/shared_matches.h"

#include <algorithm>
#include <chrono>

namespace ks {

std::list<SharedMatches::Entry>::iterator SharedMatches::find(const std::shared_ptr<const Trace> &trace,
                                                              const std::string &filter, const FilterContext &context)
{
    return std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) {
        return entry.trace.lock() == trace && entry.filter == filter && entry.context.rank == context.rank
               && entry.context.stepPattern == context.stepPattern;
    });
}

std::shared_ptr<const Bits> SharedMatches::of(const std::shared_ptr<const Trace> &trace, const std::string &filter,
                                              const FilterContext &context, const Progress &progress, const Work &work)
{
    constexpr auto kLook = std::chrono::milliseconds(20); // whether it is still wanted
    constexpr std::size_t kMostKept = 8;
    std::unique_lock lock(m_mutex);
    for (auto at = find(trace, filter, context); at != m_entries.end(); at = find(trace, filter, context)) {
        if (at->matches)
            return at->matches;
        progress.throwIfStopped();
        progress.reportShare(at->share);
        m_changed.wait_for(lock, kLook);
    }
    while (m_entries.size() >= kMostKept && m_entries.front().matches)
        m_entries.pop_front();
    const auto own = m_entries.insert(m_entries.end(), {trace, filter, context, nullptr, 0});
    lock.unlock();
    const Progress shared(progress.stopToken(), [&](const ProgressReport &report) {
        progress.reportShare(report.share);
        const std::lock_guard inner(m_mutex);
        own->share = report.share;
    });
    try {
        auto matches = std::make_shared<const Bits>(work(shared));
        lock.lock();
        own->matches = matches;
        m_changed.notify_all();
        return matches;
    } catch (...) {
        if (!lock.owns_lock())
            lock.lock();
        m_entries.erase(own);
        m_changed.notify_all();
        throw;
    }
}

} // namespace ks
