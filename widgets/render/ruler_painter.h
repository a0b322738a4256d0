// SPDX-License-Identifier: GPL-3.0-or-later
// The strip above the lanes: bands of the steps, ticks of time. Cost: O(ticks + steps in view).
#pragma once

#include "core/trace/step.h"
#include "core/trace/trace.h"
#include "core/view/palette.h"
#include "core/view/viewport.h"

#include <span>
#include <vector>

class QPainter;

namespace ks {

inline constexpr int kStepBandHeight = 15;
inline constexpr int kTicksHeight = 17;
inline constexpr int kRulerHeight = kStepBandHeight + kTicksHeight;

// Distance of ticks: 1, 2 or 5 times a power of ten, at least `leastPixels` apart; at least 1 ns.
TimeNs tickStep(double nsPerPixel, double leastPixels);

struct RulerPicture
{
    const Viewport &viewport;
    const Theme &theme;
    std::span<const Step> steps;  // of the trace whose steps are shown, by begin
    TimeNs offset = 0;            // added to their times
    const Trace *trace = nullptr; // theirs, for their names
};

// The painter's (0, 0) is the top left corner; as wide as the viewport, kRulerHeight high.
void paintRuler(QPainter &painter, const RulerPicture &picture);

} // namespace ks
