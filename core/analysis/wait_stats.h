// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of launches, queues and idle streams, and the tables that show them, however the rows they rest on were chosen: launches.h
// and idle.h count everything, hta_tables.h what HolisticTraceAnalysis counts.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/table/table.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ks {

enum class GapClass : std::uint8_t { HostWait, KernelWait, Other };
inline constexpr std::size_t kGapClasses = 3;

// Of pairs of a launch call and its work; what each figure means is said in launches.h.
class LaunchStats
{
public:
    void add(TimeNs host, TimeNs device, TimeNs latency, TimeNs delay);

private:
    friend class LaunchStatsTable;

    std::uint64_t m_pairs = 0;
    TimeNs m_host = 0, m_device = 0, m_latency = 0, m_latencyMax = kMinTime, m_delay = 0, m_delayMax = 0;
    std::uint64_t m_short = 0, m_slow = 0, m_late = 0;
};

class LaunchStatsTable
{
public:
    explicit LaunchStatsTable(bool withName);
    void append(std::optional<std::int64_t> rank, NameId name, const LaunchStats &stats); // name counts only with names
    Table take() &&; // by delay_total_ns descending

private:
    bool m_withName;
    Table m_table;
};

// Times spent in gaps of each class.
struct IdleTimes
{
    std::uint64_t gaps = 0;
    std::array<TimeNs, kGapClasses> ofClass{};

    void add(GapClass gapClass, TimeNs duration)
    {
        ++gaps;
        ofClass[static_cast<std::size_t>(gapClass)] += duration;
    }
};

// A stream of a rank; HTA tells no device.
struct StreamOfRank
{
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> device;
    std::optional<std::int64_t> stream;
};

class IdleTimesTable
{
public:
    IdleTimesTable();
    void append(const StreamOfRank &stream, const IdleTimes &times);
    Table take() && { return std::move(m_table); }

private:
    Table m_table;
};

// Length of a queue after a change.
struct QueueChange
{
    TimeNs time = 0;
    std::int64_t length = 0;
};

class QueueTable
{
public:
    QueueTable();
    void append(const StreamOfRank &stream, const std::vector<QueueChange> &changes); // by time; nothing if empty
    Table take() && { return std::move(m_table); }

private:
    Table m_table;
};

} // namespace ks
