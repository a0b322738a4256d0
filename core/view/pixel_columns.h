// SPDX-License-Identifier: GPL-3.0-or-later
// The view cut into columns of one device pixel: which column does a time fall into? Answered the same way everywhere, by the first time of
// each column, so that no event is drawn twice or not at all because two roundings differ.
#pragma once

#include "core/view/viewport.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ks {

class PixelColumns
{
public:
    // `dpr`: device pixels per logical pixel. `borders` is for its memory. Cost: some 50 ns a column.
    PixelColumns(const Viewport &viewport, double dpr, std::vector<TimeNs> borders);

    std::uint32_t count() const { return m_count; }
    double width() const { return m_width; }             // of one, logical pixels
    double nsPerColumn() const { return m_nsPerColumn; } // with fractions
    // From `origin` to the left edge of the first column.
    double nsOfLeftEdge(TimeNs origin) const
    {
        return static_cast<double>(saturatingSubtract(m_left, origin)) - m_leftX / m_pixelsPerNs;
    }
    // The first time of each column, and of the one after the last.
    const std::vector<TimeNs> &borders() const { return m_borders; }
    TimeNs begin() const { return m_borders.front(); }
    TimeNs end() const { return m_borders.back(); }
    TimeNs beginOf(std::size_t column) const { return m_borders[column]; }
    // The first time that falls behind `column` (-1: all before the view): one comparison of integers then tells what of() would.
    TimeNs endOf(std::int64_t column) const { return m_borders[static_cast<std::size_t>(column + 1)]; }
    std::vector<TimeNs> takeBorders() && { return std::move(m_borders); }

    // The column of any time; -1 before the view, `count` or more behind it.
    std::int64_t of(TimeNs t) const
    {
        // floor(), but for one jump and without a call.
        const double column = m_viewport.xOf(t) * m_dpr;
        return column < 0 ? -1 : static_cast<std::int64_t>(std::min(column, 1e9));
    }
    // The same for a time in view: a product instead of a quotient, corrected.
    std::int64_t inView(TimeNs t) const
    {
        const auto guess = static_cast<std::int64_t>(xOf(t) * m_dpr);
        auto column = static_cast<std::size_t>(std::clamp<std::int64_t>(guess, 0, m_count - 1));
        const TimeNs *borders = m_borders.data();
        while (t < borders[column] && column > 0)
            --column;
        while (t >= borders[column + 1])
            ++column;
        return static_cast<std::int64_t>(column);
    }
    // Logical pixels from the left edge, as the viewport says but for a rounding.
    double xOf(TimeNs t) const { return m_leftX + static_cast<double>(saturatingSubtract(t, m_left)) * m_pixelsPerNs; }

private:
    TimeNs firstTimeOf(std::int64_t column) const;

    const Viewport &m_viewport;
    double m_dpr;
    double m_width;
    double m_nsPerColumn;
    double m_pixelsPerNs;
    TimeNs m_left; // first whole ns in view, and where it is
    double m_leftX;
    std::uint32_t m_count;
    std::vector<TimeNs> m_borders;
};

} // namespace ks
