// SPDX-License-Identifier: GPL-3.0-or-later
// A complete picture of a trace, as the window shows it: lane headers, ruler with steps, lanes. For `kinetoscope-cli
// render`. Needs a QGuiApplication (platform "offscreen" will do) for fonts. Cost: that of one frame, a few ms, and before
// it of what colours need (event_colours.h) and of the pyramids of the rows in the picture, 40 ns an event.
#pragma once

#include "core/view/level_of_detail.h"

#include <QImage>

class QIODevice;

namespace ks {

struct RenderOptions
{
    TimeRange range;  // ns; empty: the range the window opens on
    int width = 1600; // logical pixels, headers included
    int height = 0;   // logical pixels; 0: as high as the lanes need (at most 4,000)
    double dpr = 1;   // device pixels per logical pixel
    bool dark = false;
    ColourMode colours = ColourMode::Family;
    EventBits matching; // what does not match is dimmed; empty: everything matches
};

// Null image if the size makes no picture (width or height below 1, or more than 100 million pixels). Both throw
// SourceChanged if the mode needs arguments and the file has changed.
QImage renderTimelineImage(const Trace &trace, const RenderOptions &options);
// The same as SVG, dpr ignored. False if the size makes no picture or the device cannot be written.
bool renderTimelineSvg(const Trace &trace, const RenderOptions &options, QIODevice &device);

} // namespace ks
