// SPDX-License-Identifier: GPL-3.0-or-later
// A trace as large as wanted for bench_timeline: 40 lanes, threads and streams in turn, of 1 to 30 rows, filled with
// events and gaps whose lengths spread evenly over three orders of magnitude.
#pragma once

#include "core/trace/trace.h"

#include <memory>

namespace ks {

// `rows` at least 40, at most 1,200; `events` in all, about.
std::shared_ptr<const Trace> timelineScene(int events, int rows);

} // namespace ks
