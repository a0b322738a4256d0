// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected in the window: nothing, one event, a stretch of time over some lanes, or everything of one name.
#pragma once

#include "widgets/state/trace_set.h"

#include <variant>
#include <vector>

namespace ks {

struct Area
{
    TimeRange range;            // view time
    std::vector<LaneRef> lanes; // empty = all lanes
    friend bool operator==(const Area &, const Area &) = default;
};

using Selection = std::variant<std::monostate, EventRef, Area, NameId>;

inline bool isNone(const Selection &selection) { return std::holds_alternative<std::monostate>(selection); }
inline const EventRef *selectedEvent(const Selection &selection) { return std::get_if<EventRef>(&selection); }
inline const Area *selectedArea(const Selection &selection) { return std::get_if<Area>(&selection); }
inline const NameId *selectedName(const Selection &selection) { return std::get_if<NameId>(&selection); }

} // namespace ks
