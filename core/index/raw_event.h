// SPDX-License-Identifier: GPL-3.0-or-later
// An event as it came from the file, in file order, before lanes are sorted into rows. Compact on purpose: these and the final columns
// are alive together while a trace is put together.
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
    std::uint32_t name = 0; // while scanning: the worker's number; then a NameId
    std::uint32_t track =
        0; // while scanning: the worker's number of (pid, tid); then a number of the file; then a lane
    std::uint32_t offset = 0;   // of the record: low 32 bits, in its block while scanning
    std::uint16_t category = 0; // while scanning: the worker's number; then a CategoryId
    std::uint8_t offsetHigh = 0;
    std::uint8_t flags = 0;

    TimeNs end() const { return saturatingAdd(begin, duration); }
    std::uint64_t recordOffset() const { return std::uint64_t{offset} | (std::uint64_t{offsetHigh} << 32U); }
};
static_assert(sizeof(RawEvent) == 32);

// A field that only some events have: an id as LocalIds or FileIds number it.
struct RawField
{
    std::uint32_t event = 0; // position in file order (while scanning: in the batch)
    std::uint32_t value = 0;
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
