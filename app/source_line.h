// SPDX-License-Identifier: GPL-3.0-or-later
// A line of Python code the trace names: opened in the editor of the settings, or its place copied.
#pragma once

#include <QString>

namespace ks {

class MainWindow;
class Settings;

// Says what it did, or why it could not.
void openSourceLine(MainWindow &window, const Settings &settings, const QString &file, int line);

} // namespace ks
