// SPDX-License-Identifier: GPL-3.0-or-later
// Light, dark, or as the desktop has it. Qt 6.4 does not tell which: dark is a palette whose windows are dark.
#pragma once

#include "app/settings.h"

class QPalette;

namespace ks {

void applyTheme(Settings::Theme theme); // sets palette and, if needed, style of the application
bool isDark(const QPalette &palette);

} // namespace ks
