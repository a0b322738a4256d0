// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/large_memory.h"

#include <cstddef>

#include <malloc.h>

namespace ks {

// Bytes this process has allocated and not freed, by the accounts of the runtime and of large memory.
inline std::size_t heldMemory()
{
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd + largeMemoryInUse();
}

} // namespace ks
