// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory.h"

#include "core/analysis/memory_levels.h"
#include "core/analysis/operator_at.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::uint32_t kNone = TorchNesting::kNone;

using Levels = std::map<MemoryDevice, std::vector<MemoryLevel>>;

std::int64_t fileNs(const Trace &trace, TimeNs time)
{
    return static_cast<std::int64_t>(trace.fileTime(time));
}

// A table with the column of ranks where there are several; put() fills a row from left to right.
class RankedTable
{
public:
    explicit RankedTable(std::span<const RankTrace> traces)
        : m_withRank(traces.size() > 1)
    {
        if (m_withRank)
            table.integers("rank", Unit::Id);
    }

    void beginRow(const RankTrace &rank)
    {
        m_at = 0;
        if (m_withRank)
            put(rank.rank);
    }
    template<typename T>
    void put(const T &value)
    {
        table.column(m_at++).append(value);
    }

    Table table;

private:
    bool m_withRank;
    std::size_t m_at = 0;
};

// Calls back for each selected trace: fn(rank, selection, levels).
template<typename Function>
void forEachTrace(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress, Function fn)
{
    for (const RankTrace &rank : traces) {
        progress.throwIfStopped();
        if (!scope.includesRank(rank.rank))
            continue;
        Scope host = scope; // devices are those of the records, not of lanes
        host.devices.clear();
        const TraceScope ofTrace(*rank.trace, host);
        fn(rank, ofTrace, memoryLevels(ofTrace, scope));
    }
}

std::optional<std::int64_t> toldBytes(std::int64_t bytes)
{
    return bytes != kNoBytes ? std::optional(bytes) : std::nullopt;
}

// How many records there are up to a moment; of none up to the first peak.
std::size_t recordsUpTo(const Trace &trace, std::span<const MemoryLevel> levels,
                        const std::optional<Scope::TimeBound> &at)
{
    if (at) {
        const TimeNs moment = at->isSinceStart ? TimeNs{at->ns} : trace.traceTime(FileTimeNs{at->ns});
        const auto after = std::find_if(levels.begin(), levels.end(),
                                        [moment](const MemoryLevel &level) { return level.record->time > moment; });
        return static_cast<std::size_t>(after - levels.begin());
    }
    std::size_t peak = levels.size();
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (levels[i].isSelected && (peak == levels.size() || levels[i].after > levels[peak].after))
            peak = i;
    }
    return std::min(peak + 1, levels.size());
}

struct DeviceSummary
{
    std::optional<std::int64_t> start, peak, peakAt, end, reservedPeak;
    std::uint64_t allocations = 0, frees = 0, outOfMemory = 0;
};

DeviceSummary summaryOf(const Trace &trace, const std::vector<MemoryLevel> &levels)
{
    DeviceSummary summary;
    for (const MemoryLevel &level : levels) {
        if (!level.isSelected)
            continue;
        const MemoryRecord &record = *level.record;
        if (!summary.start)
            summary.start = level.before;
        summary.end = level.after;
        if (!summary.peak || level.after > *summary.peak) {
            summary.peak = level.after;
            summary.peakAt = fileNs(trace, record.time);
        }
        summary.reservedPeak = std::max(summary.reservedPeak, toldBytes(record.totalReserved));
        if (record.outOfMemory)
            ++summary.outOfMemory;
        else if (record.bytes > 0)
            ++summary.allocations;
        else if (record.bytes < 0)
            ++summary.frees;
    }
    return summary;
}

// Sums of one operator and device.
struct Allocated
{
    std::int64_t size = 0, sizeSelf = 0, allocations = 0, allocationsSelf = 0, bytes = 0, bytesSelf = 0;

    void add(std::int64_t change, bool isSelf)
    {
        const auto addTo = [isSelf](std::int64_t &all, std::int64_t &self, std::int64_t value) {
            all = saturatingAdd(all, value);
            if (isSelf)
                self = saturatingAdd(self, value);
        };
        addTo(size, sizeSelf, change);
        if (change > 0) {
            addTo(allocations, allocationsSelf, 1);
            addTo(bytes, bytesSelf, change);
        }
    }
};

} // namespace

std::string memoryDeviceName(std::int16_t deviceType, std::int16_t deviceId)
{
    static constexpr std::array<std::string_view, 21> kTypes = {
        "CPU",   "GPU", "MKLDNN", "OPENGL", "OPENCL", "IDEEP", "GPU",  "FPGA", "MAIA", "XLA",         "VULKAN",
        "METAL", "XPU", "MPS",    "META",   "HPU",    "VE",    "LAZY", "IPU",  "MTIA", "PRIVATEUSE1",
    };
    if (deviceType == 0)
        return "CPU";
    std::string name = deviceType > 0 && static_cast<std::size_t>(deviceType) < kTypes.size()
                           ? std::string(kTypes[static_cast<std::size_t>(deviceType)])
                           : "TYPE " + std::to_string(deviceType);
    if (deviceId >= 0)
        name += " " + std::to_string(deviceId);
    return name;
}

Table memoryTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    RankedTable out(traces);
    out.table.texts("device");
    out.table.integers("start_bytes", Unit::Bytes);
    out.table.integers("peak_bytes", Unit::Bytes);
    out.table.integers("peak_at_ns", Unit::Ns);
    out.table.integers("end_bytes", Unit::Bytes);
    out.table.integers("reserved_peak_bytes", Unit::Bytes);
    for (const char *name :
         {"allocations", "frees", "freed_inside", "freed_without_alloc", "still_alive", "out_of_memory"})
        out.table.integers(name, Unit::Count);
    forEachTrace(traces, scope, progress, [&](const RankTrace &rank, const TraceScope &, const Levels &devices) {
        for (const auto &[device, levels] : devices) {
            const DeviceSummary summary = summaryOf(*rank.trace, levels);
            const MemoryBlocks blocks = pairBlocks(levels, true);
            const auto paired = [&blocks](std::uint64_t count) {
                return blocks.hasAddresses ? std::optional(count) : std::nullopt;
            };
            out.beginRow(rank);
            out.put(memoryDeviceName(device.type, device.id));
            for (const auto &value : {summary.start, summary.peak, summary.peakAt, summary.end, summary.reservedPeak})
                out.put(value);
            out.put(summary.allocations);
            out.put(summary.frees);
            out.put(paired(blocks.freed));
            out.put(paired(blocks.unknownFrees));
            out.put(paired(blocks.alive.size()));
            out.put(summary.outOfMemory);
        }
    });
    return std::move(out.table);
}

Table memoryCurve(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    RankedTable out(traces);
    out.table.names("device");
    out.table.integers("ts_ns", Unit::Ns);
    out.table.integers("allocated_bytes", Unit::Bytes);
    out.table.integers("reserved_bytes", Unit::Bytes);
    forEachTrace(traces, scope, progress, [&](const RankTrace &rank, const TraceScope &, const Levels &devices) {
        for (const auto &[device, levels] : devices) {
            const NameId name = internName(memoryDeviceName(device.type, device.id));
            out.table.expectMore(levels.size());
            for (const MemoryLevel &level : levels) {
                if (!level.isSelected)
                    continue;
                out.beginRow(rank);
                out.put(name);
                out.put(fileNs(*rank.trace, level.record->time));
                out.put(level.after);
                out.put(toldBytes(level.record->totalReserved));
            }
        }
    });
    return std::move(out.table);
}

Table memoryLive(std::span<const RankTrace> traces, const Scope &scope, std::optional<Scope::TimeBound> at,
                 const Progress &progress)
{
    RankedTable out(traces);
    out.table.names("device");
    out.table.integers("address", Unit::Id);
    out.table.integers("bytes", Unit::Bytes);
    out.table.integers("allocated_at_ns", Unit::Ns);
    out.table.integers("operator", Unit::Id);
    forEachTrace(traces, scope, progress, [&](const RankTrace &rank, const TraceScope &, const Levels &devices) {
        const Trace &trace = *rank.trace;
        const TorchNesting &nesting = torchNesting(trace, progress);
        for (const auto &[device, levels] : devices) {
            OperatorAt operators(trace, nesting);
            const NameId name = internName(memoryDeviceName(device.type, device.id));
            const MemoryBlocks blocks = pairBlocks(std::span(levels).first(recordsUpTo(trace, levels, at)), false);
            out.table.expectMore(blocks.alive.size());
            for (const MemoryRecord *block : blocks.alive) {
                const std::uint32_t call = operators.at(block->lane, block->time);
                out.beginRow(rank);
                out.put(name);
                out.put(block->address != 0 ? std::optional(block->address) : std::nullopt);
                out.put(block->bytes);
                out.put(fileNs(trace, block->time));
                out.put(call != kNone ? std::optional(trace.fileIndex(nesting.calls()[call].event)) : std::nullopt);
            }
        }
    });
    out.table.sort({*out.table.find("bytes"), false});
    return std::move(out.table);
}

Table memoryByOperator(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    RankedTable out(traces);
    out.table.names("operator");
    out.table.texts("device");
    out.table.integers("calls", Unit::Count);
    out.table.integers("size_bytes", Unit::Bytes);
    out.table.integers("size_self_bytes", Unit::Bytes);
    out.table.integers("allocations", Unit::Count);
    out.table.integers("allocations_self", Unit::Count);
    out.table.integers("allocated_bytes", Unit::Bytes);
    out.table.integers("allocated_self_bytes", Unit::Bytes);
    forEachTrace(traces, scope, progress, [&](const RankTrace &rank, const TraceScope &ofTrace, const Levels &devices) {
        const Trace &trace = *rank.trace;
        const TorchNesting &nesting = torchNesting(trace, progress);
        std::map<std::pair<NameId, MemoryDevice>, Allocated> sums;
        std::unordered_map<NameId, std::uint64_t> calls;
        for (const TorchNesting::Call &call : nesting.calls()) {
            if (trace.kind(call.event) == EventKind::Operator && ofTrace.part(call.event) && ofTrace.counts(call.event))
                ++calls[trace.nameId(call.event)];
        }
        for (const auto &[device, levels] : devices) {
            OperatorAt operators(trace, nesting);
            for (const MemoryLevel &level : levels) {
                const MemoryRecord &record = *level.record;
                if (!level.isSelected || record.outOfMemory)
                    continue;
                std::uint32_t call = operators.at(record.lane, record.time);
                if (call == kNone)
                    sums[{kNoName, device}].add(record.bytes, true);
                for (bool isSelf = true; call != kNone; call = operators.above(call), isSelf = false)
                    sums[{trace.nameId(nesting.calls()[call].event), device}].add(record.bytes, isSelf);
            }
        }
        for (const auto &[key, sum] : sums) {
            const auto &[name, device] = key;
            out.beginRow(rank);
            out.put(name != kNoName ? std::optional(name) : std::nullopt);
            out.put(memoryDeviceName(device.type, device.id));
            out.put(name != kNoName ? std::optional(calls[name]) : std::nullopt);
            for (const std::int64_t value :
                 {sum.size, sum.sizeSelf, sum.allocations, sum.allocationsSelf, sum.bytes, sum.bytesSelf})
                out.put(value);
        }
    });
    out.table.sort({*out.table.find("size_self_bytes"), false});
    return std::move(out.table);
}

} // namespace ks
