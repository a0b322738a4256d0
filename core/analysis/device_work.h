// SPDX-License-Identifier: GPL-3.0-or-later
// Device work of a selection, and its class.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ks {

// What adds up to busy time. By name for kernels (see trace/communication.h).
enum class WorkClass : std::uint8_t { Compute, Communication, Memory };
std::string_view workClassId(WorkClass);

// Looks at each name once.
class WorkClassifier
{
public:
    WorkClass classOf(const Trace &trace, EventId work);

private:
    std::unordered_map<NameId, bool> m_isCommunication;
};

struct DeviceWork
{
    EventId event = kNoEvent;
    LaneId lane = kNoLane;
    TimeRange part; // inside the scope
    std::optional<std::int64_t> device;
    std::optional<std::int64_t> stream;
    WorkClass workClass = WorkClass::Compute;
    EventKind kind = EventKind::Kernel;
    bool isCall = true;    // starts inside the scope
    bool isLinked = false; // its launch is in the file
};

// By (begin, file order). Cost: one pass over the device lanes and a sort.
std::vector<DeviceWork> selectedWork(const TraceScope &scope, const Progress &progress = {});

} // namespace ks
