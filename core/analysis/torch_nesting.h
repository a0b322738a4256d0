// SPDX-License-Identifier: GPL-3.0-or-later
// Operators, annotations and launches as the profiler's own table nests them, which is not how they lie on the lane:
// python frames do not take part; noise of the profiler is dropped before; a call that ends after the one around it is
// no child of it, and ends the other's childhood for good; a call that is the only child of one of the same name is the
// same call.
//
// Launches nest on the thread that made them. (The profiler first moves them to the thread of the operator whose id
// they carry. It hands out that id on the calling thread, so in a file it wrote both are one.) Calls flagged
// asynchronous cannot be told from others.
#pragma once

#include "core/base/large_memory.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ks {

inline constexpr std::string_view kStepPrefix = "ProfilerStep#";
inline constexpr std::string_view kStepRow = "ProfilerStep*"; // the name under which all steps are one row

// What the profiler never tells of: records that are used otherwise, and calls of its own making.
inline constexpr std::array<std::string_view, 8> kNoiseNames = {
    "[memory]",
    "[OutOfMemory]",
    "profiler::_record_function_enter",
    "profiler::_record_function_enter_new",
    "profiler::_record_function_exit",
    "aten::is_leaf",
    "aten::output_nr",
    "aten::_version",
};

class TorchNesting
{
public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    struct Call
    {
        TimeRange range;
        EventId event = kNoEvent;
        std::uint32_t parent = kNone; // position in calls(), before this one
    };

    // Cost: about 40 ns an event of the host lanes, 4 bytes an event and 24 a call. Throws Cancelled.
    explicit TorchNesting(const Trace &trace, const Progress &progress = {});

    // Lane by lane; on a lane by begin, the longer first, then in file order. (Where a file has whole microseconds only
    // and was written in order of begin, file order alone decides between calls that begin together: the profiler
    // nested by nanoseconds.)
    std::span<const Call> calls() const { return m_calls; }
    // The calls of a lane are [first, end) of calls().
    std::uint32_t firstOfLane(LaneId lane) const { return m_firstOfLane[index(lane)]; }
    std::uint32_t endOfLane(LaneId lane) const { return m_firstOfLane[index(lane) + 1]; }
    // The call an event is, or was merged into; kNone for what does not take part.
    std::uint32_t callOf(EventId event) const { return m_callOf[index(event)]; }
    // Duration minus those of the direct children, by position in calls(). Of a range of time only the parts inside
    // count.
    std::vector<TimeNs> selfTimes(std::optional<TimeRange> within = {}) const;

private:
    LargeArray<Call> m_calls;
    std::vector<std::uint32_t> m_firstOfLane;
    LargeArray<std::uint32_t> m_callOf;
};

// Of the trace, made on first use and kept.
const TorchNesting &torchNesting(const Trace &trace, const Progress &progress = {});

} // namespace ks
