// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory_levels.h"

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
    for (const MemoryRecord &record : scope.trace().memory()) {
        std::vector<MemoryLevel> &levels = devices[{record.deviceType, record.deviceId}];
        const std::int64_t change = record.outOfMemory ? 0 : record.bytes;
        MemoryLevel level;
        level.record = &record;
        level.isSelected = selected.includes(record);
        const bool isTold = record.totalAllocated != kNoBytes;
        if (!levels.empty())
            level.before = levels.back().after;
        else if (isTold)
            level.before = saturatingSubtract(record.totalAllocated, change);
        level.after = isTold ? record.totalAllocated : saturatingAdd(level.before, change);
        levels.push_back(level);
    }
    std::erase_if(devices, [](const auto &device) {
        return std::none_of(device.second.begin(), device.second.end(),
                            [](const MemoryLevel &level) { return level.isSelected; });
    });
    return devices;
}

MemoryBlocks pairBlocks(std::span<const MemoryLevel> levels, bool onlySelected)
{
    MemoryBlocks blocks;
    std::unordered_map<std::uint64_t, std::vector<const MemoryRecord *>> alive;
    for (const MemoryLevel &level : levels) {
        const MemoryRecord &record = *level.record;
        if (record.outOfMemory || (onlySelected && !level.isSelected))
            continue;
        blocks.hasAddresses = blocks.hasAddresses || record.address != 0;
        if (record.bytes > 0) {
            alive[record.address].push_back(&record);
        } else if (record.bytes < 0) {
            const auto block = alive.find(record.address);
            if (block == alive.end() || block->second.empty()) {
                ++blocks.unknownFrees;
            } else {
                block->second.pop_back();
                ++blocks.freed;
            }
        }
    }
    for (const auto &[address, records] : alive)
        blocks.alive.insert(blocks.alive.end(), records.begin(), records.end());
    std::sort(blocks.alive.begin(), blocks.alive.end()); // they stand in the log, by time
    return blocks;
}

} // namespace ks
