// SPDX-License-Identifier: GPL-3.0-or-later
// The whole text of a trace -> batches in file order. Blocks are scanned in parallel from guessed borders; the guesses are then verified
// in order (each block must start exactly where the one before stopped) and what was guessed wrong is scanned again, so the result does
// not depend on the size of the blocks or the number of workers.
#pragma once

#include "core/base/byte_source.h"
#include "core/base/progress.h"
#include "core/import/event_batch.h"
#include "core/import/local_tables.h"
#include "core/import/trace_header.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace ks {

struct ScannedBatch
{
    EventBatch batch;
    std::size_t tables = 0; // whose numbers the batch uses
};

struct ScannedFile
{
    std::deque<LocalTables> tables;    // one per worker
    std::vector<ScannedBatch> batches; // in file order
    TopLevelKeys keys;
    bool isArray = false;
    std::uint64_t textBytes = 0;
    std::optional<std::uint64_t> truncatedAt; // the text ends inside a record or before the closing brackets
    bool packedTruncated = false;             // … because the packed stream is incomplete
    std::optional<std::uint64_t> trailingAt;  // there is more behind the end of the document
};

// `memoryBytes`: see ImportLimits. Throws ImportError, Cancelled, SourceChanged.
ScannedFile scanFile(const ByteSource &source, std::size_t blockBytes, unsigned workers, const Progress &progress,
                     std::uint64_t memoryBytes = 0);

} // namespace ks
