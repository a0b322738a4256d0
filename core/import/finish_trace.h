// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that was scanned -> the frozen Trace: pairs, lanes, rows, links, arrows, steps, extent, diagnostics.
#pragma once

#include "core/base/progress.h"
#include "core/import/scan_file.h"
#include "core/trace/trace.h"

#include <memory>

namespace ks {

// Throws ImportError if there are no trace records at all, Cancelled.
std::shared_ptr<const Trace> finishTrace(ScannedFile file, std::shared_ptr<const ByteSource> source, Metadata metadata,
                                         unsigned workers, const Progress &progress);

} // namespace ks
