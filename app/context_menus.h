// SPDX-License-Identifier: GPL-3.0-or-later
// What a right-click on the timeline offers: commands of the table that apply, and what can be done with a lane.
#pragma once

#include "widgets/state/trace_set.h"

#include <QPoint>

namespace ks {

class MainWindow;

void showEventMenu(MainWindow &window, QPoint globalPosition);
void showLaneMenu(MainWindow &window, LaneRef lane, QPoint globalPosition);

} // namespace ks
