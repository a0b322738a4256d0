// SPDX-License-Identifier: GPL-3.0-or-later
// Random training runs as the profiler would write them: steps, modules, nested operators, launches, work on several
// devices and streams that overlaps, collectives, copies, memory, work without a launch and launches without work.
#pragma once

#include "tests/support/trace_maker.h"

#include <cstdint>
#include <random>

namespace ks {

struct RandomRun
{
    int steps = 3;
    int operatorsPerStep = 12; // on each thread
    int threads = 2;
    int devices = 2;       // 0: no device work
    int streams = 2;       // of each device
    bool hasPython = true; // modules and frames
    bool hasMemory = true;
    bool hasShapes = true;
    std::int64_t rank = -1; // told if not negative
};

TraceMaker randomRun(std::mt19937_64 &random, const RandomRun &options = {});

} // namespace ks
