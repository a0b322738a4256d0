// SPDX-License-Identifier: GPL-3.0-or-later
// What adds up to the busy time of a device: computation, communication, moving memory.
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ks {

// By name for kernels (see communication.h).
enum class WorkClass : std::uint8_t { Compute, Communication, Memory };
inline constexpr std::size_t kWorkClasses = 3;
std::string_view workClassId(WorkClass);

// Looks at each name once.
class WorkClassifier
{
public:
    WorkClass classOf(const Trace &trace, EventId work);

private:
    std::vector<std::int8_t> m_isCommunication; // by name: −1 not looked at yet
};

} // namespace ks
