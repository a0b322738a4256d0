// SPDX-License-Identifier: GPL-3.0-or-later
// A dump for reading, and what both forms of it need.
#pragma once

#include "app/cli/command.h"
#include "core/analysis/open_rows.h"
#include "core/trace/trace.h"

namespace ks::cli {

// An instant or a memory record.
struct PlainInstant
{
    std::string_view name;
    std::string_view category;
    TimeNs time = 0;
    std::uint64_t recordOffset = 0;
    LaneId lane = kNoLane;
    InstantScope scope = InstantScope::Thread;
};

std::vector<PlainInstant> instantsInFileOrder(const Trace &trace);
std::string_view instantScopeId(InstantScope scope);
std::string_view linkViaId(LinkVia via);

// Lane by lane, events as a staircase.
void writeDumpText(TextSink &sink, const OpenTrace &open, const OpenRows &rows, bool withArgs);

} // namespace ks::cli
