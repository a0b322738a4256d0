// SPDX-License-Identifier: GPL-3.0-or-later
// An event as it came from the file, in file order, before lanes are sorted into rows. It keeps the numbers of the worker that scanned it
// (FileNumbers tells the file's own). Compact on purpose: these and the final columns are alive together while a trace is put together.
#pragma once

#include "core/base/time.h"

#include <cstdint>

namespace ks {

struct RawEvent
{
    static constexpr std::uint8_t kUnfinished = 1; // no end in the file
    static constexpr std::uint8_t kAsync = 2;      // stands on an async track

    TimeNs begin = 0; // file time
    TimeNs duration = 0;
    std::uint32_t name = 0;
    std::uint32_t track = 0;  // (pid, tid); of async events, once they are paired, an async track of the file
    std::uint32_t offset = 0; // of the record in its block
    std::uint16_t category = 0;
    std::uint8_t flags = 0;

    TimeNs end() const { return saturatingAdd(begin, duration); }
};
static_assert(sizeof(RawEvent) == 32);

// A field that only some events have.
struct RawField
{
    std::uint32_t event = 0; // position in its batch
    std::uint32_t value = 0; // an id as LocalIds numbers it
};

enum class RawFieldKey : std::uint8_t {
    Correlation,
    ExternalId,
    PythonId,
    PythonParent,
    SequenceNumber,
    ForwardThread,
    Device,
    Stream,
};
inline constexpr std::size_t kRawFieldKeys = 8;

} // namespace ks
