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
    std::optional<double> blocksPerSm(std::uint32_t position) const { return m_all[m_of[position]].blocks; }
    std::optional<double> occupancyPercent(std::uint32_t position) const { return m_all[m_of[position]].occupancy; }
    // Number of the configuration, 0 = nothing told; equal ones have equal numbers.
    std::uint32_t configuration(std::uint32_t position) const { return m_all[m_of[position]].configuration; }
    // Number of all that together.
    std::uint32_t number(std::uint32_t position) const { return m_of[position]; }
    const LaunchConfiguration &configurationAt(std::uint32_t number) const { return m_configurations[number]; }

private:
    struct Facts
    {
        std::optional<double> blocks;
        std::optional<double> occupancy;
        std::uint32_t configuration = 0;
    };
    std::vector<std::uint32_t> m_of; // by position
    std::vector<Facts> m_all;
    std::vector<LaunchConfiguration> m_configurations;
};

// Cost of the first call: about 0.15 us a kernel from a plain file. "est. achieved occupancy %" is a bound from the launch
// shape, no measurement. Throws Cancelled.
const KernelFacts &kernelFacts(const Trace &trace, const Progress &progress = {});

} // namespace ks
