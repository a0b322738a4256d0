// SPDX-License-Identifier: GPL-3.0-or-later
// What a second open trace is to the first: another run to compare with, or another rank of the same one; how runs lie
// over each other on the time axis.
#pragma once

#include <cstdint>

namespace ks {

class MainWindow;

void addRunCommands(MainWindow &window);
// Says what a trace opened beside others is taken for, compares it if that is another run, and offers the other ways.
void tellFurtherTrace(MainWindow &window, std::uint32_t position);

} // namespace ks
