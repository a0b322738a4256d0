// SPDX-License-Identifier: GPL-3.0-or-later
// What crashes, bad disks and careless scripts do to a text, at random places.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace ks {

// Bytes [begin, end) of the text before; begin == end: something was put in there.
struct DamagedSpot
{
    std::size_t begin = 0;
    std::size_t end = 0;
};

// Damages `text` at `spots` places or a few less, in their order: bytes overwritten, zeroed, cut out or doubled, or a quote or bracket put in.
std::vector<DamagedSpot> damageText(std::string &text, std::mt19937_64 &random, std::size_t spots);

} // namespace ks
