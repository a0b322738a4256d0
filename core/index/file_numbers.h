// SPDX-License-Identifier: GPL-3.0-or-later
// From the numbers of one worker to those of the file.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <vector>

namespace ks {

struct FileNumbers
{
    static constexpr std::uint32_t kInterned = 0x80000000U;
    static constexpr std::uint32_t kNoId = 0xffffffffU;

    std::vector<NameId> names;
    std::vector<std::uint16_t> categories; // CategoryId
    std::vector<std::uint32_t> tracks;
    std::vector<std::uint32_t> places;
    std::vector<std::uint32_t> ids; // of those with kInterned; all others are the same in the file

    std::uint32_t id(std::uint32_t local) const
    {
        const bool isInterned = local != kNoId && (local & kInterned) != 0;
        return isInterned ? ids[local & ~kInterned] : local;
    }
};

} // namespace ks
