// SPDX-License-Identifier: GPL-3.0-or-later
// What a box of a collective says on the timeline in place of the name of its kernel: "all_reduce · bf16 · 64.0 MiB · dp",
// where the arguments of the kernel, of the operator that launched it or of the one around that tell.
#pragma once

#include "core/base/ids.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <span>
#include <unordered_map>

namespace ks {

using EventLabels = std::unordered_map<EventId, NameId>;

// Of each of `events`; kNoName if nothing tells. Reads arguments: some microseconds an event, milliseconds from a packed
// file. Throws SourceChanged, Cancelled.
EventLabels collectiveNames(const Trace &trace, std::span<const EventId> events, const Progress &progress = {});

} // namespace ks
