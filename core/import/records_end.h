// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind a `]` that seems to close the records. Damage inside the arguments of a record makes other brackets look like it.
#pragma once

#include "core/import/padded_buffer.h"
#include "core/import/trace_header.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace ks {

struct RecordsEnd
{
    std::optional<std::uint64_t> record; // where a record starts that shows that the `]` closed something else
    TopLevelKeys keys;                   // behind the records
    std::optional<std::uint64_t>
        document; // the place behind its closing brace; none: the text ends first, or is damaged
};

// Puts the text from a place on into the buffer, as many bytes of it as wanted; returns whether that is all of it.
using ReadText = std::function<bool(std::uint64_t at, std::size_t bytes, PaddedBuffer &text)>;

// `at` stands behind the `]`. Reads no more than a record may have.
RecordsEnd lookBehindRecords(std::uint64_t at, const ReadText &readText);

} // namespace ks
