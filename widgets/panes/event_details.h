// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the details pane shows about an event beyond the columns of the trace.
#pragma once

#include "core/analysis/why.h"
#include "core/analysis/work_summary.h"
#include "core/base/progress.h"
#include "core/trace/args.h"
#include "core/trace/trace.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ks {

// The same event in another open trace.
struct Counterpart
{
    std::uint32_t position = 0; // of that trace in the TraceSet
    QString trace;              // its name
    EventId event = kNoEvent;   // kNoEvent: there is none at this place
    TimeNs duration = 0;
};

struct EventDetails
{
    Args args;
    Why why;
    DurationRank rank;
    WorkSummary work;           // device work launched below a host event
    bool sourceChanged = false; // the arguments could not be read: the file is not what it was
    std::vector<Counterpart> counterparts;
};

struct OtherTrace
{
    std::uint32_t position = 0;
    QString name;
    std::shared_ptr<const Trace> trace;
};

// On a worker. `stepPattern`: see stepsOf().
EventDetails readDetails(const Trace &trace, EventId event, const std::vector<OtherTrace> &others,
                         const std::string &stepPattern, const Progress &progress);

} // namespace ks
