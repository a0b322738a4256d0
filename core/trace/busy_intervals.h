// SPDX-License-Identifier: GPL-3.0-or-later
// When devices and streams are busy, and with what: unions of the device work of a whole trace with prefix sums, so that
// every figure of any range of time is a few binary searches, whatever the size of the trace.
#pragma once

#include "core/base/busy_time.h"
#include "core/trace/work_class.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ks {

// What overlaps a range of time, the parts inside it.
struct WorkSums
{
    std::uint64_t events = 0;
    TimeNs sum = 0;
    std::uint64_t unlinkedEvents = 0; // their launch is not in the file
    TimeNs unlinked = 0;

    void operator+=(const WorkSums &other);
};

class BusyIntervals
{
public:
    // O(n), with a sort where rows cross; 24 bytes a merged interval, twice for streams and devices.
    explicit BusyIntervals(const Trace &trace);

    struct Device
    {
        std::optional<std::int64_t> device;
        std::vector<LaneId> lanes;
        std::array<BusyTime, kWorkClasses> byClass;
        BusyTime computeOrCommunication;
        BusyTime all;
        std::vector<TimeNs> moments; // of work that takes no time
    };
    std::span<const Device> devices() const { return m_devices; }            // by number, without one first
    const BusyTime &lane(LaneId lane) const { return m_lanes[index(lane)]; } // empty on host lanes
    // Of one device. O(rows of its lanes · log n)
    WorkSums sums(const Device &device, TimeRange range) const;
    // From the first begin to the last end of work in the range, cut to it; none without work. O(log n)
    static std::optional<TimeRange> hull(const Device &device, TimeRange range);

private:
    struct RowSums // of all events of a row before each kBlock-th one, and of all
    {
        EventId first{};
        EventId end{};
        std::vector<WorkSums> before;
    };
    void addLane(const Trace &trace, LaneId lane, std::array<std::vector<TimeRange>, kWorkClasses> &ranges);
    WorkSums part(EventId first, EventId end) const;
    WorkSums rowSums(const RowSums &row, TimeRange range) const;

    const Trace *m_trace;
    std::vector<Device> m_devices;
    std::vector<BusyTime> m_lanes;
    std::vector<std::vector<RowSums>> m_rows; // by lane
};

// Of the trace, made on first use and kept.
const BusyIntervals &busyIntervals(const Trace &trace);

} // namespace ks
