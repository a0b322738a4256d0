// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/pixel_columns.h"

#include "core/view/draw_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ks {

PixelColumns::PixelColumns(const Viewport &viewport, double dpr, std::vector<TimeNs> borders)
    : m_viewport(viewport)
    , m_dpr(dpr)
    , m_width(1 / dpr)
    , m_nsPerColumn(viewport.nsPerPixel() * m_width)
    , m_pixelsPerNs(1 / viewport.nsPerPixel())
    , m_left(viewport.range().begin)
    , m_leftX(viewport.xOf(m_left))
    , m_count(static_cast<std::uint32_t>(std::min<double>(std::ceil(viewport.width() * dpr), kMostColumns)))
    , m_borders(std::move(borders))
{
    m_borders.clear();
    m_borders.reserve(m_count + std::size_t{1});
    for (std::int64_t column = 0; column <= static_cast<std::int64_t>(m_count); ++column)
        m_borders.push_back(firstTimeOf(column));
}

TimeNs PixelColumns::firstTimeOf(std::int64_t column) const
{
    // The viewport's own answer is off by a rounding at most, but for times near the ends of what int64 holds.
    constexpr int kSteps = 8;
    TimeNs t = m_viewport.timeAt(static_cast<double>(column) * m_width);
    if (t > kMinTime + kSteps && t < kMaxTime - kSteps) {
        t -= of(t - 1) < column ? 1 : kSteps / 2;
        if (of(t) < column) {
            for (int i = 0; i < kSteps; ++i) {
                if (of(++t) >= column)
                    return t;
            }
        }
    }
    TimeNs low = kMinTime;
    TimeNs high = kMaxTime;
    while (low < high) {
        const TimeNs middle = std::midpoint(low, high);
        if (of(middle) >= column)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

} // namespace ks
