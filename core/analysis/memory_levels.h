// SPDX-License-Identifier: GPL-3.0-or-later
// The memory log of one trace, device by device.
#pragma once

#include "core/analysis/scope.h"

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace ks {

struct MemoryDevice
{
    std::int16_t type = 0;
    std::int16_t id = -1;

    friend auto operator<=>(MemoryDevice, MemoryDevice) = default; // the CPU first
};

struct MemoryLevel
{
    const MemoryRecord *record = nullptr;
    std::int64_t before = 0;
    std::int64_t after = 0;
    bool isSelected = true;
};

// All records by time; devices without a selected one are left out.
std::map<MemoryDevice, std::vector<MemoryLevel>> memoryLevels(const TraceScope &scope, const Scope &wanted);

struct MemoryBlocks
{
    std::vector<const MemoryRecord *> alive; // allocations without a free, by time
    std::uint64_t freed = 0;                 // frees of a block whose allocation is known
    std::uint64_t unknownFrees = 0;
    bool hasAddresses = false;
};

// Pairs allocations with frees; `onlySelected`: of the selected records.
MemoryBlocks pairBlocks(std::span<const MemoryLevel> levels, bool onlySelected);

} // namespace ks
