// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <random>

namespace ks {

std::uint64_t processHashSeed()
{
    static const std::uint64_t seed = [] {
        std::random_device device;
        return (std::uint64_t{device()} << 32U) | device();
    }();
    return seed;
}

} // namespace ks
