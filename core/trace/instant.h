// SPDX-License-Identifier: GPL-3.0-or-later
// Instants (phases i, I, R) other than memory records, in file order.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>

namespace ks {

enum class InstantScope : std::uint8_t { Thread, Process, Global };

struct Instant
{
    TimeNs time = 0;
    NameId name = kNoName;
    NameId category = kNoName;
    std::uint64_t recordOffset = 0;
    LaneId lane = kNoLane; // kNoLane if its thread has no events
    InstantScope scope = InstantScope::Thread;
};

} // namespace ks
