// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the command table that moves through the timeline and arranges it.
#pragma once

namespace ks {

class MainWindow;

void addTimelineCommands(MainWindow &window);
// Keys where Perfetto has others; false: the keys of the table.
void usePerfettoKeys(MainWindow &window, bool perfetto);

} // namespace ks
