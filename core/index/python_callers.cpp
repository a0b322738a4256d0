// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/python_callers.h"

#include "core/index/number_table.h"

#include <utility>
#include <vector>

namespace ks {

SparseColumn<EventId> findCallers(const Trace &trace, const CallerInput &input)
{
    const auto numberOf = [&](EventId event, std::uint32_t value) -> std::uint64_t {
        if (input.groupOfLane.empty())
            return value;
        return (std::uint64_t{input.groupOfLane[index(trace.lane(event))]} << 32U) | value;
    };
    const NumberTable frames(
        [&](auto visit) {
            input.pythonIds.forEach([&](std::uint32_t position, std::uint32_t value) {
                const EventId event = input.idOfFileIndex[position];
                visit(numberOf(event, value), event);
            });
        },
        [](EventId, EventId) { return false; });
    LargeArray<std::pair<EventId, EventId>> callers;
    callers.reserve(input.pythonParents.size());
    input.pythonParents.forEach([&](std::uint32_t position, std::uint32_t value) {
        const EventId event = input.idOfFileIndex[position];
        const EventId caller = frames.find(numberOf(event, value));
        if (caller != kNoEvent && caller != event)
            callers.emplace_back(event, caller);
    });
    return SparseColumn<EventId>::fromPairs(std::move(callers));
}

} // namespace ks
