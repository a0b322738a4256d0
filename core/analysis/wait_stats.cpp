// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/wait_stats.h"

#include <algorithm>

namespace ks {
namespace {

constexpr TimeNs kSlowLaunch = 50'000;
constexpr TimeNs kLateKernel = 100'000;

// Appends to the columns from left to right.
class RowWriter
{
public:
    explicit RowWriter(Table &table)
        : m_table(table)
    {}
    template<typename Value>
    void operator()(const Value &value)
    {
        m_table.column(m_at++).append(value);
    }
    void operator()(const StreamOfRank &stream)
    {
        (*this)(stream.rank);
        (*this)(stream.device);
        (*this)(stream.stream);
    }

private:
    Table &m_table;
    std::size_t m_at = 0;
};

void addStreamColumns(Table &table)
{
    for (const char *name : {"rank", "device", "stream"})
        table.integers(name, Unit::Id);
}

} // namespace

void LaunchStats::add(TimeNs host, TimeNs device, TimeNs latency, TimeNs delay)
{
    ++m_pairs;
    m_host += host;
    m_device += device;
    m_latency += latency;
    m_latencyMax = std::max(m_latencyMax, latency);
    m_delay += delay;
    m_delayMax = std::max(m_delayMax, delay);
    m_short += host <= kSlowLaunch && device < host ? 1 : 0;
    m_slow += host > kSlowLaunch ? 1 : 0;
    m_late += delay > kLateKernel ? 1 : 0;
}

LaunchStatsTable::LaunchStatsTable(bool withName)
    : m_withName(withName)
{
    m_table.integers("rank", Unit::Id);
    if (withName)
        m_table.names("name");
    m_table.integers("pairs", Unit::Count);
    for (const char *name :
         {"host_total_ns", "device_total_ns", "latency_total_ns", "latency_max_ns", "delay_total_ns"})
        m_table.integers(name, Unit::Ns);
    m_table.reals("delay_mean_ns", Unit::Ns);
    m_table.integers("delay_max_ns", Unit::Ns);
    for (const char *name : {"short_kernels", "slow_launches", "late_kernels"})
        m_table.integers(name, Unit::Count);
}

void LaunchStatsTable::append(std::optional<std::int64_t> rank, NameId name, const LaunchStats &stats)
{
    RowWriter put(m_table);
    put(rank);
    if (m_withName)
        put(name);
    put(stats.m_pairs);
    for (const TimeNs value : {stats.m_host, stats.m_device, stats.m_latency, stats.m_latencyMax, stats.m_delay})
        put(value);
    put(static_cast<double>(stats.m_delay) / static_cast<double>(stats.m_pairs));
    put(stats.m_delayMax);
    for (const std::uint64_t count : {stats.m_short, stats.m_slow, stats.m_late})
        put(count);
}

Table LaunchStatsTable::take() &&
{
    m_table.sort({*m_table.find("delay_total_ns"), false});
    return std::move(m_table);
}

IdleTimesTable::IdleTimesTable()
{
    addStreamColumns(m_table);
    m_table.integers("gaps", Unit::Count);
    for (const char *name : {"idle_ns", "host_wait_ns", "kernel_wait_ns", "other_ns"})
        m_table.integers(name, Unit::Ns);
}

void IdleTimesTable::append(const StreamOfRank &stream, const IdleTimes &times)
{
    RowWriter put(m_table);
    put(stream);
    put(times.gaps);
    put(times.ofClass[0] + times.ofClass[1] + times.ofClass[2]);
    for (const TimeNs time : times.ofClass)
        put(time);
}

QueueTable::QueueTable()
{
    addStreamColumns(m_table);
    m_table.integers("points", Unit::Count);
    m_table.integers("max", Unit::Count);
    m_table.reals("mean_points", Unit::Number);
    m_table.reals("mean_ns_weighted", Unit::Number);
}

void QueueTable::append(const StreamOfRank &stream, const std::vector<QueueChange> &changes)
{
    if (changes.empty())
        return;
    std::int64_t longest = 0;
    double sum = 0;
    double weighted = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto length = static_cast<double>(changes[i].length);
        longest = std::max(longest, changes[i].length);
        sum += length;
        if (i + 1 < changes.size())
            weighted += length * static_cast<double>(changes[i + 1].time - changes[i].time);
    }
    const auto span = static_cast<double>(changes.back().time - changes.front().time);
    RowWriter put(m_table);
    put(stream);
    put(changes.size());
    put(longest);
    put(sum / static_cast<double>(changes.size()));
    put(span > 0 ? std::optional(weighted / span) : std::nullopt);
}

} // namespace ks
