// SPDX-License-Identifier: GPL-3.0-or-later
// What the open traces are called: by their files, and where two files have one name by as much of their folders as tells them apart.
#pragma once

#include "widgets/state/trace_set.h"

#include <QString>

namespace ks {

QString traceName(const TraceSet &traces, std::uint32_t position); // "trace.json", "before/trace.json"

} // namespace ks
