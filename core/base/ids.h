// SPDX-License-Identifier: GPL-3.0-or-later
// Strong 32-bit ids. An id is a position in a column of one Trace (NameId: in the process-wide name pool).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ks {

enum class EventId : std::uint32_t {};    // position in row order
enum class RowId : std::uint32_t {};      // position in Trace::rows()
enum class LaneId : std::uint32_t {};     // position in Trace::lanes(), the order of the command line
enum class ProcessId : std::uint32_t {};  // position in Trace::processes()
enum class NameId : std::uint32_t {};     // position in the name pool
enum class CategoryId : std::uint16_t {}; // position in Trace::categories()

inline constexpr EventId kNoEvent{0xffffffffU};
inline constexpr RowId kNoRow{0xffffffffU};
inline constexpr LaneId kNoLane{0xffffffffU};
inline constexpr ProcessId kNoProcess{0xffffffffU};
inline constexpr NameId kNoName{0xffffffffU};

constexpr std::size_t index(EventId id)
{
    return static_cast<std::size_t>(id);
}
constexpr std::size_t index(RowId id)
{
    return static_cast<std::size_t>(id);
}
constexpr std::size_t index(LaneId id)
{
    return static_cast<std::size_t>(id);
}
constexpr std::size_t index(ProcessId id)
{
    return static_cast<std::size_t>(id);
}
constexpr std::size_t index(NameId id)
{
    return static_cast<std::size_t>(id);
}
constexpr std::size_t index(CategoryId id)
{
    return static_cast<std::size_t>(id);
}

// The id at a distance from another, and the number of ids in [first, end).
template<typename Id>
constexpr Id advance(Id id, std::ptrdiff_t by)
{
    return static_cast<Id>(static_cast<std::ptrdiff_t>(id) + by);
}
template<typename Id>
constexpr std::size_t distance(Id first, Id end)
{
    return index(end) - index(first);
}

} // namespace ks
