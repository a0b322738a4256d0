// SPDX-License-Identifier: GPL-3.0-or-later
// What is taken out of the window: the selection as a smaller trace, the timeline as a picture, an operator as a script.
#pragma once

#include "widgets/state/trace_set.h"

namespace ks {

class MainWindow;

void connectSaver(MainWindow &w);               // shows what the saver does, once
void choosePart(MainWindow &w);                 // asks where to save what is selected
void exportTimeline(MainWindow &w);             // asks where to save the picture
void copyBenchmark(MainWindow &w, EventRef op); // to the clipboard

} // namespace ks
