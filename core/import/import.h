// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes -> frozen Trace.
#pragma once

#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace ks {

struct ImportOptions
{
    std::size_t blockBytes = std::size_t{1} << 20U; // the result does not depend on it
    unsigned workers = 0;                           // 0 = one per core; the result does not depend on it
    std::uint64_t memoryBytes = 0; // 0 = three quarters of what there is; a trace that needs more is refused
};

// Throws ImportError if the file cannot be opened as a trace, Cancelled if stopped.
std::shared_ptr<const Trace> importTrace(const std::filesystem::path &path, const Progress &progress = {},
                                         const ImportOptions &options = {});
// The same from any bytes; `name` is told as the path of the trace.
std::shared_ptr<const Trace> importSource(std::shared_ptr<const ByteSource> source, const std::string &name,
                                          const Progress &progress = {}, const ImportOptions &options = {});
// The same from JSON text in memory.
std::shared_ptr<const Trace> importText(std::string text, const Progress &progress = {},
                                        const ImportOptions &options = {});

} // namespace ks
