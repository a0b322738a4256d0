// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace ks::cli {

void writeHelp(TextSink &sink);
void writeHelp(TextSink &sink, const Command &command);

} // namespace ks::cli
