// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls each piece of device work belongs to, for all work of a trace at once.
#pragma once

#include "core/analysis/torch_nesting.h"
#include "core/base/progress.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ks {

class CallWork
{
public:
    // About 0.3 us a launch; 4 bytes a piece of work, 16 a launch and 4 for each call around one. Throws Cancelled.
    explicit CallWork(const Trace &trace, const Progress &progress = {});

    struct Owners // as HostCalls::Owners
    {
        std::uint32_t self = TorchNesting::kNone;
        std::span<const std::uint32_t> all;
        std::span<const std::uint32_t> forward;
    };
    // By position in workIndex(trace); positions in torchNesting(trace).calls().
    Owners ownersOf(std::uint32_t position) const
    {
        const Group &group = m_groups[m_groupOf[position]];
        const std::span<const std::uint32_t> calls(m_calls);
        return {group.self, calls.subspan(group.first, group.forward - group.first),
                calls.subspan(group.forward, group.end - group.forward)};
    }

private:
    struct Group // of the work of one launch
    {
        std::uint32_t self = TorchNesting::kNone;
        std::uint32_t first = 0, forward = 0, end = 0; // in m_calls
    };
    std::vector<std::uint32_t> m_groupOf; // by position
    std::vector<Group> m_groups;
    std::vector<std::uint32_t> m_calls;
};

// Of the trace, made on first use and kept.
const CallWork &callWork(const Trace &trace, const Progress &progress = {});

} // namespace ks
