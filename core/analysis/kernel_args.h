// SPDX-License-Identifier: GPL-3.0-or-later
// Launch parameters of kernels that several analyses need, from their arguments.
#pragma once

#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <optional>
#include <span>
#include <vector>

namespace ks {

struct KernelArgs
{
    std::optional<double> blocksPerSm;
    std::optional<double>
        occupancyPercent; // "est. achieved occupancy %": a bound from the launch shape, no measurement
};

// In the order of `events`; nothing where the source is gone. Read in batches by offset: about 1 us each from a plain file.
std::vector<KernelArgs> kernelArgs(const Trace &trace, std::span<const EventId> events, const Progress &progress = {});

} // namespace ks
