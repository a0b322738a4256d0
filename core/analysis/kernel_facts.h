// SPDX-License-Identifier: GPL-3.0-or-later
// How kernels were launched, from their arguments: read on first use, then kept with the trace.
#pragma once

#include "core/analysis/device_work.h"
#include "core/base/progress.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ks {

// The launch parameters of a kernel; null where the file tells none.
struct LaunchConfiguration
{
    std::string grid;                         // "[8,1,1]"
    std::string block;                        // "[128,1,1]"
    std::optional<std::int64_t> registers;    // per thread
    std::optional<std::int64_t> sharedMemory; // bytes
};

class KernelFacts
{
public:
    KernelFacts(const Trace &trace, const Progress &progress);

    // Of a piece of work by its position in workIndex(trace). What the file does not tell, or no longer has, is none.
    std::optional<double> blocksPerSm(std::uint32_t position) const { return m_blocks[m_blocksOf[position]]; }
    std::optional<double> occupancyPercent(std::uint32_t position) const
    {
        return m_occupancy[m_occupancyOf[position]];
    }
    // Number of the configuration, 0 = nothing told; equal ones have equal numbers.
    std::uint32_t configuration(std::uint32_t position) const { return m_configurationOf[position]; }
    const LaunchConfiguration &configurationAt(std::uint32_t number) const { return m_configurations[number]; }

private:
    std::vector<std::uint32_t> m_blocksOf, m_occupancyOf, m_configurationOf; // by position
    std::vector<std::optional<double>> m_blocks, m_occupancy;
    std::vector<LaunchConfiguration> m_configurations;
};

// Cost of the first call: about 0.15 us a kernel from a plain file. "est. achieved occupancy %" is a bound from the launch
// shape, no measurement. Throws Cancelled.
const KernelFacts &kernelFacts(const Trace &trace, const Progress &progress = {});

} // namespace ks
