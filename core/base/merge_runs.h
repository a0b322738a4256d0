// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts what lies in a few runs that are sorted each, as rows of a lane or records of threads written one after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace ks {

// `ends` of the runs, ascending; the last one is the size. Merges neighbours until one is left: n log(runs), stable.
template<typename Array, typename Less = std::less<>>
void mergeRuns(Array &all, std::vector<std::size_t> ends, Less less = {})
{
    const auto at = [&all](std::size_t position) { return all.begin() + static_cast<std::ptrdiff_t>(position); };
    while (ends.size() > 1) {
        std::vector<std::size_t> merged;
        std::size_t begin = 0;
        for (std::size_t i = 0; i < ends.size(); i += 2) {
            if (i + 1 < ends.size())
                std::inplace_merge(at(begin), at(ends[i]), at(ends[i + 1]), less);
            merged.push_back(ends[std::min(i + 1, ends.size() - 1)]);
            begin = merged.back();
        }
        ends = std::move(merged);
    }
}

} // namespace ks
