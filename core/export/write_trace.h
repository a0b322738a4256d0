// SPDX-License-Identifier: GPL-3.0-or-later
// Writes part of a trace as a trace file of its own: JSON as the profiler writes it, which every reader of such files takes.
#pragma once

#include "core/base/progress.h"
#include "core/base/text_sink.h"
#include "core/export/trim.h"

#include <string>
#include <string_view>

namespace ks {

// Events with all their arguments, arrows between them, memory records, instants and counters of the time, names of
// processes and threads, the keys around. Begin and end records become complete events, times stay exact. Reads the
// arguments of every event written: some microseconds each. Throws SourceChanged, Cancelled; reports shares.
void writeTrace(TextSink &sink, const Trace &trace, const TrimmedTrace &part, const Progress &progress = {});

std::string gzipOf(std::string_view text);

} // namespace ks
