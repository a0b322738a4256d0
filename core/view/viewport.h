// SPDX-License-Identifier: GPL-3.0-or-later
// The visible stretch of time and how it maps to pixels. Time stays int64 at the edges; x is a double in logical pixels
// from the left edge, so that nothing is lost far from the start of a trace. The left edge may lie between two
// nanoseconds (smooth panning when one nanosecond is many pixels wide). timeAt(xOf(t)) == t for every t in view, for
// spans up to 26 days. All functions are O(1).
#pragma once

#include "core/base/time.h"

namespace ks {

class Viewport
{
public:
    static constexpr double kMinSpan = 20;  // ns over the whole width
    static constexpr double kMargin = 0.05; // part of the width that may lie outside the bounds, at either end

    Viewport() = default;
    // Shows `range` in `width` logical pixels; never leaves `bounds` by more than the margin.
    Viewport(TimeRange bounds, TimeRange range, double width);

    TimeRange bounds() const { return m_bounds; }
    double width() const { return m_width; }
    double nsPerPixel() const { return m_span / m_width; }
    double span() const { return m_span; } // ns in view, with fractions
    TimeRange range() const;               // whole ns: the smallest range that covers the view

    double xOf(TimeNs t) const
    {
        return (static_cast<double>(saturatingSubtract(t, m_begin)) - m_fraction) / m_span * m_width;
    }
    double widthOf(TimeNs duration) const { return static_cast<double>(duration) / m_span * m_width; }
    TimeNs timeAt(double x) const; // nearest whole ns

    void setBounds(TimeRange bounds);
    void setWidth(double width); // keeps the left edge and the scale
    void setRange(TimeRange range);
    void panBy(double pixels);            // positive: later times come into view
    void zoomAt(double x, double factor); // factor > 1 shows less; the time under x stays under x

    Viewport shiftedBy(TimeNs by) const; // the same view of a clock that runs `by` ahead

    friend bool operator==(const Viewport &, const Viewport &) = default;

private:
    void setEdges(TimeNs origin, double left, double span); // left: ns after origin
    void clamp();

    TimeRange m_bounds{0, 1000};
    TimeNs m_begin = 0;    // floor of the left edge
    double m_fraction = 0; // [0, 1): rest of the left edge
    double m_span = 1000;
    double m_width = 1;
};

} // namespace ks
