// SPDX-License-Identifier: GPL-3.0-or-later
// What fills a stretch of time, each nanosecond counted once: seen from a device, or from the thread that runs the step
// where nothing was recorded of a device.
//
// Of a device: while any kernel computes, the one that began first; else communication; else copies and memory work;
// else idle. Idle time goes by what the next piece of work waited for: until its launch begins a call that waits for
// the device, the loader of data, or what else the host did; then the launch itself. Of a thread: self times of calls.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <compare>
#include <map>
#include <string>

namespace ks {

enum class StepPart : std::uint8_t { Kernels, Communication, Copies, Idle, Host };
std::string_view stepPartId(StepPart part); // "kernels", "communication" …

struct PartKey
{
    StepPart part = StepPart::Kernels;
    std::string name; // family of kernels; kernel; cause of idle time; name of the call
    std::string op;   // of kernels: the operator that launched it, "" if none did
    friend auto operator<=>(const PartKey &, const PartKey &) = default;
};

struct PartTime
{
    TimeNs sum = 0;
    TimeRange longest;        // the longest piece of it
    EventId event = kNoEvent; // what runs in it; of idle time what ends it

    void add(TimeRange piece, EventId of);
    void show(TimeRange piece, EventId of); // if it is longer than what was shown so far
};

using PartTimes = std::map<PartKey, PartTime>; // adds up to the length of the stretch, or a multiple of it

// Adds the parts of the stretch on each device of the trace; returns how many devices there are.
std::size_t addDeviceParts(const Trace &trace, TimeRange stretch, PartTimes &parts, const Progress &progress = {});
// On one thread: self times of its calls, and "outside operators".
void addHostParts(const Trace &trace, LaneId lane, TimeRange stretch, PartTimes &parts);

} // namespace ks
