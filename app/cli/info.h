// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace holds, in words and numbers: the same facts as JSON and as a card.
#pragma once

#include "app/cli/command.h"
#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace ks::cli {

struct Recorded
{
    bool shapes = false, stacks = false, memory = false, deviceWork = false, flows = false, steps = false,
         syncs = false;
    bool operators = false;
};

Recorded recordedIn(const Trace &trace);
// One sentence for each thing that was off, with the option that turns it on.
std::vector<std::string> missingIn(const Trace &trace, const Recorded &recorded);
std::vector<std::int64_t> stepNumbers(const Trace &trace); // ascending

void writeInfoText(TextSink &sink, const OpenTrace &open);

} // namespace ks::cli
