// SPDX-License-Identifier: GPL-3.0-or-later
// What filters match, for all who ask at the same time: arguments are read once, by whoever asks first, and the others wait for that. The
// last few answers are kept. Thread-safe.
#pragma once

#include "core/analysis/filter.h"
#include "core/base/bits.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace ks {

class SharedMatches
{
public:
    using Work = std::function<Bits(const Progress &)>;
    // `work` makes what `filter` matches in the trace, unless that is known or somebody else is about to. If he gives up, this one takes
    // over. Throws what `work` does, and Cancelled.
    std::shared_ptr<const Bits> of(const std::shared_ptr<const Trace> &trace, const std::string &filter,
                                   const FilterContext &context, const Progress &progress, const Work &work);

private:
    struct Entry
    {
        std::weak_ptr<const Trace> trace;
        std::string filter;
        FilterContext context;
        std::shared_ptr<const Bits> matches; // null while it is worked out
        double share = 0;                    // of that
    };
    std::list<Entry>::iterator find(const std::shared_ptr<const Trace> &trace, const std::string &filter,
                                    const FilterContext &context);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::list<Entry> m_entries; // the newest last
};

} // namespace ks
