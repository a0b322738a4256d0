// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/communication.h"

#include <algorithm>
#include <array>

namespace ks {

bool isCommunicationKernel(std::string_view name)
{
    constexpr std::array<std::string_view, 5> kMarks = {"nccl", "rccl", "hccl", "oneccl", "cross_device_reduce"};
    const auto sameLetter = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; };
    return std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) {
        return std::search(name.begin(), name.end(), mark.begin(), mark.end(), sameLetter) != name.end();
    });
}

} // namespace ks
