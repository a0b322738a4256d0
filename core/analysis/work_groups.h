// SPDX-License-Identifier: GPL-3.0-or-later
// Device work by all that tables group it by and that is the same for many pieces: numbered once, so that a table of any
// range looks up a number a piece.
#pragma once

#include "core/analysis/device_work.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ks {

struct WorkGroup
{
    NameId name = kNoName;
    WorkClass workClass = WorkClass::Compute;
    EventKind kind = EventKind::Kernel;
    NameId op = kNoName;             // that launched it
    std::uint32_t configuration = 0; // see kernel_facts.h
    std::optional<double> blocksPerSm;
    std::optional<double> occupancyPercent;
    std::size_t size = 0;       // pieces in the whole trace
    std::size_t sizeOfName = 0; // the same of all groups of its name and class
};

class WorkGroups
{
public:
    WorkGroups(const Trace &trace, const Progress &progress);

    std::span<const WorkGroup> all() const { return m_all; }
    std::uint32_t of(std::uint32_t position) const { return m_of[position]; } // in workIndex(trace)

private:
    std::vector<WorkGroup> m_all;
    std::vector<std::uint32_t> m_of;
};

// Of the trace, made on first use and kept: the cost of kernelFacts() and some 50 ns a piece, 4 bytes each. Throws
// Cancelled.
const WorkGroups &workGroups(const Trace &trace, const Progress &progress = {});

} // namespace ks
