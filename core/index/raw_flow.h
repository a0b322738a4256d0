// SPDX-License-Identifier: GPL-3.0-or-later
// A flow record as the scanner leaves it: phases s, t and f; flow_in and flow_out of bind_id.
#pragma once

#include "core/base/time.h"

#include <cstdint>

namespace ks {

struct RawFlow
{
    TimeNs time = 0;
    std::uint32_t id = 0;
    std::uint32_t track = 0;
    std::uint32_t eventsBefore = 0; // how many events stand before the record, in its batch or in the file
    std::uint16_t category = 0;
    char phase = 's'; // s, t, f; I and O: flow_in and flow_out
    bool bindsToEnclosing = true;
};
static_assert(sizeof(RawFlow) == 24);

} // namespace ks
