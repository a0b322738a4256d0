// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a Trace row by row, without text and importer: for tests and benchmarks of what stands behind the import, at
// any size.
//
//   RowTrace rows;
//   rows.process("4711").lane(LaneKind::Cpu, LaneRole::MainThread, "4711").row();
//   const EventId mm = rows.event("aten::mm", EventKind::Operator, 100, 50);
//   const auto trace = rows.build();
//
// Rows must be filled in order and be disjoint, as in the trace itself; parents are not set unless told.
#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <random>
#include <string_view>

namespace ks {

class RowTrace
{
public:
    RowTrace();

    RowTrace &process(std::string_view pid, std::string_view name = {});
    RowTrace &lane(LaneKind kind, LaneRole role, std::string_view tid);
    RowTrace &row(RowGroup group = RowGroup::Work);
    EventId event(std::string_view name, EventKind kind, TimeNs begin, TimeNs duration, EventId parent = kNoEvent);
    EventId event(NameId name, EventKind kind, TimeNs begin, TimeNs duration, EventId parent = kNoEvent);

    TraceData &data() { return m_data; } // for what has no function here; before build()
    std::shared_ptr<const Trace> build();

private:
    void close();

    TraceData m_data;
    LargeArray<std::pair<EventId, TimeNs>> m_longDurations;
};

struct RandomRows
{
    int lanes = 3;
    int rows = 4;     // of each lane
    int events = 200; // of each row
    TimeNs longestGap = 2000;
    TimeNs longestEvent = 3000;
    double zeroShare = 0.1; // of events without duration
};
std::shared_ptr<const Trace> randomRowTrace(std::mt19937_64 &random, const RandomRows &options);

} // namespace ks
