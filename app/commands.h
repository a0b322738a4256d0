// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the command table.
#pragma once

namespace ks {

class MainWindow;

void addCommands(MainWindow &window);

} // namespace ks
