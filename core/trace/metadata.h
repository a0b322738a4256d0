// SPDX-License-Identifier: GPL-3.0-or-later
// What the file tells about itself: the keys around traceEvents, and the counts of what was read.
#pragma once

#include "core/base/container.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ks {

struct Device
{
    std::int64_t id = 0;
    std::string name;
    std::optional<std::int64_t> memoryBytes;
    std::optional<std::int64_t> multiprocessors; // numSms, multiProcessorCount
    bool used = false;                           // has device work
};

// true = recorded; none = off or not told (torch writes these keys only when on).
struct ProfilerFlags
{
    std::optional<bool> recordShapes, profileMemory, withStack, withModules, withFlops;
};

struct CategoryCount
{
    std::string category;
    std::string phase;
    std::uint64_t count = 0;
};

struct Metadata
{
    std::string path; // as given; "-" for standard input
    Container container = Container::Plain;
    std::uint64_t fileBytes = 0; // as stored
    std::uint64_t jsonBytes = 0; // after unpacking
    std::uint64_t records = 0;   // objects with a "ph"
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> worldSize;
    std::optional<std::int64_t> baseNs; // baseTimeNanoseconds: wall clock of file time 0
    std::vector<Device> devices;
    ProfilerFlags profiler;
    std::vector<std::pair<std::string, std::string>> topLevel; // every other key and its JSON text (long ones cut)
    std::vector<CategoryCount> categories;                     // over all records, by count descending
    std::uint64_t counterSamples = 0;
    std::uint64_t asyncInstants = 0;
    bool hasShapes = false; // some event carries Input Dims
};

} // namespace ks
