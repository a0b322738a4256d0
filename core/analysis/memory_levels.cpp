// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory_levels.h"

#include "core/base/hash.h"

#include <algorithm>
#include <unordered_map>

namespace ks {
namespace {

class RecordScope
{
public:
    RecordScope(const TraceScope &scope, const Scope &wanted)
        : m_scope(scope)
        , m_wanted(wanted)
    {}

    bool includes(const MemoryRecord &record) const
    {
        const auto &devices = m_wanted.devices;
        if (!devices.empty()
            && std::find(devices.begin(), devices.end(), std::int64_t{record.deviceId}) == devices.end())
            return false;
        if (m_wanted.restrictsLanes() && (record.lane == kNoLane || !m_scope.includesLane(record.lane)))
            return false;
        if (m_scope.range() && !m_scope.range()->contains(record.time))
            return false;
        const auto steps = m_scope.stepRanges();
        return !m_scope.hasSteps() || std::any_of(steps.begin(), steps.end(), [&record](TimeRange step) {
            return step.contains(record.time);
        });
    }

private:
    const TraceScope &m_scope;
    const Scope &m_wanted;
};

} // namespace

std::map<MemoryDevice, std::vector<MemoryLevel>> memoryLevels(const TraceScope &scope, const Scope &wanted)
{
    const RecordScope selected(scope, wanted);
    std::map<MemoryDevice, std::vector<MemoryLevel>> devices;
    MemoryDevice device;
    std::vector<MemoryLevel> *levels = nullptr; // of that device
    for (const MemoryRecord &record : scope.trace().memory()) {
        if (const MemoryDevice own{record.deviceType, record.deviceId}; !levels || device != own) {
            device = own;
            levels = &devices[own];
        }
        const std::int64_t change = record.outOfMemory ? 0 : record.bytes;
        MemoryLevel level;
        level.record = &record;
        level.isSelected = selected.includes(record);
        const bool isTold = record.totalAllocated != kNoBytes;
        if (!levels->empty())
            level.before = levels->back().after;
        else if (isTold)
            level.before = saturatingSubtract(record.totalAllocated, change);
        level.after = isTold ? record.totalAllocated : saturatingAdd(level.before, change);
        levels->push_back(level);
    }
    std::erase_if(devices, [](const auto &entry) {
        return std::none_of(entry.second.begin(), entry.second.end(),
                            [](const MemoryLevel &level) { return level.isSelected; });
    });
    return devices;
}

MemoryBlocks pairBlocks(std::span<const MemoryLevel> levels, bool onlySelected)
{
    MemoryBlocks blocks;
    // By address the allocation that was alive last, and by allocation the one before it at that address: positions
    // plus one, 0 for none.
    std::unordered_map<std::uint64_t, std::uint32_t, NumberHash> lastAt;
    lastAt.reserve(levels.size() / 2);
    std::vector<std::uint32_t> before(levels.size(), 0);
    for (std::uint32_t i = 0; i < levels.size(); ++i) {
        const MemoryRecord &record = *levels[i].record;
        if (record.outOfMemory || (onlySelected && !levels[i].isSelected))
            continue;
        blocks.hasAddresses = blocks.hasAddresses || record.address != 0;
        if (record.bytes > 0) {
            std::uint32_t &last = lastAt[record.address];
            before[i] = last;
            last = i + 1;
        } else if (record.bytes < 0) {
            const auto last = lastAt.find(record.address);
            if (last == lastAt.end() || last->second == 0) {
                ++blocks.unknownFrees;
            } else {
                last->second = before[last->second - 1];
                ++blocks.freed;
            }
        }
    }
    for (const auto &[address, last] : lastAt) {
        for (std::uint32_t alive = last; alive != 0; alive = before[alive - 1])
            blocks.alive.push_back(levels[alive - 1].record);
    }
    std::sort(blocks.alive.begin(), blocks.alive.end()); // they stand in the log, by time
    return blocks;
}

} // namespace ks
